#include "adapters/c_mpi/body.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "adapters/base/program_name.h"
#include "adapters/base/quoted_text.h"
#include "adapters/c_mpi/call_forms.h"
#include "adapters/c_mpi/calls.h"
#include "adapters/c_mpi/times.h"
#include "adapters/c_mpi/wrapped_text.h"

namespace ranksight::adapters::c_mpi {
namespace {

// Calls from which on statements become a function of their own. Compilers take
// more than twice as long for a function of twice as many.
constexpr size_t kCallsOfPart = 64;
// Calls of a program from which on all stand in tables: fewer compile in two
// seconds, and are better read as calls.
constexpr uint64_t kCallsAsCode = 1000;

using reduction::Call;
using reduction::Node;
using reduction::Param;
using reduction::Parameter;
using reduction::RankSet;
using reduction::Status;

// No program posts more; keeps the bounds of a damaged file in range.
constexpr double kMostRequests = 1 << 22;
constexpr double kMostBytes = 1e12;

const Parameter* Find(const Node& event, Param p) {
  const auto params = reduction::Info(event.call).params;
  const auto it = std::find(params.begin(), params.end(), p);
  return it == params.end() ? nullptr : &event.params[it - params.begin()];
}

// Calls whose buffer holds the given count once for each rank. How many
// neighbours there are the program asks.
bool HoldsAllRanks(std::string_view name) {
  if (name.find("eighbor") != std::string_view::npos) return false;
  for (const std::string_view part : {"ather", "catter", "lltoall"}) {
    if (name.find(part) != std::string_view::npos) return true;
  }
  return false;
}

void AddKinds(const Parameter* p, std::set<int64_t>* kinds) {
  if (p == nullptr) return;
  for (const auto& piece : p->pieces()) {
    for (size_t i = 0; i < piece.columns.size(); i += 3) {
      reduction::SectionCursor values(&piece.columns[i].values);
      uint64_t count;
      while (!values.done()) kinds->insert(values.NextRun(&count));
    }
  }
}

}  // namespace

Body::Body(const reduction::Trace& trace, const GenerateOptions& options)
    : trace_(trace), options_(options), values_(trace.meta.ranks) {
  if (!options.laws) {
    uint64_t calls = 0;
    reduction::ForEachEvent(trace.root, [&](const Node&) { ++calls; });
    in_tables_ = calls > kCallsAsCode;
    return;
  }
  std::map<const Parameter*, const LawText*> laws;
  auto law = options.laws->nodes.begin();
  const auto add = [&](const auto& self, const Node& node) -> void {
    for (const Node& child : node.children) {
      laws[&child.trips] = &law->trips;
      laws_of_[&child] = &*law;
      for (size_t i = 0; i < child.params.size(); ++i) {
        laws[&child.params[i]] = &law->params[i];
      }
      ++law;
      self(self, child);
    }
  };
  add(add, trace.root);
  values_.UseLaws(std::move(laws));
}

void Body::Line(const std::string& text) {
  text_ += Wrapped(text, 2 * size_t(depth_));
}

// The number and the call path, innermost first, in one line.
std::string Body::Comment(const Node& event) const {
  return fmt::format("/* {}: {} */\n", calls_.size(),
                     CCommentText(SiteComment(trace_, options_, event.site)));
}

// "" when the node runs once for each rank that gets there.
std::string Body::Header(const Node& node, const RankSet& reached) {
  const RankSet own = node.trips.Ranks();
  const bool all = own.SameValues(reached);
  int64_t times = 0;
  const bool number = IsNumber(node.trips, &times);
  if (number && times == 1) {
    if (all) return "";
    const std::string condition = values_.Condition(own);
    if (!condition.empty()) return "if (" + condition + ")";
  }
  const std::string expression = values_.Times(node.trips, all);
  if (Bound(node.trips, trace_.meta.ranks) <= 1) {
    return "if (" + expression + ")";
  }
  const std::string i = fmt::format("i{}", loops_++);
  if (expression.find("(&") != std::string::npos) {
    return fmt::format("for (number {0} = {1}; {0} > 0; --{0})", i, expression);
  }
  return fmt::format("for (number {0} = 0; {0} < {1}; ++{0})", i, expression);
}

std::string Body::LawHeader(const Node& node) {
  int64_t times = 0;
  if (values_.Number(node.trips, &times) && times == 1) {
    values_.EnterLoop("0", "1");
    return "";
  }
  const std::string i = fmt::format("i{}", loops_),
                    n = fmt::format("n{}", loops_);
  const std::string expression = values_.Scalar(node.trips, "times");
  ++loops_;
  values_.EnterLoop(i, n);
  return fmt::format("for (number {0} = 0, {1} = {2}; {0} < {1}; ++{0})", i, n,
                     expression);
}

std::string Body::Room(const Node& event) {
  const std::string_view name = reduction::Info(event.call).name;
  std::string text;
  const auto add = [&](Param count, Param size, Param excess) {
    const Parameter* p = Find(event, count);
    if (p == nullptr || Find(event, size) == nullptr) return;
    int64_t number = 0;
    const Parameter* wider = Find(event, excess);
    const bool fixed = values_.Number(*p, &number) &&
                       values_.Number(*Find(event, size), &number) &&
                       (wider == nullptr || values_.Number(*wider, &number)) &&
                       !HoldsAllRanks(name);
    if (fixed) return;
    text += fmt::format(
        "room({}{} * ({}{})); ", HoldsAllRanks(name) ? "ranks * " : "",
        values_.Most(*p, "count"), values_.Most(*Find(event, size), "size"),
        wider == nullptr ? "" : " + " + values_.Most(*wider, "excess"));
  };
  add(Param::kCount, Param::kTypeSize, Param::kTypeExcess);
  add(Param::kRecvCount, Param::kRecvTypeSize, Param::kRecvTypeExcess);
  return text;
}

Status Body::Check(const Node& event) {
  const std::string name(reduction::Info(event.call).name);
  const Parameter* requests = Find(event, Param::kRequests);
  if (requests != nullptr) {
    const double farthest = Bound(*requests, 0);
    if (farthest > kMostRequests) {
      return Status::No(name + " refers to a request " +
                        fmt::format("{:.0f}", farthest) + " requests back");
    }
    farthest_request_ = std::max(farthest_request_, int64_t(farthest));
  }
  for (const Param p :
       {Param::kCount, Param::kRecvCount, Param::kCounts, Param::kRecvCounts}) {
    const Parameter* counts = Find(event, p);
    if (counts != nullptr && Bound(*counts, 0) > 0x7fffffff) {
      return Status::No(name + " has a count above 2^31 - 1");
    }
  }
  return Status::Ok();
}

void Body::Measure(const Node& event) {
  const std::string_view name = reduction::Info(event.call).name;
  has_buffered_sends_ |= name.find("bsend") != std::string_view::npos ||
                         name.find("Bsend") != std::string_view::npos;
  const double copies = HoldsAllRanks(name) ? double(trace_.meta.ranks) : 1;
  const auto bound = [&](Param p) {
    const Parameter* found = Find(event, p);
    return found == nullptr ? 0 : Bound(*found, 0);
  };
  const double sent =
      bound(Param::kCount) *
      (bound(Param::kTypeSize) + std::max(0.0, bound(Param::kTypeExcess)));
  const double received =
      bound(Param::kRecvCount) * (bound(Param::kRecvTypeSize) +
                                  std::max(0.0, bound(Param::kRecvTypeExcess)));
  // One pair of buffers serves all calls, so the largest counts.
  buffer_bytes_ = std::max(buffer_bytes_, copies * std::max(sent, received));
  int64_t kind;
  for (const Param p : {Param::kTypeKind, Param::kRecvTypeKind}) {
    const Parameter* found = Find(event, p);
    if (found != nullptr && !IsNumber(*found, &kind)) AddKinds(found, &kinds_);
  }
  AddKinds(Find(event, Param::kTypeKinds), &kinds_);
  AddKinds(Find(event, Param::kRecvTypeKinds), &kinds_);
}

void Body::Note(const std::string& note) {
  if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) {
    notes_.push_back(note);
  }
}

