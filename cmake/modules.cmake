# Libraries, programs, benchmarks and fuzz targets. Files join by being in a module's directory;
# modules that do not exist yet are skipped.

# The modules of each library, in the order of the layer table (docs/architecture.md).
set(CAROM_IMPACT_MODULES core solvers impact)
set(CAROM_FULL_MODULES
    geometry collision bodies forces integrators contact stepping steps events asynchronous schemes live scene
    recording runs measures plots page study)
# The papers' experiments with their checks: for the command line and the tests, not installed.
set(CAROM_GALLERY_MODULES gallery)

# carom_module_files(<prefix> <module>...) sets <prefix>_SOURCES, <prefix>_PUBLIC_HEADERS and
# <prefix>_PRIVATE_HEADERS. Headers below a detail/ directory are private: neither installed nor
# free to be included from another module.
function(carom_module_files prefix)
  set(patterns_cpp "")
  set(patterns_h "")
  foreach(module IN LISTS ARGN)
    list(APPEND patterns_cpp "${PROJECT_SOURCE_DIR}/src/carom/${module}/*.cpp")
    list(APPEND patterns_h "${PROJECT_SOURCE_DIR}/src/carom/${module}/*.h")
  endforeach()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns_cpp})
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${patterns_h})
  set(private_headers ${headers})
  list(FILTER headers EXCLUDE REGEX "/detail/")
  list(FILTER private_headers INCLUDE REGEX "/detail/")
  set(${prefix}_SOURCES "${sources}" PARENT_SCOPE)
  set(${prefix}_PUBLIC_HEADERS "${headers}" PARENT_SCOPE)
  set(${prefix}_PRIVATE_HEADERS "${private_headers}" PARENT_SCOPE)
endfunction()

# A static library from modules, exported as carom::<export_name>.
function(carom_add_library target export_name)
  carom_module_files(files ${ARGN})
  if(NOT files_SOURCES)
    set(files_SOURCES "${PROJECT_SOURCE_DIR}/cmake/empty.cpp")
  endif()
  add_library(${target} STATIC ${files_SOURCES} ${files_PRIVATE_HEADERS})
  add_library(carom::${export_name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${export_name}
                                             POSITION_INDEPENDENT_CODE ON)
  target_sources(
    ${target}
    PUBLIC FILE_SET HEADERS
           BASE_DIRS "${PROJECT_SOURCE_DIR}/src" "${PROJECT_BINARY_DIR}/generated"
           FILES ${files_PUBLIC_HEADERS})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_definitions(
    ${target} PUBLIC $<$<BOOL:${CAROM_ENABLE_ASSERTS}>:CAROM_ENABLE_ASSERTS>)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:carom_options>
                                          $<BUILD_INTERFACE:Eigen3::Eigen>)
endfunction()

function(carom_add_libraries)
  set(version_header "${PROJECT_BINARY_DIR}/generated/carom/core/version.h")
  configure_file("${PROJECT_SOURCE_DIR}/src/carom/core/version.h.in" "${version_header}" @ONLY)

  carom_add_library(carom_impact impact ${CAROM_IMPACT_MODULES})
  target_sources(carom_impact PUBLIC FILE_SET HEADERS FILES "${version_header}")
  target_link_libraries(carom_impact PUBLIC Threads::Threads)

  # Roots of four numbers at once: nobody asks for errno.
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/carom/events/pair_search.cpp"
                              PROPERTIES COMPILE_OPTIONS "-fno-math-errno;-Wno-psabi")
  carom_add_library(carom carom ${CAROM_FULL_MODULES})
  target_link_libraries(
    carom
    PUBLIC carom_impact
    PRIVATE $<BUILD_INTERFACE:carom_tomlplusplus> $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>
            $<BUILD_INTERFACE:fmt::fmt-header-only> carom_hdf5 carom_cairo carom_assimp
            carom_pugixml)

  carom_add_library(carom_gallery gallery ${CAROM_GALLERY_MODULES})
  target_link_libraries(
    carom_gallery
    PUBLIC carom
    PRIVATE $<BUILD_INTERFACE:fmt::fmt-header-only>)
endfunction()

# carom_add_program(<target> <directory> SOURCES ... LIBRARIES ...): an executable of ours, with
# its output in the build directory's <directory>.
function(carom_add_program target directory)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "SOURCES;LIBRARIES")
  add_executable(${target} ${arg_SOURCES})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                                             "${PROJECT_BINARY_DIR}/${directory}")
  target_link_libraries(${target} PRIVATE carom carom_options ${arg_LIBRARIES})
endfunction()

