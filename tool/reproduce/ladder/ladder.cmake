# SPDX-License-Identifier: MIT
# weft reproduce ladder: the rungs on the CPU, as ladder.def lists them, and the experiment. Included by CMakeLists.txt of
# tool/. Contraction, which the library forbids for equal bits, is on, as in the one compiler call that builds a rung alone;
# instructions are those of nearly every CPU of x86-64, where the build has kernels of cpu.fast for them.
set(options -ffp-contract=fast $<$<C_COMPILER_ID:GNU>:-Wno-psabi>)
set(isa ISA_PLAIN)
if(v3 IN_LIST WEFT_FAST_SETS)
    list(APPEND options ${v3})
    set(isa ISA_V3)
endif()

set(folder ${CMAKE_CURRENT_SOURCE_DIR}/reproduce/ladder)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/ladder.def)
file(STRINGS ${folder}/ladder.def entries REGEX "^LADDER_[A-Z]+\\(cpu, ")
foreach(entry IN LISTS entries)
    set(definition "")
    if(entry MATCHES "^LADDER_RUNG\\(cpu, ([0-9]+), ([a-z_]+)\\)$")
        set(name ${CMAKE_MATCH_2})
        set(file ${folder}/cpu_${CMAKE_MATCH_1}_${name}.c)
    elseif(entry MATCHES "^LADDER_WITHOUT\\(cpu, ([a-z_]+)\\)$") # of the last file
        set(name without_${CMAKE_MATCH_1})
        string(TOUPPER ${name} definition)
    else()
        message(FATAL_ERROR "${folder}/ladder.def: \"${entry}\" is no entry: see its head")
    endif()
    add_library(weft_ladder_cpu_${name} OBJECT ${file})
    weft_target(weft_ladder_cpu_${name})
    target_compile_definitions(weft_ladder_cpu_${name} PRIVATE LADDER_RUNG=ladder_cpu_${name} ${definition})
    target_compile_options(weft_ladder_cpu_${name} PRIVATE ${options})
    target_link_libraries(weft_ladder_cpu_${name} PRIVATE OpenMP::OpenMP_C)
    target_sources(weft_tool_parts PRIVATE $<TARGET_OBJECTS:weft_ladder_cpu_${name}>)
endforeach()

set(sources document.c experiment.c ladder.c measure.c rungs.c table.c)
list(TRANSFORM sources PREPEND reproduce/ladder/)
weft_tool_part(weft_tool_reproduce_ladder SEES check src cuda SOURCES ${sources})
target_compile_definitions(weft_tool_reproduce_ladder PRIVATE LADDER_ISA=${isa})
