# SPDX-License-Identifier: MIT
# The kernels of cpu.fast: an object of kernels.c for each precision, instruction set and number of lanes, and one of
# across_kernels.c with the most lanes, each with a name of its own, which plan.c and across_plan.c list.
function(weft_fast_object part file isa options bits lanes)
    add_library(${part} OBJECT cpu_ref/fast/${file})
    weft_target(${part} PRIVATE src cpu_ref)
    target_compile_definitions(${part} PRIVATE WEFT_REAL_BITS=${bits} WEFT_KERNELS_OF=${isa} WEFT_LANES=${lanes})
    target_compile_options(${part} PRIVATE ${options})
    # Of the fuzzers' sanitizers AddressSanitizer alone: with the others clang takes hours for so much straight code.
    if(WEFT_SANITIZE MATCHES fuzzer)
        target_compile_options(${part} PRIVATE -fno-sanitize=fuzzer,fuzzer-no-link,undefined)
    endif()
    set(WEFT_PARTS ${WEFT_PARTS} ${part} PARENT_SCOPE)
endfunction()

function(weft_fast_kernels isa options)
    foreach(numbers IN LISTS ARGN)
        string(REPLACE ":" ";" numbers "${numbers}")
        list(GET numbers 0 bits)
        list(GET numbers 1 lanes)
        weft_fast_object(weft_fast_f${bits}_${isa}_${lanes} kernels.c ${isa} "${options}" ${bits} ${lanes})
        set(most_f${bits} ${lanes})
    endforeach()
    foreach(bits 32 64)
        weft_fast_object(weft_across_f${bits}_${isa} across_kernels.c ${isa} "${options}" ${bits} ${most_f${bits}})
    endforeach()
    set(WEFT_PARTS ${WEFT_PARTS} PARENT_SCOPE)
endfunction()

set(plain_lanes 32:4 64:2)
# What src/isa.c asks the CPU for, and no more.
set(v2 -msse4.2 -mpopcnt -DWEFT_UNFUSED)
set(v2_lanes 32:4 64:2)
set(v3 -mavx2 -mfma -mbmi -mbmi2)
set(v3_lanes 32:4 32:8 64:4)
# With the costs of instructions on a CPU with AVX-512 gcc 12 accesses the stack a third less. Its choice of
# pointers (ivopts) for 16 rows of a butterfly needs more registers than there are, so v4 goes without; v3 is
# slower without (docs/log/2026-11.md).
set(v4 ${v3} -mavx512f -mavx512bw -mavx512cd -mavx512dq -mavx512vl -mprefer-vector-width=512 -mtune=icelake-server
    $<$<C_COMPILER_ID:GNU>:-fno-ivopts> $<$<BOOL:${WEFT_SIMD_QUICK}>:-O1>)
set(v4_lanes 32:8 32:16 64:4 64:8) # In single precision the shortest lines have v3's four lanes.

# WEFT_SIMD as a list.
set(WEFT_FAST_SETS ${WEFT_SIMD})
if(NOT WEFT_SIMD OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(WEFT_FAST_SETS plain)
elseif(WEFT_SIMD STREQUAL "ON")
    set(WEFT_FAST_SETS plain v2 v3 v4)
    # Without FMA each fused operation of plain C is a call, so that -O1 is as fast, and takes half as long to compile.
    set(plain -O1)
endif()
foreach(set IN LISTS WEFT_FAST_SETS)
    if(NOT set MATCHES "^(plain|v2|v3|v4)$")
        message(FATAL_ERROR "WEFT_SIMD: ${set}: must be ON, OFF or some of plain;v2;v3;v4")
    endif()
    weft_fast_kernels(${set} "${${set}}" ${${set}_lanes})
endforeach()
# The four lanes that v4 has of v3. In quotes, as v4 and v3 are variables too, whose values are not meant.
if("v4" IN_LIST WEFT_FAST_SETS AND NOT "v3" IN_LIST WEFT_FAST_SETS)
    weft_fast_object(weft_fast_f32_v3_4 kernels.c v3 "${v3}" 32 4)
endif()
# For those who choose among them: WEFT_HAS_V3=1 and the like.
foreach(set plain v2 v3 v4)
    string(TOUPPER WEFT_HAS_${set} has)
    set(is_built 0)
    if(set IN_LIST WEFT_FAST_SETS)
        set(is_built 1)
    endif()
    list(APPEND WEFT_HAS_SETS ${has}=${is_built})
endforeach()
