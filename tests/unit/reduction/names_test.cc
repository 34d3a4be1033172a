#include "reduction/api/names.h"

#include <gtest/gtest.h>

#include "reduction/api/codec.h"
#include "tests/unit/reduction/sample_trace.h"

namespace ranksight::reduction {
namespace {

Names SomeNames() {
  Names names;
  names.modules["b1"] = {
      {0x10, {{"__solver_MOD_step", "/a/src/solver.f90", 128}}},
      {0x2f, {{"Inlined", "a.c", 3}, {"main", "a.c", 40}}}};
  names.modules["c2"] = {{7, {{"main", "", 0}}}};
  return names;
}

std::vector<uint8_t> SampleBytes() {
  return Encode(MakeSample(2,
                           [](int64_t rank, Script* script) {
                             script->Send(1, 1 - rank, 4);
                             script->Recv(2, 1 - rank, 4);
                           })
                    .trace,
                SketchForm::kQuantiles);
}

TEST(Names, AreKeptWithATraceWhichStaysAsItWas) {
  const std::vector<uint8_t> plain = SampleBytes();
  EXPECT_TRUE(NamesOf(plain)->empty());
  const auto named = ReplaceNames(plain, SomeNames());
  ASSERT_TRUE(named.ok()) << named.status().message();
  EXPECT_EQ(*NamesOf(*named), SomeNames());
  EXPECT_EQ(*Decode(*named), *Decode(plain));
  EXPECT_EQ(*ReplaceNames(*named, {}), plain);
  EXPECT_EQ(*ReplaceNames(*named, SomeNames()), *named);
}

TEST(Names, AreFoundByBuildAndOffsetAlone) {
  const Names names = SomeNames();
  ASSERT_NE(names.Find({"b1", "anything"}, 0x10), nullptr);
  EXPECT_EQ(names.Find({"b1", ""}, 0x11), nullptr);
  EXPECT_EQ(names.Find({"b2", ""}, 0x10), nullptr);
  EXPECT_EQ(names.Find({"", "app"}, 0x10), nullptr);
}

TEST(Names, DamagedBytesAreRefusedOrAreNames) {
  const std::vector<uint8_t> good = EncodeNames(SomeNames());
  for (size_t i = 0; i < good.size(); ++i) {
    EXPECT_FALSE(DecodeNames(std::span(good).first(i)).ok()) << i;
    for (int bit = 0; bit < 8; ++bit) {
      std::vector<uint8_t> bad = good;
      bad[i] ^= uint8_t(1 << bit);
      const auto read = DecodeNames(bad);
      if (read.ok()) {
        EXPECT_TRUE(DecodeNames(EncodeNames(*read)).ok());
      }
    }
  }
}

// 2,000 bytes that name one text of 1,000 as often as they can.
TEST(Names, MakeNoMoreOfBytesThanTheseJustify) {
  Names names;
  const std::string text(1000, 'x');
  for (uint64_t offset = 1; offset <= 300; ++offset) {
    names.modules["b"][offset] = {{text, text, 1}};
  }
  EXPECT_FALSE(DecodeNames(EncodeNames(names)).ok());
}

TEST(Names, OfTracesThatAreNoneAreRefused) {
  const std::vector<uint8_t> text = {'n', 'o'};
  EXPECT_FALSE(NamesOf(text).ok());
  EXPECT_FALSE(ReplaceNames(text, SomeNames()).ok());
}

TEST(SourcePlace, IsReadAsPeopleWriteIt) {
  EXPECT_EQ(PlaceText({"__solver_MOD_step", "/x/solver.f90", 128}),
            "solver::step solver.f90:128");
  EXPECT_EQ(ShortPlaceText({"__solver_MOD_step", "/x/solver.f90", 128}),
            "solver.f90:128");
  EXPECT_EQ(ShortPlaceText({"__solver_MOD_step", "", 0}), "solver::step");
  EXPECT_EQ(PlaceText({"bad\x1b[2J", "", 0}), "bad?[2J");
}

// Linkers' names as g++ 12 gives them.
TEST(ReadableFunction, LeavesOutWhatParametersAre) {
  EXPECT_EQ(ReadableFunction("main"), "main");
  EXPECT_EQ(ReadableFunction("s"), "s");
  // void app::Exchange<double>(app::Field<double>&, int)
  EXPECT_EQ(ReadableFunction("_ZN3app8ExchangeIdEEvRNS_5FieldIT_EEi"),
            "app::Exchange<double>");
  // app::Field<std::map<std::string, std::vector<double>>>::Sum() const
  EXPECT_EQ(
      ReadableFunction(
          "_ZNK3app5FieldISt3mapINSt7__cxx1112basic_stringIcSt11char_traitsIcES"
          "aIcEEESt6vectorIdSaIdEESt4lessIS7_ESaISt4pairIKS7_SA_EEEE3SumEv"),
      "app::Field<...>::Sum");
  // (anonymous namespace)::Step(int)
  EXPECT_EQ(ReadableFunction("_ZN12_GLOBAL__N_14StepEi"),
            "(anonymous namespace)::Step");
  // app::operator<(app::Key const&, app::Key const&)
  EXPECT_EQ(ReadableFunction("_ZN3appltERKNS_3KeyES2_"), "app::operator<");
  // main::{lambda(int)#1}::operator()(int) const
  EXPECT_EQ(ReadableFunction("_ZZ4mainENKUliE_clEi"),
            "main::{lambda(int)#1}::operator()");
}

TEST(SitePath, GoesFromTheOutermostFrameThroughRegionsAndWhatIsInlined) {
  Sites sites;
  sites.modules = {{"b1", "app"}, {"region", "solve"}};
  sites.sites = {{{{0, 0x30}, {1, 0}, {0, 0x20}}}};
  Names names;
  names.modules["b1"][0x20] = {{"inner", "a.c", 3}, {"outer", "a.c", 9}};
  const std::vector<std::string> path = {"app+0x30", "[solve]", "outer a.c:9",
                                         "inner a.c:3"};
  EXPECT_EQ(SitePath(sites, names, 0), path);
}

TEST(SiteText, TakesModuleAndOffsetWhereNothingIsKnown) {
  Sites sites;
  sites.modules = {{"b1", "app"}, {"d", "lib.so"}};
  sites.sites = {{{{0, 0x2f}, {1, 0x88}, {0, 0x10}}}};
  EXPECT_EQ(SiteText(sites, SomeNames(), 0),
            "solver::step solver.f90:128 < lib.so+0x88 < Inlined a.c:3");
  EXPECT_EQ(SitePlace(sites, SomeNames(), 0), "solver.f90:128");
  EXPECT_EQ(SitePlace(sites, {}, 0), "");
}

}  // namespace
}  // namespace ranksight::reduction
