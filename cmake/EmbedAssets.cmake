# Writes OUT, a C++ source that defines online_model::Assets() from FILES.
#   cmake -DOUT=assets.cc "-DFILES=index.html;page.js" -P EmbedAssets.cmake
set(types_html "text/html; charset=utf-8")
set(types_js "text/javascript; charset=utf-8")
set(types_css "text/css; charset=utf-8")
set(text "#include \"online_model/web/assets.h\"\n\n")
string(APPEND text "namespace ranksight::online_model {\nnamespace {\n\n")
set(table "")
set(number 0)
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  get_filename_component(ending ${file} LAST_EXT)
  string(SUBSTRING ${ending} 1 -1 ending)
  file(READ ${file} hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR bytes "${digits} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," hex "${hex}")
  string(APPEND text
         "constexpr char kAsset${number}[] = {${hex} 0};\n")
  if(name STREQUAL "index.html")
    set(path "/")
  else()
    set(path "/${name}")
  endif()
  string(APPEND table "    {\"${path}\", \"${types_${ending}}\", "
         "{kAsset${number}, ${bytes}}},\n")
  math(EXPR number "${number} + 1")
endforeach()
string(APPEND text "\nconstexpr Asset kAssets[] = {\n${table}};\n\n"
       "}  // namespace\n\n"
       "std::span<const Asset> Assets() { return kAssets; }\n\n"
       "std::string_view AssetAt(std::string_view path) {\n"
       "  for (const Asset& asset : kAssets) {\n"
       "    if (asset.path == path) return asset.content;\n  }\n"
       "  return {};\n}\n\n"
       "}  // namespace ranksight::online_model\n")
file(WRITE ${OUT}.part "${text}")
file(RENAME ${OUT}.part ${OUT})
