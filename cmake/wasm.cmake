# What Carom is built from as a WebAssembly module (preset "wasm"): headers of the system, which are the
# same for every machine, and no library that would have to be compiled for this one.

# carom_wasm_headers(<target> <name in /usr/include>): the headers alone; the rest of /usr/include is
# another machine's.
function(carom_wasm_headers target name)
  find_path(CAROM_${target}_PLACE "${name}" PATHS /usr/include /usr/local/include
            NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  set(links "${PROJECT_BINARY_DIR}/include")
  file(MAKE_DIRECTORY "${links}")
  file(CREATE_LINK "${CAROM_${target}_PLACE}/${name}" "${links}/${name}" SYMBOLIC)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE "${links}" ${ARGN})
endfunction()

carom_wasm_headers(Eigen3::Eigen eigen3 "${PROJECT_BINARY_DIR}/include/eigen3")
carom_wasm_headers(fmt::fmt-header-only fmt)
target_compile_definitions(fmt::fmt-header-only INTERFACE FMT_HEADER_ONLY=1)
carom_wasm_headers(carom_tomlplusplus toml++)
# As in dependencies.cmake.
target_compile_definitions(carom_tomlplusplus INTERFACE TOML_HEADER_ONLY=1
                                                        "TOML_ASSERT=static_cast<void>")
target_compile_options(carom_tomlplusplus INTERFACE -UNDEBUG)
add_library(Threads::Threads INTERFACE IMPORTED GLOBAL)
file(COPY "${PROJECT_SOURCE_DIR}/cmake/wasm_headers/mmintrin.h" DESTINATION "${PROJECT_BINARY_DIR}/include")

# Exceptions and vectors of two doubles are the machine's own. Eigen takes its ways for x86-64, so that
# sums are added in the same order.
add_compile_options(-fwasm-exceptions -msimd128 -msse2)
add_compile_options(-include "${PROJECT_SOURCE_DIR}/cmake/wasm_missing.h")
add_link_options(-fwasm-exceptions)

# carom_add_wasm_library(): carom without recordings, plots, imports and mesh files.
function(carom_add_wasm_library)
  set(version_header "${PROJECT_BINARY_DIR}/generated/carom/core/version.h")
  configure_file("${PROJECT_SOURCE_DIR}/src/carom/core/version.h.in" "${version_header}" @ONLY)
  set(modules ${CAROM_IMPACT_MODULES} ${CAROM_FULL_MODULES})
  list(FIND modules recording first_of_files)
  list(SUBLIST modules 0 ${first_of_files} modules)
  carom_module_files(files ${modules})
  list(FILTER files_SOURCES EXCLUDE
       REGEX "/geometry/mesh_file\\.cpp$|/scene/import_scisim\\.cpp$|/scene/detail/xml(_values)?\\.cpp$")
  # Both sides are to be computed there, and clang takes that for a slip.
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/carom/steps/detail/step_path.cpp"
                              PROPERTIES COMPILE_OPTIONS -Wno-bitwise-instead-of-logical)
  add_library(carom STATIC ${files_SOURCES} "${PROJECT_SOURCE_DIR}/apps/lab/no_mesh_files.cpp")
  target_include_directories(carom PUBLIC "${PROJECT_SOURCE_DIR}/src" "${PROJECT_BINARY_DIR}/generated")
  target_compile_features(carom PUBLIC cxx_std_20)
  target_link_libraries(carom PRIVATE carom_options Eigen3::Eigen carom_tomlplusplus
                                      fmt::fmt-header-only)
endfunction()

# carom_add_wasm(): the module, lab/carom.js and lab/carom.wasm in the build directory.
function(carom_add_wasm)
  carom_add_wasm_library()
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/apps/lab/*.cpp"
       "${PROJECT_SOURCE_DIR}/apps/lab/*.h")
  list(REMOVE_ITEM sources "${PROJECT_SOURCE_DIR}/apps/lab/no_mesh_files.cpp")
  add_executable(carom_lab ${sources})
  set_target_properties(carom_lab PROPERTIES OUTPUT_NAME carom RUNTIME_OUTPUT_DIRECTORY
                                             "${PROJECT_BINARY_DIR}/lab")
  target_link_libraries(carom_lab PRIVATE carom carom_options)
  # A page hands the module its bytes; nothing is fetched, there are no files and no printing.
  target_link_options(
    carom_lab
    PRIVATE --bind -O2 -sMODULARIZE=1 -sEXPORT_NAME=caromModule -sALLOW_MEMORY_GROWTH=1
            -sTOTAL_STACK=1048576 -sENVIRONMENT=web,node -sDYNAMIC_EXECUTION=0)
endfunction()
