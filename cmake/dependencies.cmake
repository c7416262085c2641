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

if(CAROM_CLI)
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
