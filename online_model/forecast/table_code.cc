// An event table as CBOR (RFC 8949): columns, then each event with its key,
// names and sums.
#include <cmath>
#include <nlohmann/json.hpp>

#include "online_model/forecast/cbor.h"
#include "online_model/forecast/event_table.h"

namespace ranksight::online_model {
namespace {

using nlohmann::json;

// More cannot be counted in doubles.
constexpr uint64_t kMostCounted = uint64_t{1} << 53;

bool IsCount(const json& code) {
  if (!code.is_number_unsigned()) return false;
  const auto count = code.get<uint64_t>();
  return count >= 1 && count <= kMostCounted;
}

json CodeOf(const Series& series) {
  json cells = json::array();
  for (const Cell& c : series.cells()) {
    cells.push_back(c.sum);
    cells.push_back(c.sum_squares);
  }
  return cells;
}

bool Read(const json& code, size_t columns, Series* series) {
  if (!code.is_array() || code.size() > 2 * columns || code.size() % 2 != 0) {
    return false;
  }
  std::vector<Cell> cells;
  for (size_t i = 0; i < code.size(); i += 2) {
    if (!code[i].is_number() || !code[i + 1].is_number()) return false;
    cells.push_back({code[i].get<double>(), code[i + 1].get<double>()});
    if (!std::isfinite(cells.back().sum)) return false;
  }
  series->Restore(std::move(cells));
  return true;
}

json Bytes(const std::string& text) {
  return json::binary({text.begin(), text.end()});
}

bool Read(const json& code, std::string* text) {
  if (!code.is_binary()) return false;
  text->assign(code.get_binary().begin(), code.get_binary().end());
  return true;
}

}  // namespace

std::vector<uint8_t> EventTable::Encode() const {
  std::vector<const std::string*> keys(events_.size());
  for (const auto& [key, event] : index_) keys[event] = &key;
  json columns = json::array(), events = json::array();
  for (const Column& c : columns_) {
    columns.push_back(c.ranks);
    columns.push_back(c.runs);
  }
  for (size_t i = 0; i < events_.size(); ++i) {
    json event = {Bytes(*keys[i]), Bytes(events_[i].call),
                  Bytes(events_[i].site)};
    for (const Series& s : events_[i].series) event.push_back(CodeOf(s));
    events.push_back(std::move(event));
  }
  return json::to_cbor(json{columns, events, CodeOf(elapsed_), CodeOf(parts_)});
}

bool EventTable::Decode(std::span<const uint8_t> bytes) {
  *this = EventTable();
  const json all = FromCbor(bytes);
  const auto read = [&] {
    if (!all.is_array() || all.size() != 4 || !all[0].is_array() ||
        !all[1].is_array() || all[0].size() % 2 != 0) {
      return false;
    }
    for (size_t i = 0; i < all[0].size(); i += 2) {
      if (!IsCount(all[0][i]) || !IsCount(all[0][i + 1])) return false;
      columns_.push_back(
          {all[0][i].get<int64_t>(), all[0][i + 1].get<uint64_t>()});
    }
    for (const json& code : all[1]) {
      if (!code.is_array() || code.size() != 3 + kQuantities) return false;
      EventSeries& event = events_.emplace_back();
      std::string key;
      if (!Read(code[0], &key) || !Read(code[1], &event.call) ||
          !Read(code[2], &event.site)) {
        return false;
      }
      for (size_t q = 0; q < kQuantities; ++q) {
        if (!Read(code[3 + q], columns_.size(), &event.series[q])) return false;
      }
      if (!index_.try_emplace(key, events_.size() - 1).second) return false;
    }
    return Read(all[2], columns_.size(), &elapsed_) &&
           Read(all[3], columns_.size(), &parts_);
  };
  if (!read()) {
    *this = EventTable();
    return false;
  }
  SortColumns();
  return true;
}

}  // namespace ranksight::online_model
