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

# The package for Python where Debian's python3 looks for packages, without the libraries that a wheel brings. A
# component of its own: the tar file of ./dev package has no room for it, since it brings libraries only for the command.
if(TARGET carom_python)
  set(CAROM_INSTALL_PYTHONDIR "lib/python3/dist-packages" CACHE STRING "Where the package for Python is installed")
  set(python_dir "${CAROM_INSTALL_PYTHONDIR}/carom")
  install(TARGETS carom_python LIBRARY DESTINATION "${python_dir}" COMPONENT python)
  file(GLOB python_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/python/carom/*.py"
       "${PROJECT_SOURCE_DIR}/python/carom/*.pyi" "${PROJECT_SOURCE_DIR}/python/carom/py.typed")
  install(FILES ${python_files} DESTINATION "${python_dir}" COMPONENT python)
  # What pip and importlib.metadata ask for.
  configure_file("${PROJECT_SOURCE_DIR}/python/METADATA.in" "${PROJECT_BINARY_DIR}/python/METADATA" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/python/METADATA"
          DESTINATION "${CAROM_INSTALL_PYTHONDIR}/carom-${PROJECT_VERSION}.dist-info" COMPONENT python)
  # The gallery is there once, for the command and for Python.
  file(RELATIVE_PATH python_gallery "${CMAKE_INSTALL_PREFIX}/${python_dir}"
       "${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/carom/gallery")
  install(CODE "file(CREATE_LINK \"${python_gallery}\"
                     \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${python_dir}/gallery\" SYMBOLIC)" COMPONENT python)
endif()
