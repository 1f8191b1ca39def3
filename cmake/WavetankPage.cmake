# The page of `wavetank report --html`: web/report, bundled into one HTML file by npm's packages.
#
# Sets WAVETANK_PAGE_SHELL to that file, or to nothing: without nodejs 18 and npm, or where the
# packages of the lockfile cannot be installed, the page is left out, and `report --html` says how to
# get it. WAVETANK_PAGE_FOLDER is where the sources lie beside their packages.
option(WAVETANK_PAGE "Build the page of `wavetank report --html`, if nodejs and npm are there" ON)

# wavetank_page_install(RESULT): `npm ci` in the build folder, unless it was done for this lockfile.
function(wavetank_page_install RESULT)
  set(${RESULT} FALSE PARENT_SCOPE)
  find_program(WAVETANK_NODE NAMES node nodejs)
  find_program(WAVETANK_NPM npm)
  if(NOT WAVETANK_NODE OR NOT WAVETANK_NPM)
    message(STATUS "no nodejs or npm: wavetank report --html is left out")
    return()
  endif()
  execute_process(COMMAND "${WAVETANK_NODE}" -p "parseInt(process.versions.node)"
    OUTPUT_VARIABLE node_version OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(node_version VERSION_LESS 18)
    message(STATUS "nodejs ${node_version} is older than 18: wavetank report --html is left out")
    return()
  endif()
  file(SHA256 "${WAVETANK_PAGE_SOURCES}/package-lock.json" lock)
  set(stamp "${WAVETANK_PAGE_FOLDER}/installed-${lock}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    "${WAVETANK_PAGE_SOURCES}/package-lock.json")
  if(NOT EXISTS "${stamp}")
    file(COPY "${WAVETANK_PAGE_SOURCES}/package.json" "${WAVETANK_PAGE_SOURCES}/package-lock.json"
      DESTINATION "${WAVETANK_PAGE_FOLDER}")
    message(STATUS "installing the page's packages (npm ci)")
    # Without a network npm would try for minutes.
    execute_process(COMMAND "${WAVETANK_NPM}" ci --omit=dev --ignore-scripts --no-audit --no-fund
        --prefer-offline
        --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=2000
        --fetch-timeout=20000
      WORKING_DIRECTORY "${WAVETANK_PAGE_FOLDER}" TIMEOUT 120
      RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(failed)
      message(STATUS "npm could not install the page's packages: wavetank report --html is left "
        "out (configure again to try again)\n${said}")
      return()
    endif()
    file(TOUCH "${stamp}")
  endif()
  set(${RESULT} TRUE PARENT_SCOPE)
endfunction()

set(WAVETANK_PAGE_SHELL "")
set(WAVETANK_PAGE_SOURCES "${PROJECT_SOURCE_DIR}/web/report")
set(WAVETANK_PAGE_FOLDER "${CMAKE_BINARY_DIR}/web/report")
if(WAVETANK_PAGE)
  wavetank_page_install(WAVETANK_PAGE_INSTALLED)
  if(WAVETANK_PAGE_INSTALLED)
    set(WAVETANK_PAGE_SHELL "${WAVETANK_PAGE_FOLDER}/report_shell.html")
    file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS "${WAVETANK_PAGE_SOURCES}/src/*"
      "${WAVETANK_PAGE_SOURCES}/*.mjs" "${WAVETANK_PAGE_SOURCES}/*.json")
    add_custom_command(OUTPUT "${WAVETANK_PAGE_SHELL}"
      COMMAND "${WAVETANK_NODE}" "${WAVETANK_PAGE_SOURCES}/bundle.mjs"
        "${WAVETANK_PAGE_FOLDER}" "${WAVETANK_PAGE_SHELL}"
      DEPENDS ${page_sources} COMMENT "Bundling the page of wavetank report" VERBATIM)
  endif()
endif()
