// ranksight matrix: who sends how much to whom, as CSV, JSON or a picture.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/base/files.h"
#include "cli/base/json.h"
#include "cli/base/print.h"
#include "cli/base/progress.h"
#include "cli/commands/register.h"
#include "cli/look/extrapolation_report.h"
#include "cli/look/matrix_picture.h"
#include "reduction/api/message_kind.h"
#include "reduction/api/traffic.h"

namespace ranksight::cli {
namespace {

using reduction::Status;
using reduction::Traffic;

// Points a side of the picture.
constexpr int64_t kMostBlocks = 512;
// What is said while that takes.
constexpr const char* kAddingUp = "adding up who sends to whom";

struct MatrixOptions {
  std::string file, output;
  bool bytes = false, messages = false, json = false;
};

// Whether messages of a twin have no law throughout.
bool HasDrawnMessages(const reduction::Trace& trace) {
  bool drawn = false;
  ForEachEvent(trace.root, [&](const reduction::Node& node) {
    drawn |=
        reduction::MessageKindOf(node.call) != reduction::MessageKind::kNone &&
        EstimateOf(trace, node.call, node.site) != nullptr;
  });
  return drawn;
}

// Called with (from, to, traffic), by from, then by to. progress: is told.
template <class F>
Status ForEachPair(const reduction::Trace& trace, const std::string& file,
                   Progress* progress, F&& f) {
  const int64_t ranks = trace.meta.ranks;
  for (int64_t from = 0; from < ranks; ++from) {
    progress->Tell(double(from + 1) / double(ranks));
    const auto traffic = TrafficFrom(trace, from);
    if (!traffic.ok()) {
      return {traffic.status().code(),
              file + ": " + traffic.status().message()};
    }
    for (const auto& [to, amount] : *traffic) f(from, to, amount);
  }
  return Status::Ok();
}

reduction::Result<std::string> Csv(const reduction::Trace& trace,
                                   const MatrixOptions& options,
                                   Progress* progress) {
  const bool messages = options.messages || !options.bytes;
  const bool bytes = options.bytes || !options.messages;
  std::string text = "from,to";
  if (messages) text += ",messages";
  if (bytes) text += ",bytes";
  text += '\n';
  const Status walked =
      ForEachPair(trace, options.file, progress,
                  [&](int64_t from, int64_t to, const Traffic& traffic) {
                    text += std::to_string(from) + ',' + std::to_string(to);
                    if (messages)
                      text += ',' + std::to_string(traffic.messages);
                    if (bytes) text += ',' + std::to_string(traffic.bytes);
                    text += '\n';
                  });
  if (!walked.ok()) return walked;
  return text;
}

reduction::Result<std::string> Json(const reduction::Trace& trace,
                                    const MatrixOptions& options,
                                    Progress* progress) {
  JsonWriter json;
  json.BeginObject().Member("ranks", trace.meta.ranks);
  json.Member("estimated", HasDrawnMessages(trace));
  json.Key("pairs").BeginArray();
  const Status walked =
      ForEachPair(trace, options.file, progress,
                  [&](int64_t from, int64_t to, const Traffic& traffic) {
                    json.BeginObject()
                        .Member("from", from)
                        .Member("to", to)
                        .Member("messages", traffic.messages)
                        .Member("bytes", traffic.bytes)
                        .EndObject();
                  });
  if (!walked.ok()) return walked;
  return json.EndArray().EndObject().text();
}

Status WritePicture(const reduction::Trace& trace,
                    const MatrixOptions& options) {
  const auto blocks =
      WithProgress(kAddingUp, [&] { return BlocksOf(trace, kMostBlocks); });
  if (!blocks.ok()) {
    return {blocks.status().code(),
            options.file + ": " + blocks.status().message()};
  }
  const Amount amount = options.messages ? Amount::kMessages : Amount::kBytes;
  std::string title = trace.meta.program + ", " +
                      std::to_string(trace.meta.ranks) + " ranks, " +
                      (options.messages ? "messages" : "bytes") +
                      " point to point";
  if (blocks->block > 1) {
    title += ", " + std::to_string(blocks->block) + " ranks a point";
  }
  return PictureOf(*blocks, amount, title).Write(options.output);
}

int Wrote(const Status& status, const std::string& file) {
  if (!status.ok()) return Fail(status);
  Print("wrote " + file + "\n");
  return 0;
}

int Matrix(const MatrixOptions& options) {
  const auto trace = WithProgress("reading " + options.file,
                                  [&] { return ReadExactTrace(options.file); });
  if (!trace.ok()) return Fail(trace.status());
  if (HasDrawnMessages(*trace)) {
    Note("a twin: how much is sent is estimated, who sends it to whom drawn");
  }
  if (!options.json &&
      (options.output.ends_with(".png") || options.output.ends_with(".svg"))) {
    const Status drawn = WritePicture(*trace, options);
    return Wrote(drawn, options.output);
  }
  const auto text = WithProgress(kAddingUp, [&](Progress* progress) {
    return options.json ? Json(*trace, options, progress)
                        : Csv(*trace, options, progress);
  });
  if (!text.ok()) return Fail(text.status());
  if (options.output.empty()) {
    Print(*text);
    return 0;
  }
  const Status written = WriteTextFile(*text, options.output);
  return Wrote(written, options.output);
}

}  // namespace

void RegisterMatrix(Commands& commands) {
  auto options = std::make_shared<MatrixOptions>();
  CLI::App* app = commands.Add("matrix", "Who sends how much to whom, as CSV",
                               [options] { return Matrix(*options); });
  app->add_option("FILE", options->file, "The trace")->required();
  auto* bytes =
      app->add_flag("--bytes", options->bytes, "Only the column of bytes");
  app->add_flag("--messages", options->messages,
                "Only the column of message counts")
      ->excludes(bytes);
  app->add_option("-o,--output", options->output,
                  "File to write (default: stdout); a name that ends in .png\n"
                  "or .svg gets a picture")
      ->type_name("FILE.csv|.png|.svg");
  app->add_flag("--json", options->json, "One JSON document instead of CSV");
  app->footer(
      "One line per pair of ranks that exchanges point-to-point messages:\n"
      "from,to,messages,bytes. Persistent sends count each time they start.\n"
      "Collectives and one-sided calls are left out: how they send is up to\n"
      "the MPI library.\n\n"
      "Example: ranksight matrix stencil2d.16.trace -o stencil2d.csv\n"
      "         ranksight matrix stencil2d.1024.trace --bytes -o who.png");
}

}  // namespace ranksight::cli
