# Finds what the project builds on, and makes MLIR's targets link LLVM statically.
#
# Included by the project itself and by the installed package, so that both see the same targets.

find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
if(NOT SPMD_LINK_DYLIB)
  set(Protobuf_USE_STATIC_LIBS ON)
endif()
find_package(Protobuf REQUIRED)
find_package(absl REQUIRED CONFIG)
find_package(Threads REQUIRED)
find_library(SPMD_OPENBLAS openblas REQUIRED)

# Debian's MLIR targets carry libLLVM.so; a tool that links the archives instead starts 13 times
# faster. Sanitizer builds keep the shared library: archives give false use-after-poison reports.
if(NOT SPMD_LINK_DYLIB AND NOT SPMD_LLVM_IS_STATIC)
  llvm_map_components_to_libnames(spmd_llvm_archives
    SupportLSP Support Core Remarks AsmParser BitReader BitWriter TargetParser)
  foreach(target IN LISTS MLIR_EXPORTED_TARGETS)
    if(TARGET ${target})
      get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
      if(links AND "LLVM" IN_LIST links)
        list(REMOVE_ITEM links LLVM)
        list(APPEND links ${spmd_llvm_archives})
        set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${links}")
      endif()
    endif()
  endforeach()
  set(SPMD_LLVM_IS_STATIC ON)
endif()

# Abseil comes as forty shared libraries, which take longer to load than a small program takes to
# compile; where their archives lie beside them, the targets become those.
if(NOT SPMD_LINK_DYLIB)
  get_property(spmd_targets DIRECTORY PROPERTY IMPORTED_TARGETS)
  list(FILTER spmd_targets INCLUDE REGEX "^absl::")
  foreach(target IN LISTS spmd_targets)
    get_target_property(configuration ${target} IMPORTED_CONFIGURATIONS)
    if(configuration)
      get_target_property(library ${target} IMPORTED_LOCATION_${configuration})
      string(REGEX REPLACE "[.]so[.0-9]*$" ".a" archive "${library}")
      if(EXISTS "${archive}")
        set_target_properties(${target} PROPERTIES IMPORTED_LOCATION_${configuration} "${archive}")
      endif()
    endif()
  endforeach()
endif()
