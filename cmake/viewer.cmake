# The page that shows recordings: viewer/ bundled by npm packages into one HTML file, which the command
# line carries as text. Only building it needs npm, and only the first time the network.

find_program(CAROM_NPM npm)
find_program(CAROM_NODE NAMES node nodejs)
if(PROJECT_IS_TOP_LEVEL AND CAROM_NPM AND CAROM_NODE)
  set(viewer_default ON)
else()
  set(viewer_default OFF)
endif()
option(CAROM_VIEWER "Build the page that shows recordings (needs npm)" ${viewer_default})

# carom_add_viewer(): the library carom_viewer_template, linked to the commands.
function(carom_add_viewer)
  set(viewer "${PROJECT_SOURCE_DIR}/viewer")
  set(output "${PROJECT_BINARY_DIR}/viewer")
  if(CAROM_VIEWER)
    if(NOT CAROM_NPM OR NOT CAROM_NODE)
      message(FATAL_ERROR "CAROM_VIEWER needs node and npm: install them (./dev setup) or switch it off")
    endif()
    # Packages live beside the viewer's sources, shared by all build directories; the script does
    # nothing where they already are those of the lock file.
    add_custom_command(
      OUTPUT "${output}/packages.stamp"
      COMMAND "${CMAKE_COMMAND}" "-DNPM=${CAROM_NPM}" "-DVIEWER=${viewer}"
              "-DSTAMP=${output}/packages.stamp" -P
              "${PROJECT_SOURCE_DIR}/cmake/viewer_packages.cmake"
      DEPENDS "${viewer}/package.json" "${viewer}/package-lock.json"
              "${PROJECT_SOURCE_DIR}/cmake/viewer_packages.cmake"
      COMMENT "Installing the viewer's npm packages"
      VERBATIM)
    file(GLOB sources CONFIGURE_DEPENDS "${viewer}/src/*")
    add_custom_command(
      OUTPUT "${output}/viewer.html" "${output}/viewer_template.cpp"
      COMMAND "${CAROM_NODE}" "${viewer}/build.mjs" "${output}"
      DEPENDS ${sources} "${viewer}/build.mjs" "${output}/packages.stamp"
      COMMENT "Bundling the viewer"
      VERBATIM)
    set(text "${output}/viewer_template.cpp")
  else()
    set(text "${viewer}/absent.cpp")
  endif()
  add_library(carom_viewer_template STATIC "${text}")
  target_include_directories(carom_viewer_template PUBLIC "${PROJECT_SOURCE_DIR}/apps/carom")
  target_compile_features(carom_viewer_template PUBLIC cxx_std_20)
  if(TARGET carom_commands)
    target_link_libraries(carom_commands PRIVATE carom_viewer_template)
  endif()
endfunction()
