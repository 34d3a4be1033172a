// The C door: every function wraps one of the C++ ones; exceptions (there is
// no memory) become NULL or an error.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "reduction/api/canonical.h"
#include "reduction/api/codec.h"
#include "reduction/api/cursor.h"
#include "reduction/api/ranksight_trace.h"
#include "reduction/c_api/handles.h"

namespace r = ranksight::reduction;
using ranksight::reduction::Explain;
using ranksight::reduction::In;
using ranksight::reduction::OrNull;

namespace {

const ranksight_node* Out(const r::Node* node) {
  return reinterpret_cast<const ranksight_node*>(node);
}

const ranksight_term* Out(const r::Term* term) {
  return reinterpret_cast<const ranksight_term*>(term);
}

const r::Term& In(const ranksight_term* term) {
  return *reinterpret_cast<const r::Term*>(term);
}

// Where among the call's parameters; -1 when it has none of that name.
int IndexOf(r::Call call, const char* name) {
  const auto params = Info(call).params;
  for (size_t i = 0; i < params.size(); ++i) {
    if (ParamName(params[i]) == name) return int(i);
  }
  return -1;
}

ranksight_section* SectionOf(const r::Parameter& parameter, int64_t rank) {
  return OrNull([&] { return new ranksight_section{parameter.At(rank)}; });
}

}  // namespace

extern "C" {

ranksight_trace* ranksight_trace_open(const char* path, char* error,
                                      size_t error_size) {
  try {
    auto trace = r::ReadTraceFile(path);
    if (trace.ok()) return new ranksight_trace{std::move(*trace)};
    Explain(trace.status().message(), error, error_size);
  } catch (...) {
    Explain("no memory", error, error_size);
  }
  return nullptr;
}

void ranksight_trace_close(ranksight_trace* trace) { delete trace; }

const char* ranksight_trace_program(const ranksight_trace* trace) {
  return trace->trace.meta.program.c_str();
}

int64_t ranksight_trace_ranks(const ranksight_trace* trace) {
  return trace->trace.meta.ranks;
}

int ranksight_trace_is_complete(const ranksight_trace* trace) {
  return trace->trace.meta.complete ? 1 : 0;
}

int64_t ranksight_trace_complete_until_ns(const ranksight_trace* trace) {
  return trace->trace.meta.complete_until_ns;
}

uint64_t ranksight_trace_events(const ranksight_trace* trace, int64_t rank) {
  return rank < 0 ? CountEvents(trace->trace) : CountEvents(trace->trace, rank);
}

const ranksight_node* ranksight_root(const ranksight_trace* trace) {
  return Out(&trace->trace.root);
}

int ranksight_is_event(const ranksight_node* node) {
  return In(node).is_event() ? 1 : 0;
}

size_t ranksight_child_count(const ranksight_node* node) {
  return In(node).children.size();
}

const ranksight_node* ranksight_child(const ranksight_node* node, size_t i) {
  const auto& children = In(node).children;
  return i < children.size() ? Out(&children[i]) : nullptr;
}

const char* ranksight_call_name(const ranksight_node* event) {
  return In(event).is_event() ? Info(In(event).call).name.data() : nullptr;
}

char* ranksight_call_site(const ranksight_trace* trace,
                          const ranksight_node* event) {
  return OrNull([&]() -> char* {
    if (!In(event).is_event()) return nullptr;
    return strdup(ToString(trace->trace.sites, In(event).site).c_str());
  });
}

uint64_t ranksight_timed_count(const ranksight_node* event) {
  const r::EventTimes& times = In(event).times;
  return times.call.Occurrences();
}

double ranksight_call_ns(const ranksight_node* event) {
  return In(event).times.TotalCall();
}

double ranksight_compute_ns(const ranksight_node* event) {
  return In(event).times.TotalCompute();
}

ranksight_section* ranksight_trips(const ranksight_node* node, int64_t rank) {
  return SectionOf(In(node).trips, rank);
}

ranksight_section* ranksight_parameter(const ranksight_node* event,
                                       const char* name, int64_t rank) {
  const r::Node& node = In(event);
  const int i = node.is_event() ? IndexOf(node.call, name) : -1;
  return i < 0 ? nullptr : SectionOf(node.params[size_t(i)], rank);
}

void ranksight_section_free(ranksight_section* section) { delete section; }

uint64_t ranksight_section_size(const ranksight_section* section) {
  return section->section.size();
}

int64_t ranksight_section_at(const ranksight_section* section, uint64_t i) {
  return i < section->section.size() ? section->section.At(i) : 0;
}

int64_t ranksight_section_sum(const ranksight_section* section) {
  return section->section.Sum();
}

const ranksight_term* ranksight_section_term(const ranksight_section* section,
                                             size_t i) {
  const auto& terms = section->section.terms();
  return i < terms.size() ? Out(&terms[i]) : nullptr;
}

const ranksight_term* ranksight_term_body(const ranksight_term* term,
                                          size_t i) {
  const auto& body = In(term).body;
  return i < body.size() ? Out(&body[i]) : nullptr;
}

int64_t ranksight_term_value(const ranksight_term* term) {
  return In(term).value;
}

int64_t ranksight_term_stride(const ranksight_term* term) {
  return In(term).stride;
}

uint64_t ranksight_term_count(const ranksight_term* term) {
  return In(term).count;
}

ranksight_cursor* ranksight_cursor_open(const ranksight_trace* trace,
                                        int64_t rank, char* error,
                                        size_t error_size) {
  try {
    auto cursor = r::Cursor::Open(trace->trace, rank, r::Missing::kAccepted);
    if (cursor.ok()) return new ranksight_cursor{std::move(*cursor), ""};
    Explain(cursor.status().message(), error, error_size);
  } catch (...) {
    Explain("no memory", error, error_size);
  }
  return nullptr;
}

void ranksight_cursor_close(ranksight_cursor* cursor) { delete cursor; }

int ranksight_cursor_next(ranksight_cursor* cursor) {
  try {
    if (cursor->cursor.Next()) return 1;
    return cursor->cursor.status().ok() ? 0 : -1;
  } catch (...) {
    return -1;
  }
}

const char* ranksight_cursor_error(const ranksight_cursor* cursor) {
  const r::Status& status = cursor->cursor.status();
  return status.ok() ? "no memory" : status.message().c_str();
}

const ranksight_node* ranksight_cursor_node(const ranksight_cursor* cursor) {
  return Out(&cursor->cursor.node());
}

uint64_t ranksight_cursor_occurrence(const ranksight_cursor* cursor) {
  return cursor->cursor.occurrence();
}

const char* ranksight_cursor_text(ranksight_cursor* cursor) {
  return OrNull([&] {
    cursor->text.clear();
    AppendCanonicalText(cursor->cursor.event(), &cursor->text);
    return cursor->text.c_str();
  });
}

int64_t ranksight_cursor_value(const ranksight_cursor* cursor, const char* name,
                               int64_t fallback) {
  size_t size = 0;
  const int64_t* values = ranksight_cursor_array(cursor, name, &size);
  return size == 0 ? fallback : values[0];
}

const int64_t* ranksight_cursor_array(const ranksight_cursor* cursor,
                                      const char* name, size_t* size) {
  const r::Event& event = cursor->cursor.event();
  const int i = IndexOf(event.call(), name);
  if (i < 0) {
    *size = 0;
    return nullptr;
  }
  const auto values = event.ValuesAt(i);
  *size = values.size();
  return values.data();
}

}  // extern "C"
