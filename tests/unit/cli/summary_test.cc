#include "cli/look/summary.h"

#include <gtest/gtest.h>

#include "cli/base/json.h"
#include "tests/unit/cli/sample_trace.h"

namespace ranksight::cli {
namespace {

TEST(WriteSummary, ATimeThatIsNotKnownIsNoNumber) {
  reduction::Trace trace = MakeSample(1, [](int64_t, Script* s) {
                             s->Init();
                             s->Finalize();
                           }).trace;
  trace.meta.elapsed = {};
  JsonWriter json;
  json.BeginObject();
  WriteSummary(trace, 0, &json);
  EXPECT_NE(json.EndObject().text().find("\"elapsed_ns\":null"),
            std::string::npos);
}

}  // namespace
}  // namespace ranksight::cli