Status Body::WriteEvent(const Node& event, const RankSet& reached) {
  const std::string name(reduction::Info(event.call).name);
  if (event.call == Call::MPI_Init_) return Status::Ok();
  if (event.call == Call::MPI_Abort_) {
    Note("MPI_Abort is left out");
    return Status::Ok();
  }
  if (event.call == Call::MPI_Win_create_dynamic_) {
    Note(name +
         ": nothing is moved in what it makes, where places are "
         "addresses of the recorded run");
  }
  const std::string_view form = FormOf(event.call);
  if (form.empty() &&
      reduction::Info(event.call).family == reduction::Family::kLocal) {
    // What it changes stands in later parameters.
    Note(name + " is left out: it concerns one rank alone");
    return Status::Ok();
  }
  if (form.empty()) {
    return Status::No(name + " has no form in the C benchmark, at " +
                      SiteComment(trace_, options_, event.site));
  }
  if (Status s = Check(event); !s.ok()) return s;
  Measure(event);
  const bool by_law = values_.by_law();
  const std::string header = by_law ? LawHeader(event) : Header(event, reached);
  std::string comment = Comment(event);
  const std::string room = by_law ? Room(event) : "";
  CallWriter writer(&values_, event);
  std::string call = writer.Text(form);
  for (auto it = writer.prefix().rbegin(); it != writer.prefix().rend(); ++it) {
    call = *it + "; " + call;
    temporaries_.insert(it->substr(0, it->find(' ')));
  }
  call = room + call;
  if (by_law) (void)values_.LeaveLoop();
  if (!values_.problem().empty()) {
    return Status::No(name + ": " + values_.problem() + " has no form in C");
  }
  pending_.push_back(
      {std::move(comment),
       fmt::format("{}{}CALL({}, {});", header, header.empty() ? "" : " ",
                   calls_.size(), call)});
  calls_.push_back(&event);
  if (!in_tables_) WritePending();
  return Status::Ok();
}

