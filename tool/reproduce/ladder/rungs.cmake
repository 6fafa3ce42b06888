# SPDX-License-Identifier: MIT
# The rungs of the ladder as ladder.def lists them: for the experiment, and those of the GPU for the emulator of the tests.

# weft_ladder_rungs(device prefix targets): an object library prefix_NAME for each rung of the device, and for the last one
# without each of its ideas; their names go into the variable `targets`.
function(weft_ladder_rungs device prefix targets)
    set(suffix_cpu c)
    set(suffix_gpu cu)
    set(folder ${PROJECT_SOURCE_DIR}/tool/reproduce/ladder)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/ladder.def)
    file(STRINGS ${folder}/ladder.def entries REGEX "^LADDER_[A-Z]+\\(${device}, ")
    set(made "")
    foreach(entry IN LISTS entries)
        set(definition "")
        if(entry MATCHES "^LADDER_RUNG\\([a-z]+, ([0-9]+), ([a-z0-9_]+)\\)$")
            set(name ${CMAKE_MATCH_2})
            set(file ${folder}/${device}_${CMAKE_MATCH_1}_${name}.${suffix_${device}})
        elseif(entry MATCHES "^LADDER_WITHOUT\\([a-z]+, ([a-z0-9_]+)\\)$") # of the last file
            set(name without_${CMAKE_MATCH_1})
            string(TOUPPER ${name} definition)
        else()
            message(FATAL_ERROR "${folder}/ladder.def: \"${entry}\" is no entry: see its head")
        endif()
        add_library(${prefix}_${name} OBJECT ${file})
        target_compile_definitions(${prefix}_${name} PRIVATE LADDER_RUNG=ladder_${device}_${name} ${definition})
        list(APPEND made ${prefix}_${name})
    endforeach()
    set(${targets} ${made} PARENT_SCOPE)
endfunction()
