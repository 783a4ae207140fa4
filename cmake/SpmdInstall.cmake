# `cmake --install`: headers, archives, tools, and a package that yields Spmd::Ir, Spmd::Compiler and
# Spmd::Runtime.
#
# Included last: it collects the libraries of the folders that exist.

include(CMakePackageConfigHelpers)

# spmd_component(NAME [LINK COMPONENT ...] FOLDERS FOLDER ...): Spmd::NAME stands for every library of
# these folders and of what lies in them.
function(spmd_component name)
  cmake_parse_arguments(arg "" "" "LINK;FOLDERS" ${ARGN})
  string(TOLOWER spmd_component_${name} target)
  add_library(${target} INTERFACE)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  list(TRANSFORM arg_LINK TOLOWER)
  list(TRANSFORM arg_LINK PREPEND spmd_component_)
  target_link_libraries(${target} INTERFACE ${arg_LINK})

  list(JOIN arg_FOLDERS "|" pattern)
  get_property(libraries GLOBAL PROPERTY SPMD_LIBRARIES)
  get_property(folders GLOBAL PROPERTY SPMD_FOLDERS)
  foreach(library folder IN ZIP_LISTS libraries folders)
    if(folder MATCHES "^(${pattern})(/|$)")
      target_link_libraries(${target} INTERFACE ${library})
    endif()
  endforeach()
  install(TARGETS ${target} EXPORT SpmdTargets)
endfunction()

spmd_component(Ir FOLDERS ir)
spmd_component(Compiler LINK Ir FOLDERS dialect passes lowering/compile)
spmd_component(Runtime LINK Ir FOLDERS lowering/program lowering/interpreter lowering/comm)

# Headers keep the spelling they have in the tree: `spmd/<folder>/<file>`.
install(DIRECTORY ir dialect lowering passes ${CMAKE_BINARY_DIR}/gen/spmd/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/spmd
  FILES_MATCHING PATTERN "*.h" PATTERN "*.inc" PATTERN "*.td" PATTERN "*.proto")

set(spmd_package ${CMAKE_INSTALL_LIBDIR}/cmake/Spmd)
install(EXPORT SpmdTargets NAMESPACE Spmd:: DESTINATION ${spmd_package})
configure_package_config_file(cmake/SpmdConfig.cmake.in ${CMAKE_BINARY_DIR}/SpmdConfig.cmake
  INSTALL_DESTINATION ${spmd_package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/SpmdConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES cmake/SpmdDependencies.cmake ${CMAKE_BINARY_DIR}/SpmdConfig.cmake
  ${CMAKE_BINARY_DIR}/SpmdConfigVersion.cmake DESTINATION ${spmd_package})
