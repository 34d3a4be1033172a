# Observable Plot from the npm registry, bundled to one script that is built
# into the program: sets RANKSIGHT_PLOT_JS, a file. package-lock.json says which
# versions, with their checksums; no script of a package is run. Beside it
# axe-core, which the browser's tests check the page with. Where there is no
# npm, or no registry, the page has tables in place of charts, and configuring
# says so.
option(RANKSIGHT_CHARTS "Charts on the page (needs npm)" ON)
set(RANKSIGHT_PLOT_JS ${PROJECT_BINARY_DIR}/charts/plot.js)

function(ranksight_bundle_plot source folder)
  find_program(RANKSIGHT_NPM npm)
  find_program(RANKSIGHT_NODE NAMES node nodejs)
  if(NOT RANKSIGHT_NPM OR NOT RANKSIGHT_NODE)
    message(STATUS "No npm: the page has no charts (scripts/install-packages all)")
    return()
  endif()
  foreach(name package.json package-lock.json plot.mjs)
    configure_file(${source}/${name} ${folder}/${name} COPYONLY)
  endforeach()
  execute_process(
    COMMAND ${RANKSIGHT_NPM} ci --ignore-scripts --no-audit --no-fund
            --prefer-offline
    WORKING_DIRECTORY ${folder}
    RESULT_VARIABLE failed
    OUTPUT_VARIABLE said
    ERROR_VARIABLE said
    TIMEOUT 300)
  if(NOT failed)
    execute_process(
      COMMAND
        ${RANKSIGHT_NODE} node_modules/esbuild/bin/esbuild plot.mjs --bundle
        --minify --format=iife --global-name=Plot --legal-comments=inline
        --outfile=plot.js
      WORKING_DIRECTORY ${folder}
      RESULT_VARIABLE failed
      OUTPUT_VARIABLE said
      ERROR_VARIABLE said)
  endif()
  # Of the browser's tests alone, which pass over it where it is not there.
  file(REMOVE ${folder}/axe.min.js)
  if(NOT failed)
    file(RENAME ${folder}/node_modules/axe-core/axe.min.js
         ${folder}/axe.min.js)
  endif()
  file(REMOVE_RECURSE ${folder}/node_modules)
  if(failed)
    file(REMOVE ${folder}/plot.js)
    message(STATUS "The page has no charts: ${said}")
  endif()
endfunction()

set(source ${PROJECT_SOURCE_DIR}/online_model/web/charts)
file(SHA256 ${source}/package-lock.json versions)
file(SHA256 ${source}/plot.mjs marks)
set(made "${RANKSIGHT_CHARTS} ${versions} ${marks}")
if(NOT EXISTS ${RANKSIGHT_PLOT_JS} OR NOT "${made}" STREQUAL
                                      "${RANKSIGHT_CHARTS_MADE}")
  file(REMOVE ${RANKSIGHT_PLOT_JS})
  if(RANKSIGHT_CHARTS)
    ranksight_bundle_plot(${source} ${PROJECT_BINARY_DIR}/charts)
  endif()
  if(EXISTS ${RANKSIGHT_PLOT_JS})
    set(RANKSIGHT_CHARTS_MADE "${made}" CACHE INTERNAL "What plot.js is made of")
  else()
    # Asked for again when configuring next.
    unset(RANKSIGHT_CHARTS_MADE CACHE)
    file(WRITE ${RANKSIGHT_PLOT_JS} "// Built without charts.\n")
  endif()
endif()
