# Installs Carom to an empty prefix, builds this project and the examples against it as a stranger
# would, and runs what comes out.
#   cmake -DCAROM_BUILD=<build directory> -DWORK=<scratch directory> -P run.cmake

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "failed (${result}): ${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# Configures, builds and runs every program of one project.
function(build_and_run source name)
  set(build "${WORK}/${name}")
  run("${CMAKE_COMMAND}" -S "${source}" -B "${build}" -G Ninja -DCMAKE_BUILD_TYPE=Release
      "-DCMAKE_PREFIX_PATH=${WORK}/prefix" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
      "-DCMAKE_RUNTIME_OUTPUT_DIRECTORY=${build}/bin")
  run("${CMAKE_COMMAND}" --build "${build}")
  file(GLOB programs "${build}/bin/*")
  if(NOT programs)
    message(FATAL_ERROR "${source} built no program")
  endif()
  foreach(program IN LISTS programs)
    run("${program}")
    message(STATUS "${program}:\n${output}")
  endforeach()
endfunction()

file(REMOVE_RECURSE "${WORK}")
run("${CMAKE_COMMAND}" --install "${CAROM_BUILD}" --prefix "${WORK}/prefix")

build_and_run("${CMAKE_CURRENT_LIST_DIR}" consumer)
file(GLOB examples "${CMAKE_CURRENT_LIST_DIR}/../../examples/*/CMakeLists.txt")
foreach(example IN LISTS examples)
  get_filename_component(directory "${example}" DIRECTORY)
  get_filename_component(name "${directory}" NAME)
  build_and_run("${directory}" example_${name})
endforeach()

# As a subdirectory it is only configured: building all of Carom again would prove little more.
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${WORK}/subdirectory" -G Ninja
    "-DCAROM_SOURCE=${CMAKE_CURRENT_LIST_DIR}/../..")

if(NOT EXISTS "${WORK}/prefix/share/carom/gallery/G1-desiderata.toml")
  message(FATAL_ERROR "the gallery was not installed")
endif()
run("${WORK}/prefix/bin/carom" gallery list)