function(carom_add_cli)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/apps/carom/*.cpp"
       "${PROJECT_SOURCE_DIR}/apps/carom/*.h")
  if(NOT sources)
    return()
  endif()
  # All but main() is a library: programs with a scheme or an operator of their own link it.
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  add_library(carom_commands STATIC ${sources})
  target_include_directories(carom_commands PUBLIC "${PROJECT_SOURCE_DIR}/apps/carom")
  target_link_libraries(
    carom_commands
    PUBLIC carom carom_gallery
    PRIVATE carom_options CLI11::CLI11 fmt::fmt-header-only nlohmann_json::nlohmann_json)
  carom_add_program(carom_cli apps/carom SOURCES "${PROJECT_SOURCE_DIR}/apps/carom/main.cpp"
                    LIBRARIES carom_commands)
  set_target_properties(carom_cli PROPERTIES OUTPUT_NAME carom)

  # Manual pages and completion, from the command line's own descriptions.
  set(manuals "${PROJECT_BINARY_DIR}/manuals")
  carom_add_program(carom_manuals apps/manuals SOURCES "${PROJECT_SOURCE_DIR}/apps/manuals/main.cpp"
                    LIBRARIES carom_commands)
  add_custom_command(
    OUTPUT "${manuals}/carom.1" "${manuals}/carom.bash"
    COMMAND carom_manuals "${manuals}"
    DEPENDS carom_manuals
    COMMENT "Writing the manual pages"
    VERBATIM)
  add_custom_target(carom_manual_pages ALL DEPENDS "${manuals}/carom.1")
endfunction()

# Each directory of examples/ is a project of its own; tests/consumer builds and runs it against an
# installed Carom. Here it is only known, for clang-tidy and for editors.
function(carom_add_examples)
  file(GLOB projects CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*/CMakeLists.txt")
  foreach(project IN LISTS projects)
    get_filename_component(directory "${project}" DIRECTORY)
    add_subdirectory("${directory}" EXCLUDE_FROM_ALL)
  endforeach()
endfunction()

# bench_impact, with the problem families and references of the tests; bench_drop, bench_gas and
# bench_parts; bench_events, with the gas of the tests; bench_acm; bench_hex; and bench_peers and bench_rigid
# where the packages of the other engines are installed.
function(carom_add_benchmarks)
  set(bench "${PROJECT_SOURCE_DIR}/bench")
  set(tests "${PROJECT_SOURCE_DIR}/tests")
  carom_add_program(
    bench_impact bench
    SOURCES "${bench}/impact.cpp" "${bench}/common/results.cpp" "${tests}/support/impact_problems.cpp"
            "${tests}/solvers/qp_families.cpp" "${tests}/solvers/ipopt_reference.cpp"
    LIBRARIES carom_ipopt fmt::fmt-header-only)
  target_include_directories(bench_impact PRIVATE "${tests}" "${bench}")
  target_compile_definitions(bench_impact PRIVATE CAROM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

  file(GLOB sources CONFIGURE_DEPENDS "${bench}/common/*.cpp" "${bench}/scaling/*.cpp")
  add_library(carom_bench STATIC ${sources})
  target_include_directories(carom_bench PUBLIC "${bench}")
  target_link_libraries(
    carom_bench
    PUBLIC carom
    PRIVATE carom_options CLI11::CLI11 fmt::fmt-header-only)
  foreach(name IN ITEMS drop gas)
    carom_add_program(bench_${name} bench SOURCES "${bench}/${name}.cpp" LIBRARIES carom_bench)
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS "${bench}/parts/*.cpp")
  carom_add_program(bench_parts bench SOURCES "${bench}/parts.cpp" ${sources}
                    LIBRARIES carom_bench CLI11::CLI11 fmt::fmt-header-only)
  target_compile_definitions(bench_parts PRIVATE CAROM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

  carom_add_program(bench_events bench SOURCES "${bench}/events.cpp"
                                               "${tests}/support/hard_gas.cpp"
                    LIBRARIES carom_bench CLI11::CLI11 fmt::fmt-header-only)
  target_include_directories(bench_events PRIVATE "${tests}")

  file(GLOB sources CONFIGURE_DEPENDS "${bench}/acm/*.cpp")
  carom_add_program(bench_acm bench SOURCES "${bench}/acm.cpp" ${sources}
                    LIBRARIES carom_bench CLI11::CLI11 fmt::fmt-header-only)
  target_compile_definitions(bench_acm PRIVATE CAROM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

  file(GLOB sources CONFIGURE_DEPENDS "${bench}/hex/*.cpp")
  carom_add_program(bench_hex bench SOURCES "${bench}/hex.cpp" ${sources}
                    LIBRARIES carom_bench CLI11::CLI11 fmt::fmt-header-only)
  target_compile_definitions(bench_hex PRIVATE CAROM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

  if(TARGET carom_peers)
    file(GLOB sources CONFIGURE_DEPENDS "${bench}/peers/*.cpp")
    carom_add_program(bench_peers bench SOURCES "${bench}/peers.cpp" ${sources}
                      LIBRARIES carom_bench carom_peers CLI11::CLI11 fmt::fmt-header-only)
    file(GLOB sources CONFIGURE_DEPENDS "${bench}/rigid/*.cpp")
    carom_add_program(bench_rigid bench SOURCES "${bench}/rigid.cpp" ${sources}
                      LIBRARIES carom_bench carom_peers CLI11::CLI11 fmt::fmt-header-only)
    # What ./dev bench peers --web asks for the engines of Debian's packages.
    file(GLOB sources CONFIGURE_DEPENDS "${bench}/canonical/*.cpp")
    carom_add_program(bench_canonical bench SOURCES "${bench}/canonical.cpp" ${sources}
                      LIBRARIES carom_bench carom_peers nlohmann_json::nlohmann_json)
  endif()
endfunction()

# One libFuzzer executable per fuzz/*.cpp. tests/CMakeLists.txt replays the stored files through the
# same sources with any compiler.
function(carom_add_fuzz_targets)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "CAROM_FUZZ needs clang (./dev fuzz chooses it)")
  endif()
  foreach(target IN ITEMS carom_impact carom)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link,address)
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/fuzz/*.cpp")
  foreach(source IN LISTS sources)
    get_filename_component(name "${source}" NAME_WE)
    carom_add_program(fuzz_${name} fuzz SOURCES "${source}")
    target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer,address)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer,address)
  endforeach()
endfunction()
