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
    "Carom resolves impacts in which many bodies touch at one instant, with\n several operators from the literature, and reports which physical laws held.\n Command, C++ library and headers, examples, manual pages.")
# Of the command; a program that is built with the library needs their -dev packages as well.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-dejavu-core")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libhdf5-dev, libcairo2-dev, libassimp-dev, libpugixml-dev")

include(CPack)