void Body::WritePending() {
  const std::vector<Statement> statements = std::move(pending_);
  pending_.clear();
  if (in_tables_ && !statements.empty()) return WriteTable(statements);
  for (const Statement& s : statements) {
    text_ += std::string(2 * size_t(depth_), ' ') + s.comment;
    Line(s.text);
  }
  pieces_ += statements.size();
}

void Body::WriteTable(const std::vector<Statement>& statements) {
  const std::string name = fmt::format("calls_{}", tables_made_++);
  const auto place = [&](std::string_view variable) {
    return values_.PlaceOf(variable);
  };
  parts_ += fmt::format("static const number {}[] = {{\n", name);
  for (const Statement& s : statements) {
    parts_ += "    " + s.comment + Wrapped(table_.AddRow(s.text, place), 4);
  }
  parts_ += "};\n\n";
  Line(fmt::format("make_calls(forms, {0}, sizeof {0} / sizeof *{0});", name));
  ++pieces_;
}

double Body::ScaleOf(size_t call) const {
  return options_.ScaleAt(calls_[call]->site);
}

std::vector<Body::After> Body::Afters() const {
  std::vector<After> afters;
  for (const Node* event : calls_) {
    std::set<reduction::Predecessor> told_apart;
    for (const auto* parts :
         {&event->times.first_after, &event->times.rest_after}) {
      for (const auto& part : parts->apart()) told_apart.insert(part.after);
    }
    for (const auto p : told_apart) afters.push_back({event, p});
  }
  return afters;
}

std::vector<std::string> Body::Computation() const {
  std::vector<std::string> all;
  size_t way = 0, next = 0;
  const auto afters = Afters();
  const auto sites = CallsBySite();
  for (size_t k = 0; k < calls_.size(); ++k) {
    const reduction::EventTimes& t = calls_[k]->times;
    const size_t begin = way;
    for (; next < afters.size() && afters[next].event == calls_[k]; ++next) {
      way += sites.count(afters[next].predecessor);
    }
    all.push_back(
        fmt::format("{{{}, 0, {}, {}}}",
                    TimesText(t.compute.Mean(true), t.compute, k, ScaleOf(k)),
                    begin, way - begin));
  }
  for (const After& a : afters) {
    const reduction::EventTimes& t = a.event->times;
    all.push_back(
        fmt::format("{{{}, 0, 0, 0}}",
                    TimesText(t.MeanCompute(true, a.predecessor),
                              t.RestAfter(a.predecessor), all.size(), 1)));
  }
  return all;
}

