# SPDX-License-Identifier: MIT
# The rungs that run on a GPU: for the experiment, where there is CUDA, and for the emulator of the tests.

# weft_gpu_rungs(prefix targets): an object library prefix_NAME for each rung of ladder.def whose device is gpu, and for the
# last one without each of its ideas; their names go into the variable `targets`.
function(weft_gpu_rungs prefix targets)
    set(folder ${PROJECT_SOURCE_DIR}/tool/reproduce/ladder)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/ladder.def)
    file(STRINGS ${folder}/ladder.def entries REGEX "^LADDER_[A-Z]+\\(gpu, ")
    set(made "")
    foreach(entry IN LISTS entries)
        set(definition "")
        if(entry MATCHES "^LADDER_RUNG\\(gpu, ([0-9]+), ([a-z0-9_]+)\\)$")
            set(name ${CMAKE_MATCH_2})
            set(file ${folder}/gpu_${CMAKE_MATCH_1}_${name}.cu)
        elseif(entry MATCHES "^LADDER_WITHOUT\\(gpu, ([a-z0-9_]+)\\)$") # of the last file
            set(name without_${CMAKE_MATCH_1})
            string(TOUPPER ${name} definition)
        else()
            message(FATAL_ERROR "${folder}/ladder.def: \"${entry}\" is no entry: see its head")
        endif()
        add_library(${prefix}_${name} OBJECT ${file})
        target_compile_definitions(${prefix}_${name} PRIVATE LADDER_RUNG=ladder_gpu_${name} ${definition})
        list(APPEND made ${prefix}_${name})
    endforeach()
    set(${targets} ${made} PARENT_SCOPE)
endfunction()
