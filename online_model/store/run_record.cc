#include "online_model/store/run_record.h"

#include <string>

#include "reduction/api/fnv.h"

namespace ranksight::online_model {

std::string JobOf(const reduction::Trace& trace,
                  std::span<const uint8_t> encoded) {
  if (!trace.meta.job.empty()) return trace.meta.job;
  // No CRC: of chunks that end in their own it depends on their lengths only.
  reduction::Fnv hash;
  for (const uint8_t byte : encoded) hash.Add(byte);
  return "unnamed-" + std::to_string(encoded.size()) + "-" +
         std::to_string(hash.value());
}

std::string ParamText(const std::map<std::string, std::string>& params) {
  std::string out;
  for (const auto& [name, value] : params) {
    if (!out.empty()) out += ' ';
    out += name + '=' + value;
  }
  return out;
}

std::string LaunchText(const reduction::Launch& launch) {
  std::string out = launch.by;
  if (!launch.job_id.empty()) out += ' ' + launch.job_id;
  if (!launch.step.empty()) out += '.' + launch.step;
  return out;
}

RunRecord RecordOf(const reduction::Trace& trace,
                   std::span<const uint8_t> encoded) {
  RunRecord run;
  run.job = JobOf(trace, encoded);
  run.program = trace.meta.program;
  run.build_id = trace.meta.build_id;
  run.params = ParamText(trace.meta.params);
  run.launch = LaunchText(trace.meta.launch);
  run.ranks = trace.meta.ranks;
  if (trace.meta.elapsed.count > 0) run.seconds = trace.meta.elapsed.max * 1e-9;
  run.complete = trace.meta.complete;
  run.bytes = encoded.size();
  return run;
}

}  // namespace ranksight::online_model
