# SPDX-License-Identifier: MIT
# What is installed: the library static and shared, weft.h, weft_fractal.h, weft.pc, weftConfig.cmake (weft::weft), weft(1).
# The tool's own rule is in tool/. All paths are relative, so that an installed tree may be moved.
include(CMakePackageConfigHelpers)

set(WEFT_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/weft)

set_target_properties(weft_shared PROPERTIES EXPORT_NAME weft)
set_target_properties(weft_static PROPERTIES EXPORT_NAME static)
install(TARGETS weft_shared EXPORT weftTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS weft_static EXPORT weftStaticTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/weft.h include/weft_fractal.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES docs/weft.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(EXPORT weftTargets NAMESPACE weft:: DESTINATION ${WEFT_CMAKE_DIR})
install(EXPORT weftStaticTargets NAMESPACE weft:: DESTINATION ${WEFT_CMAKE_DIR})

configure_package_config_file(cmake/weftConfig.cmake.in ${PROJECT_BINARY_DIR}/weftConfig.cmake
                              INSTALL_DESTINATION ${WEFT_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/weftConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/weftConfig.cmake ${PROJECT_BINARY_DIR}/weftConfigVersion.cmake
        DESTINATION ${WEFT_CMAKE_DIR})

# The prefix is found from where weft.pc lies.
file(RELATIVE_PATH WEFT_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(WEFT_PC_PRIVATE "-fopenmp -lm")
if(WEFT_CUDA)
    string(APPEND WEFT_PC_PRIVATE " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt -lpthread")
endif()
configure_file(cmake/weft.pc.in ${PROJECT_BINARY_DIR}/weft.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/weft.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