std::vector<std::string> Body::Ways() const {
  std::vector<std::string> ways;
  const auto sites = CallsBySite();
  size_t entry = calls_.size();
  for (const After& a : Afters()) {
    const auto [begin, end] = sites.equal_range(a.predecessor);
    for (auto it = begin; it != end; ++it) {
      ways.push_back(fmt::format("{{{}, {}}}", it->second, entry));
    }
    ++entry;
  }
  return ways;
}

std::multimap<reduction::Predecessor, int64_t> Body::CallsBySite() const {
  std::multimap<reduction::Predecessor, int64_t> calls{
      {reduction::kNoPredecessor, -1}};
  for (size_t k = 0; k < calls_.size(); ++k) {
    calls.emplace(calls_[k]->site, int64_t(k));
  }
  return calls;
}

std::vector<const std::vector<double>*> Body::Growth() const {
  std::vector<const std::vector<double>*> growth;
  for (const Node* event : calls_) {
    growth.push_back(&laws_of_.at(event)->growth);
  }
  for (const After& a : Afters()) {
    const LawTexts::Node& law = *laws_of_.at(a.event);
    const auto& parts = a.event->times.rest_after.apart();
    const std::vector<double>* of = &law.growth;
    for (size_t p = 0; p < law.growth_after.size() && p < parts.size(); ++p) {
      if (parts[p].after == a.predecessor) of = &law.growth_after[p];
    }
    growth.push_back(of);
  }
  return growth;
}

Status Body::WriteLoop(const Node& loop, const RankSet& reached) {
  const bool by_law = values_.by_law();
  const std::string header = by_law ? LawHeader(loop) : Header(loop, reached);
  if (!header.empty()) {
    Line(header + " {");
    ++depth_;
  }
  // What must be set back before the loop is known when its inside is written.
  const size_t begin = text_.size();
  const Status status = WriteChildren(loop, loop.trips.Ranks());
  if (by_law) {
    std::string resets;
    for (const std::string& reset : values_.LeaveLoop()) {
      resets += Wrapped(reset, 2 * size_t(depth_));
    }
    text_.insert(begin, resets);
  }
  if (!header.empty()) {
    --depth_;
    Line("}");
  }
  return status;
}

// With a name that others could call: a compiler puts a function that it knows
// to be called once back where it came from.
void Body::MovePart(size_t begin) {
  const std::string name = fmt::format("part_{}", parts_made_++);
  const size_t dedent = 2 * size_t(depth_ - 1);
  parts_ += fmt::format("void {0}(void);\nvoid {0}(void) {{\n", name);
  for (size_t at = begin; at < text_.size();) {
    const size_t end = text_.find('\n', at) + 1;
    parts_.append(text_, at + dedent, end - at - dedent);
    at = end;
  }
  parts_ += "}\n\n";
  text_.resize(begin);
  Line(name + "();");
}

Status Body::WriteChildren(const Node& loop, const RankSet& reached) {
  size_t begin = text_.size(), pieces = pieces_;
  for (const Node& child : loop.children) {
    if (child.trips.empty() && !values_.by_law()) continue;
    if (!child.is_event()) WritePending();
    const Status status = child.is_event() ? WriteEvent(child, reached)
                                           : WriteLoop(child, reached);
    if (!status.ok()) return status;
    // Laws count within the loops around them, which only main has.
    if (values_.by_law() || pieces_ - pieces < kCallsOfPart) continue;
    // What still waits for its table comes behind what is moved.
    MovePart(begin);
    begin = text_.size();
    pieces = pieces_;
  }
  WritePending();
  return Status::Ok();
}

Status Body::Write() {
  const RankSet all = RankSet::Run(0, 1, uint64_t(trace_.meta.ranks));
  if (Status s = WriteChildren(trace_.root, all); !s.ok()) return s;
  if (buffer_bytes_ > kMostBytes) {
    return Status::No(
        fmt::format("a message needs a buffer of {:.3g} bytes", buffer_bytes_));
  }
  return Status::Ok();
}

}  // namespace ranksight::adapters::c_mpi
