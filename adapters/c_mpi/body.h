// Body: the tree of a trace as the C statements of main.
// Thread-safety: one body, one thread.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "adapters/api/generate.h"
#include "adapters/c_mpi/call_table.h"
#include "adapters/c_mpi/values.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::adapters::c_mpi {

class Body {
 public:
  Body(const reduction::Trace& trace, const GenerateOptions& options);

  // kNo with the reason when a call has no form.
  reduction::Status Write();

  const std::string& text() const { return text_; }
  // Functions and tables of calls that text() takes, where it would be too long
  // for a compiler.
  std::string parts() const { return table_.FormsText() + parts_; }
  const Values& values() const { return values_; }
  // Initializers of struct compute: one for each call, in order, then those of
  // computation behind certain predecessors.
  std::vector<std::string> Computation() const;
  // Initializers of struct way (support/computation.c).
  std::vector<std::string> Ways() const;
  size_t calls() const { return calls_.size(); }
  // With laws, for each of Computation(): how it grows with the ranks.
  std::vector<const std::vector<double>*> Growth() const;
  // Bytes that the largest send and receive buffer need.
  double buffer_bytes() const { return buffer_bytes_; }
  int64_t farthest_request() const { return farthest_request_; }
  bool has_buffered_sends() const { return has_buffered_sends_; }
  // Codes of types that a call gets from a table.
  const std::set<int64_t>& kinds() const { return kinds_; }
  const std::set<std::string>& temporaries() const { return temporaries_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  reduction::Status WriteChildren(const reduction::Node& loop,
                                  const reduction::RankSet& reached);
  reduction::Status WriteLoop(const reduction::Node& loop,
                              const reduction::RankSet& reached);
  // Makes a function of the text from `begin` on, and calls it there.
  void MovePart(size_t begin);
  // Says it once.
  void Note(const std::string& note);
  reduction::Status WriteEvent(const reduction::Node& event,
                               const reduction::RankSet& reached);
  reduction::Status Check(const reduction::Node& event);
  void Measure(const reduction::Node& event);
  std::string Header(const reduction::Node& node,
                     const reduction::RankSet& reached);
  // The same where laws say how often; enters the loop.
  std::string LawHeader(const reduction::Node& node);
  // "room(...); " where a message's size follows a law.
  std::string Room(const reduction::Node& event);
  // What is computed before a call behind one predecessor.
  struct After {
    const reduction::Node* event;
    reduction::Predecessor predecessor;
  };
  std::vector<After> Afters() const;  // in order of the calls
  // Numbers of the calls of each site; -1 stands for none.
  std::multimap<reduction::Predecessor, int64_t> CallsBySite() const;
  double ScaleOf(size_t call) const;
  void Line(const std::string& text);
  std::string Comment(const reduction::Node& event) const;
  // A call and the comment before it.
  struct Statement {
    std::string comment, text;
  };
  void WritePending();
  void WriteTable(const std::vector<Statement>& statements);

  const reduction::Trace& trace_;
  const GenerateOptions& options_;
  Values values_;
  std::string text_, parts_;
  bool in_tables_ = false;
  std::vector<Statement> pending_;  // one behind the other
  CallTable table_;
  int tables_made_ = 0;
  size_t pieces_ = 0;  // calls and tables in text_ and parts_
  int parts_made_ = 0;
  int depth_ = 1;
  int loops_ = 0;
  std::vector<const reduction::Node*> calls_;
  std::map<const reduction::Node*, const LawTexts::Node*> laws_of_;
  double buffer_bytes_ = 0;
  int64_t farthest_request_ = 1;
  bool has_buffered_sends_ = false;
  std::set<int64_t> kinds_;
  std::set<std::string> temporaries_;
  std::vector<std::string> notes_;
};

}  // namespace ranksight::adapters::c_mpi
