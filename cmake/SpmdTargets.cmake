# How a folder becomes a library: spmd_library, spmd_tablegen, spmd_proto.

include(TableGen)
include(AddLLVM)
include(AddMLIR)

# Headers are written `#include "spmd/<folder>/<file>"`, in the tree and when installed: the source
# tree is linked as <build>/include/spmd, generated headers lie under <build>/gen/spmd/<folder>.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/include ${CMAKE_BINARY_DIR}/gen/spmd)
file(CREATE_LINK ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/include/spmd SYMBOLIC)

separate_arguments(spmd_llvm_definitions UNIX_COMMAND "${LLVM_DEFINITIONS}")
list(TRANSFORM spmd_llvm_definitions REPLACE "^-D" "")
# -fPIC everywhere: the archives can go into a shared library, and one precompiled header serves all.
# Nothing here throws.
add_compile_options(-fPIC -fno-exceptions -Wall -Wextra -Wno-unused-parameter)
if(SPMD_SANITIZE)
  add_compile_options(-fsanitize=${SPMD_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SPMD_SANITIZE})
endif()
if(SPMD_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()
# A tool names only the shared libraries it uses: loading the others is most of a short run.
add_link_options(-Wl,--as-needed)
find_program(SPMD_LLD NAMES ld.lld PATHS ${LLVM_TOOLS_BINARY_DIR} NO_DEFAULT_PATH)
if(SPMD_LLD)
  add_link_options(-fuse-ld=lld)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_link_options(-B${LLVM_TOOLS_BINARY_DIR})
  endif()
endif()

# ccache is used where present. A precompiled header is cacheable only without its time stamp.
find_program(SPMD_CCACHE ccache)
if(SPMD_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${SPMD_CCACHE})
endif()

# jemalloc allocates in the tools and the benches, where it is installed: with glibc's allocator the passes, which make and
# drop millions of small ops, take a fifth more time. Sanitizers bring an allocator of their own.
add_library(spmd_allocator INTERFACE)
find_library(SPMD_JEMALLOC NAMES libjemalloc_pic.a jemalloc)
if(SPMD_JEMALLOC AND NOT SPMD_SANITIZE AND NOT SPMD_FUZZ)
  target_link_libraries(spmd_allocator INTERFACE ${SPMD_JEMALLOC} Threads::Threads ${CMAKE_DL_LIBS} m)
endif()

# spmd_library(NAME SOURCES ... [LINK ...] [PRIVATE_LINK ...] [MLIR])
#
# One static library for the folder it is called in. MLIR: the folder uses MLIR's headers; it gets
# them, and the shared precompiled header.
function(spmd_library name)
  cmake_parse_arguments(arg "MLIR" "" "SOURCES;LINK;PRIVATE_LINK" ${ARGN})
  set(target spmd_${name})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(spmd::${name} ALIAS ${target})
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/include> $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/gen>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PUBLIC ${arg_LINK} PRIVATE ${arg_PRIVATE_LINK})
  if(arg_MLIR)
    spmd_use_mlir(${target})
  endif()
  file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set_property(GLOBAL APPEND PROPERTY SPMD_LIBRARIES ${target})
  set_property(GLOBAL APPEND PROPERTY SPMD_FOLDERS ${folder})
  install(TARGETS ${target} EXPORT SpmdTargets)
endfunction()

# Gives a target MLIR's headers and definitions, and the shared precompiled header.
function(spmd_use_mlir target)
  target_include_directories(${target} SYSTEM PUBLIC $<BUILD_INTERFACE:${MLIR_INCLUDE_DIRS}>)
  target_compile_definitions(${target} PUBLIC $<BUILD_INTERFACE:${spmd_llvm_definitions}>)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_precompile_headers(${target} REUSE_FROM spmd_pch)
  endif()
endfunction()

# spmd_tablegen(NAME FILE.td FLAG OUTPUT [FLAG OUTPUT ...]): runs mlir-tblgen on a file of this folder.
# A FLAG may hold several arguments with commas between.
function(spmd_tablegen name file)
  file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set(directory ${CMAKE_BINARY_DIR}/gen/spmd/${folder})
  file(MAKE_DIRECTORY ${directory})
  file(GLOB_RECURSE definitions CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/dialect/*.td ${CMAKE_SOURCE_DIR}/passes/*.td)
  set(arguments ${ARGN})
  set(outputs)
  while(arguments)
    list(POP_FRONT arguments flag output)
    string(REPLACE "," ";" flag "${flag}")
    add_custom_command(
      OUTPUT ${directory}/${output}
      COMMAND ${MLIR_TABLEGEN_EXE} ${flag} -I ${CMAKE_BINARY_DIR}/include -I ${MLIR_INCLUDE_DIRS}
              ${CMAKE_CURRENT_SOURCE_DIR}/${file} --write-if-changed -o ${directory}/${output}
      DEPENDS ${definitions} ${CMAKE_CURRENT_SOURCE_DIR}/${file} COMMENT "" VERBATIM)
    list(APPEND outputs ${directory}/${output})
  endwhile()
  add_custom_target(spmd_${name}_inc DEPENDS ${outputs})
  set_property(GLOBAL APPEND PROPERTY SPMD_GENERATED spmd_${name}_inc)
endfunction()

# spmd_proto(NAME FILE.proto): a library with the generated message classes of this folder.
function(spmd_proto name file)
  file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  get_filename_component(stem ${file} NAME_WE)
  set(base ${CMAKE_BINARY_DIR}/gen/spmd/${folder}/${stem})
  add_custom_command(
    OUTPUT ${base}.pb.cc ${base}.pb.h
    COMMAND protobuf::protoc --proto_path=${CMAKE_BINARY_DIR}/include --cpp_out=${CMAKE_BINARY_DIR}/gen
            spmd/${folder}/${file}
    DEPENDS ${file} COMMENT "" VERBATIM)
  spmd_library(${name} SOURCES ${base}.pb.cc LINK protobuf::libprotobuf)
  target_compile_options(spmd_${name} PRIVATE -w)
endfunction()

# The one precompiled header: what nearly every file above `ir/` includes.
function(spmd_add_precompiled_header)
  add_library(spmd_pch OBJECT ${CMAKE_SOURCE_DIR}/cmake/pch.cpp)
  target_include_directories(spmd_pch SYSTEM PRIVATE ${MLIR_INCLUDE_DIRS})
  target_include_directories(spmd_pch PRIVATE ${CMAKE_BINARY_DIR}/include ${CMAKE_BINARY_DIR}/gen)
  add_dependencies(spmd_pch spmd_sdy_inc spmd_stablehlo_inc)
  target_compile_definitions(spmd_pch PRIVATE ${spmd_llvm_definitions})
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(spmd_pch PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
    target_precompile_headers(spmd_pch PRIVATE ${CMAKE_SOURCE_DIR}/cmake/pch.h)
  endif()
endfunction()
spmd_add_precompiled_header()
