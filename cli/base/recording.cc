#include "cli/base/recording.h"

#include <fmt/core.h>

#include <cstdlib>

#include "cli/base/locate.h"
#include "cli/base/print.h"
#include "reduction/api/codec.h"
#include "reduction/api/losses.h"
#include "reduction/api/wire.h"

namespace ranksight::cli {

using reduction::Result;
using reduction::Status;
using Variables = std::map<std::string, std::string>;

namespace {

// Kokkos 3 reads the one, Kokkos 4 the other, which must not contradict it.
constexpr const char* kKokkosVariables[] = {"KOKKOS_PROFILE_LIBRARY",
                                            "KOKKOS_TOOLS_LIBS"};

Status AddKokkos(Variables* variables) {
  const auto library = FindLibrary(kKokkosLibrary);
  if (!library.ok()) return library.status();
  for (const char* name : kKokkosVariables) {
    const char* set = std::getenv(name);
    if (set != nullptr && *set != '\0' && set != *library) {
      return Status::Usage(std::string("--kokkos: ") + name + " names " + set +
                           ", and Kokkos takes one tool");
    }
    (*variables)[name] = *library;
  }
  return Status::Ok();
}

Status CheckSideCar(const RecordingOptions& options) {
  const std::string side_car = SideCarOf(options);
  if (side_car.empty()) return Status::Ok();
  const Status status = reduction::CheckEndpoint(side_car);
  if (status.ok() || !options.to.empty()) return status;
  return Status::Usage("RANKSIGHT_TO: " + status.message());
}

}  // namespace

std::string SideCarOf(const RecordingOptions& options) {
  const char* variable = std::getenv("RANKSIGHT_TO");
  if (!options.to.empty() || variable == nullptr) return options.to;
  return variable;
}

void NoteNotStored(const std::string& side_car, const std::string& trace) {
  if (side_car.empty()) return;
  const auto kept = reduction::ReadTraceHead(trace);
  const auto why =
      kept.ok() ? reduction::WhyNotStored(kept->meta) : std::nullopt;
  if (why) {
    Note("not stored at " + side_car + ": " + *why + "; trace kept in " +
         trace);
  }
}

Result<Variables> RuntimeVariables(const RecordingOptions& options) {
  Variables variables;
  // Absolute, because ranks may run in another folder.
  if (!options.output.empty()) {
    variables["RANKSIGHT_OUTPUT"] = AbsolutePath(options.output);
  }
  if (!options.to.empty()) variables["RANKSIGHT_TO"] = options.to;
  if (!options.server_key.empty()) {
    variables["RANKSIGHT_SERVER_KEY"] = options.server_key;
    variables["RANKSIGHT_KEY"] = AbsolutePath(options.key);
  }
  if (options.epoch_seconds > 0) {
    variables["RANKSIGHT_EPOCH"] = fmt::format("{}", options.epoch_seconds);
  }
  if (options.patience_seconds > 0) {
    variables["RANKSIGHT_PATIENCE"] =
        fmt::format("{}", options.patience_seconds);
  }
  if (!options.time_share.empty() && std::getenv("RANKSIGHT_TIME") == nullptr) {
    variables["RANKSIGHT_TIME"] = options.time_share;
  }
  if (options.own_time) variables["RANKSIGHT_CLOCK"] = "cpu";
  if (options.distributions) variables["RANKSIGHT_AMOUNTS"] = "distributions";
  std::string params;
  for (const std::string& param : options.params) {
    const size_t equals = param.find('=');
    if (equals == 0 || equals == param.npos ||
        param.find_first_of(", \t\n") != param.npos) {
      return Status::Usage("--param '" + param +
                           "' is not NAME=VALUE without blanks or commas");
    }
    if (!params.empty()) params += ',';
    params += param;
  }
  if (!params.empty()) variables["RANKSIGHT_PARAMS"] = params;
  return variables;
}

Result<Variables> RecordingEnvironment(const RecordingOptions& options) {
  auto variables = RuntimeVariables(options);
  if (!variables.ok()) return variables;
  if (Status s = CheckSideCar(options); !s.ok()) return s;
  const auto library = FindLibrary(kRuntimeLibrary);
  if (!library.ok()) return library.status();
  const auto preload = PreloadValue(*library, std::getenv("LD_PRELOAD"));
  if (!preload.ok()) return preload.status();
  (*variables)["LD_PRELOAD"] = *preload;
  // What relative names mean, wherever the ranks are started.
  (*variables)["RANKSIGHT_FOLDER"] = AbsolutePath(".");
  if (options.kokkos) {
    if (Status s = AddKokkos(&*variables); !s.ok()) return s;
  }
  return variables;
}

}  // namespace ranksight::cli
