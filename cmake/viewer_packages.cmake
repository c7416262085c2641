# cmake -DNPM=... -DVIEWER=... -DSTAMP=... -P viewer_packages.cmake
# Installs what viewer/package-lock.json lists, unless exactly that is already there. Two builds at
# once wait for each other.

# Beside node_modules, which npm empties.
file(LOCK "${VIEWER}/node_modules.lock" GUARD PROCESS TIMEOUT 600)
file(SHA256 "${VIEWER}/package-lock.json" wanted)
set(marker "${VIEWER}/node_modules/.carom-lock-hash")
set(found "")
if(EXISTS "${marker}")
  file(READ "${marker}" found)
endif()
if(NOT found STREQUAL wanted)
  execute_process(
    COMMAND "${NPM}" ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error
    WORKING_DIRECTORY "${VIEWER}"
    RESULT_VARIABLE status
    OUTPUT_VARIABLE text
    ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "npm could not install the viewer's packages:\n${text}\n"
                        "Without network: configure with -DCAROM_VIEWER=OFF.")
  endif()
  file(WRITE "${marker}" "${wanted}")
endif()
file(TOUCH "${STAMP}")
