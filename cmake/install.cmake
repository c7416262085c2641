# install() and find_package(carom): libraries, headers, package files and the command line.

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/carom")

install(
  TARGETS carom_impact carom
  EXPORT caromTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT caromTargets NAMESPACE carom:: DESTINATION "${package_dir}")

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/caromConfig.cmake.in" "${PROJECT_BINARY_DIR}/caromConfig.cmake"
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/caromConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/caromConfig.cmake"
              "${PROJECT_BINARY_DIR}/caromConfigVersion.cmake" DESTINATION "${package_dir}")

if(TARGET carom_cli)
  install(TARGETS carom_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/gallery" DESTINATION "${CMAKE_INSTALL_DATADIR}/carom"
          FILES_MATCHING PATTERN "*.toml" PATTERN "*.obj")
  install(DIRECTORY "${PROJECT_BINARY_DIR}/manuals/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1"
          FILES_MATCHING PATTERN "*.1")
  install(FILES "${PROJECT_BINARY_DIR}/manuals/carom.bash"
          DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME carom)
  # The page of the lab, where ./dev wasm has built it.
  install(FILES "${PROJECT_SOURCE_DIR}/build/wasm/lab/lab.html"
          DESTINATION "${CMAKE_INSTALL_DATADIR}/carom" OPTIONAL)
endif()
