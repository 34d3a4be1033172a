#include <nlohmann/json.hpp>

#include "online_model/api/page.h"
#include "online_model/web/assets.h"

namespace ranksight::online_model {
namespace {

using nlohmann::json;

std::string Replaced(std::string text, const std::string& what,
                     const std::string& by) {
  for (size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

// Inside a script element nothing may look like its end.
std::string InScript(const std::string& text) {
  return Replaced(text, "</", "<\\/");
}

// Nor like a comment or another script, which names in it may: there `<` stands
// in strings only.
std::string JsonInScript(const std::string& json) {
  return Replaced(json, "<", "\\u003c");
}

json Parsed(const std::string& text) {
  return text.empty() ? json() : json::parse(text, nullptr, false);
}

}  // namespace

std::string ReportHtml(const ReportContent& content) {
  json data = {{"title", content.title},
               {"forecast", Parsed(content.forecast)},
               {"matrix", Parsed(content.matrix)},
               {"timeline", Parsed(content.timeline)},
               {"load", Parsed(content.load)},
               {"laws", Parsed(content.laws)},
               {"warning", content.warning},
               {"facts", json::array()}};
  for (const ReportFact& fact : content.facts) {
    data["facts"].push_back({fact.name, fact.text});
  }
  const std::string text =
      data.dump(-1, ' ', true, json::error_handler_t::replace);
  std::string html(AssetAt("/"));
  html = Replaced(html, "<link rel=\"stylesheet\" href=\"page.css\">",
                  "<style>" + std::string(AssetAt("/page.css")) + "</style>");
  // It is of one program.
  html = Replaced(html, "<script src=\"overview.js\"></script>\n", "");
  const std::string begin = "<script src=\"", end = "\"></script>";
  html.insert(html.find(begin), "<script>window.ranksightReport = " +
                                    JsonInScript(text) + ";</script>\n");
  for (size_t at; (at = html.find(begin)) != std::string::npos;) {
    const size_t name = at + begin.size();
    const size_t behind = html.find(end, name);
    const std::string path = "/" + html.substr(name, behind - name);
    html.replace(
        at, behind + end.size() - at,
        "<script>" + InScript(std::string(AssetAt(path))) + "</script>");
  }
  return html;
}

}  // namespace ranksight::online_model
