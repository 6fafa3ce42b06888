# SPDX-License-Identifier: MIT
# How every target is compiled: C17, contraction off (the same bits everywhere), warnings, no hidden globals.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo" FORCE)
endif()
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

set(WEFT_WARNINGS -Wall -Wextra -Wshadow -Wconversion)
if(WEFT_WERROR)
    list(APPEND WEFT_WARNINGS -Werror)
endif()

if(WEFT_SANITIZE)
    if(CMAKE_C_COMPILER_ID MATCHES Clang) # under sanitizers it may leave loops scalar that are asked to be vectors
        list(APPEND WEFT_WARNINGS -Wno-pass-failed)
    endif()
    add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${WEFT_SANITIZE};-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
    add_link_options(-fsanitize=${WEFT_SANITIZE})
endif()

# weft_target(target PRIVATE dir...): this target sees include/ and the named folders, and nothing else.
function(weft_target target)
    cmake_parse_arguments(sees "" "" "PRIVATE" ${ARGN})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include)
    foreach(folder IN LISTS sees_PRIVATE)
        target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/${folder})
    endforeach()
    target_compile_options(${target} PRIVATE
        $<$<COMPILE_LANGUAGE:C,CXX>:${WEFT_WARNINGS}> $<$<COMPILE_LANGUAGE:C,CXX>:-ffp-contract=off>)
    target_compile_definitions(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:_POSIX_C_SOURCE=200809L>)
endfunction()
