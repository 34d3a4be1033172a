#include "reduction/api/exchanges.h"

#include <cctype>

namespace ranksight::reduction {
namespace {

// Blocking collectives: persistent ones and those of neighbours are none.
bool IsExchangeable(const CallInfo& info) {
  return info.family == Family::kCollective &&
         BlockingForm(info.call) == info.call;
}

std::string NameOf(Call call) {
  std::string name(Info(call).name.substr(4));
  name[0] = char(std::tolower(name[0]));
  return name;
}

Status ReadOne(std::string_view word, std::set<Call>* exchanges) {
  const size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  const std::string_view how =
      equals == word.npos ? "" : word.substr(equals + 1);
  const std::string start = "--exchange '" + std::string(word) + "': ";
  if (how != "p2p" && how != "collective") {
    return Status::Usage(start + "not CALL=p2p or CALL=collective");
  }
  bool known = false;
  for (const CallInfo& info : AllCalls()) {
    if (!IsExchangeable(info)) continue;
    if (name != "all" && name != NameOf(info.call)) continue;
    known = true;
    if (how == "p2p") {
      exchanges->insert(info.call);
    } else {
      exchanges->erase(info.call);
    }
  }
  if (!known) return Status::Usage(start + "no collective of this name");
  return Status::Ok();
}

}  // namespace

Status ReadExchanges(std::string_view text, std::set<Call>* exchanges) {
  while (true) {
    const size_t comma = text.find(',');
    if (Status s = ReadOne(text.substr(0, comma), exchanges); !s.ok()) return s;
    if (comma == text.npos) return Status::Ok();
    text.remove_prefix(comma + 1);
  }
}

std::string ExchangesText(const std::set<Call>& calls) {
  std::string text;
  for (const Call call : calls) {
    text += (text.empty() ? "" : ",") + NameOf(call) + "=p2p";
  }
  return text;
}

}  // namespace ranksight::reduction
