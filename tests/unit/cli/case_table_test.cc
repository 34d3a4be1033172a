#include "cli/look/case_table.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace ranksight::cli {
namespace {

TEST(CaseTable, TimesStandAgainstTheFirstCaseOfTheirRankCount) {
  const CaseTable table = {{{{"compute-scale", "1"}},
                            {{64, 2, 1.5, 2.5, ""}, {128, 1, 1, 1, ""}},
                            ""},
                           {{{"compute-scale", "0.5"}},
                            {{64, 1, 1, 1, ""}, {128, 0.75, 1, 1, ""}},
                            ""}};
  EXPECT_EQ(CasesText(table),
            "ranks    time     low    high  of the first  compute-scale\n"
            "   64  2.00 s  1.50 s  2.50 s       100.0 %  1\n"
            "   64  1.00 s  1.00 s  1.00 s        50.0 %  0.5\n"
            "  128  1.00 s  1.00 s  1.00 s       100.0 %  1\n"
            "  128  750 ms  1.00 s  1.00 s        75.0 %  0.5\n");
}

TEST(CaseTable, ARefusedCaseHasNoTimeAndItsReasonOnce) {
  const CaseTable table = {
      {{{"network", "a"}}, {{64, 0, 0, 0, "too far"}}, ""},
      {{{"network", "b"}}, {{64, 1, 0, 0, ""}}, ""},
      {{{"network", "c"}}, {{64, 9, 0, 0, "too far"}}, ""}};
  EXPECT_EQ(CasesText(table),
            "ranks     time  of the first  network\n"
            "   64  refused                a\n"
            "   64   1.00 s                b\n"
            "   64  refused                c\n"
            "64 ranks refused: too far\n");
}

TEST(CaseTable, JsonHasTheOptionsOfEachCaseAndAllThatIsKnown) {
  const CaseTable table = {
      {{{"topology", "a"}, {"compute-scale", "1"}}, {}, "{\"seconds\": 2}\n"},
      {{{"topology", "b"}, {"compute-scale", "1"}}, {}, "{\"seconds\": 3}\n"}};
  EXPECT_EQ(nlohmann::json::parse(CasesJson(table, "simulation")),
            nlohmann::json::parse(R"({
              "varied": ["topology", "compute-scale"],
              "cases": [
                {"options": {"topology": "a", "compute-scale": "1"},
                 "simulation": {"seconds": 2}},
                {"options": {"topology": "b", "compute-scale": "1"},
                 "simulation": {"seconds": 3}}]})"));
}

}  // namespace
}  // namespace ranksight::cli
