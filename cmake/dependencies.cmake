# Every library Carom can use. docs/dependencies.md gives the reason for each.

find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_path(CAROM_TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED)

# toml++ is used as headers only, so that a static Carom asks its consumer for nothing.
add_library(carom_tomlplusplus INTERFACE)
target_include_directories(carom_tomlplusplus SYSTEM INTERFACE "${CAROM_TOMLPLUSPLUS_INCLUDE}")
target_compile_definitions(carom_tomlplusplus INTERFACE TOML_HEADER_ONLY=1)
# Its parser asserts what malformed input such as "[[[" can break (tomlplusplus issue 294). Without the
# assertions it goes on to a proper parse error; clang must not assume them either.
target_compile_definitions(carom_tomlplusplus INTERFACE "TOML_ASSERT=static_cast<void>")
target_compile_options(carom_tomlplusplus INTERFACE $<$<CXX_COMPILER_ID:Clang>:-UNDEBUG>)

# Not find_package(HDF5): that needs the C language, in every project that uses Carom as well
# (caromConfig.cmake.in finds the library in the same way).
find_path(CAROM_HDF5_INCLUDE hdf5.h PATH_SUFFIXES hdf5/serial REQUIRED)
find_library(CAROM_HDF5_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial REQUIRED)
add_library(carom_hdf5 UNKNOWN IMPORTED GLOBAL)
set_target_properties(carom_hdf5 PROPERTIES IMPORTED_LOCATION "${CAROM_HDF5_LIBRARY}"
                                            INTERFACE_INCLUDE_DIRECTORIES "${CAROM_HDF5_INCLUDE}")

find_path(CAROM_CAIRO_INCLUDE cairo/cairo.h REQUIRED)
find_library(CAROM_CAIRO_LIBRARY cairo REQUIRED)
add_library(carom_cairo UNKNOWN IMPORTED GLOBAL)
set_target_properties(carom_cairo PROPERTIES IMPORTED_LOCATION "${CAROM_CAIRO_LIBRARY}"
                                             INTERFACE_INCLUDE_DIRECTORIES "${CAROM_CAIRO_INCLUDE}")

find_path(CAROM_ASSIMP_INCLUDE assimp/Importer.hpp REQUIRED)
find_library(CAROM_ASSIMP_LIBRARY assimp REQUIRED)
add_library(carom_assimp UNKNOWN IMPORTED GLOBAL)
set_target_properties(carom_assimp PROPERTIES IMPORTED_LOCATION "${CAROM_ASSIMP_LIBRARY}"
                                              INTERFACE_INCLUDE_DIRECTORIES "${CAROM_ASSIMP_INCLUDE}")

find_path(CAROM_PUGIXML_INCLUDE pugixml.hpp REQUIRED)
find_library(CAROM_PUGIXML_LIBRARY pugixml REQUIRED)
add_library(carom_pugixml UNKNOWN IMPORTED GLOBAL)
set_target_properties(carom_pugixml PROPERTIES IMPORTED_LOCATION "${CAROM_PUGIXML_LIBRARY}"
                                               INTERFACE_INCLUDE_DIRECTORIES "${CAROM_PUGIXML_INCLUDE}")

if(CAROM_CLI OR CAROM_BENCH)
  find_package(CLI11 REQUIRED)
endif()
if(CAROM_TESTS)
  find_package(GTest REQUIRED)
endif()

# Ipopt is a reference in tests and benchmarks, never part of the library.
add_library(carom_ipopt INTERFACE)
if(CAROM_TESTS OR CAROM_BENCH)
  find_package(PkgConfig)
  if(PkgConfig_FOUND)
    pkg_check_modules(IPOPT IMPORTED_TARGET ipopt)
  endif()
  if(IPOPT_FOUND)
    target_link_libraries(carom_ipopt INTERFACE PkgConfig::IPOPT)
    target_compile_definitions(carom_ipopt INTERFACE CAROM_HAVE_IPOPT)
  endif()
endif()

# Other engines to be measured beside Carom: all three or none.
if(CAROM_BENCH AND PkgConfig_FOUND)
  pkg_check_modules(BOX2D IMPORTED_TARGET box2d)
  pkg_check_modules(BULLET IMPORTED_TARGET bullet)
  pkg_check_modules(ODE IMPORTED_TARGET ode)
  if(BOX2D_FOUND AND BULLET_FOUND AND ODE_FOUND)
    add_library(carom_peers INTERFACE)
    target_link_libraries(carom_peers INTERFACE PkgConfig::BOX2D PkgConfig::BULLET PkgConfig::ODE)
  endif()
endif()
