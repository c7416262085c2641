# ./dev package: what is installed as a Debian package, and as one tar file with the libraries that it needs.

set(CPACK_PACKAGE_NAME carom)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_VENDOR "The Carom authors")
set(CPACK_PACKAGE_CONTACT "The Carom authors <carom@localhost>")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Carom resolves impacts in which many bodies touch at one instant, with\n several operators from the literature, and reports which physical laws held.\n Command, C++ library and headers, package for Python, the gallery, manual pages.")
# Of the command; a program that is built with the library needs their -dev packages as well.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The module for Python is that of one minor version; Debian has one.
if(TARGET carom_python)
  execute_process(COMMAND "${CAROM_PYTHON_EXECUTABLE}" -c "import sys; print('%d.%d;3.%d' % (*sys.version_info[:2], sys.version_info[1] + 1))"
                  OUTPUT_VARIABLE python_versions OUTPUT_STRIP_TRAILING_WHITESPACE)
  list(GET python_versions 0 python_from)
  list(GET python_versions 1 python_before)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3 (>= ${python_from}), python3 (<< ${python_before}), python3-numpy")
  # What Python compiles is made when the package is installed, and goes with it.
  set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/cmake/debian/postinst"
      "${PROJECT_SOURCE_DIR}/cmake/debian/prerm")
  set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-dejavu-core")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
    "libhdf5-dev, libcairo2-dev, libassimp-dev, libpugixml-dev, python3-matplotlib, python3-pandas")

include(CPack)
