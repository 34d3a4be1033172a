#include "cli/base/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace ranksight::cli {
namespace {

using nlohmann::json;

TEST(JsonWriter, WritesWhatAnotherParserReads) {
  JsonWriter writer;
  writer.BeginObject().Member("text", "a\"b\\c\n\t\x01").Member("yes", true);
  writer.Key("list").BeginArray().Value(1).Value(uint64_t{1} << 63).Value(-0.1);
  writer.BeginObject().EndObject().BeginArray().EndArray().EndArray();
  writer.Key("raw").Raw("{\"x\":1}\n").EndObject();
  const json expected = {
      {"text", "a\"b\\c\n\t\x01"},
      {"yes", true},
      {"list", {1, uint64_t{1} << 63, -0.1, json::object(), json::array()}},
      {"raw", {{"x", 1}}}};
  EXPECT_EQ(json::parse(writer.text()), expected);
}

TEST(JsonWriter, DoublesComeBackExactly) {
  for (double value : {0.1, 1e300, -5e-324, 123456789.123456789, 0.0}) {
    JsonWriter writer;
    writer.BeginArray().Value(value).EndArray();
    EXPECT_EQ(json::parse(writer.text())[0].get<double>(), value);
  }
}

TEST(JsonWriter, WhatIsNoNumberIsNull) {
  JsonWriter writer;
  writer.BeginArray().Value(NAN).Value(INFINITY).EndArray();
  EXPECT_EQ(json::parse(writer.text()), json::parse("[null,null]"));
}

TEST(JsonWriter, TakenPiecesJoinToTheDocument) {
  JsonWriter writer;
  std::string text;
  writer.BeginArray();
  for (int i = 0; i < 5; ++i) {
    writer.Value(i);
    text += writer.Take();
  }
  text += writer.EndArray().Take();
  EXPECT_EQ(json::parse(text), json::parse("[0,1,2,3,4]"));
}

TEST(JsonString, HoldsNothingThatATerminalObeys) {
  const std::string text = "\x1b[2J \u009b2J \u00e9\x7f";
  EXPECT_EQ(JsonString(text), "\"\\u001b[2J \\u009b2J \u00e9\\u007f\"");
  EXPECT_EQ(json::parse(JsonString(text)), text);
}

TEST(JsonString, HoldsNothingThatTurnsTextAround) {
  const std::string text = "\u061c\u200e\u202e\u2066\u2028 \u2010";
  EXPECT_EQ(JsonString(text), "\"\\u061c\\u200e\\u202e\\u2066\\u2028 \u2010\"");
  EXPECT_EQ(json::parse(JsonString(text)), text);
}

TEST(JsonString, EveryPairOfBytesGivesValidJson) {
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const std::string text = {static_cast<char>(a), static_cast<char>(b)};
      ASSERT_TRUE(json::accept(JsonString(text))) << a << ' ' << b;
    }
  }
}

TEST(JsonString, KeepsValidSequencesAndReplacesOthers) {
  const std::string valid = "\u00e4 \u20ac \U0001F600";
  EXPECT_EQ(json::parse(JsonString(valid)).get<std::string>(), valid);
  // Overlong, a surrogate, and a sequence that is cut off.
  for (const char* text : {"\xC0\xAF", "\xED\xA0\x80", "\xE2\x82"}) {
    const auto out = json::parse(JsonString(text)).get<std::string>();
    EXPECT_EQ(out.substr(0, 3), "\xEF\xBF\xBD") << text;
  }
}

}  // namespace
}  // namespace ranksight::cli
