// Program: the items of a trace as coNCePTuaL statements.
// Thread-safety: one program, one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "adapters/api/generate.h"
#include "adapters/conceptual/domain.h"
#include "adapters/conceptual/expressions.h"
#include "adapters/conceptual/resolved.h"
#include "adapters/conceptual/statement.h"
#include "reduction/api/communicators.h"

namespace ranksight::adapters::conceptual {

class Program {
 public:
  Program(const reduction::Trace& trace, const reduction::Communicators& comms,
          const GenerateOptions& options)
      : trace_(trace), comms_(comms), options_(options) {}

  // kNo with the reason when something has no form.
  reduction::Status Write(const Item& root);

  const std::vector<Statement>& statements() const { return statements_; }
  uint64_t calls() const { return calls_; }
  const std::set<std::string>& notes() const { return notes_; }

 private:
  // Where statements stand: the loops around, and what keeps ranks out.
  struct Scope {
    Domain domain;
    std::vector<std::string> guards;  // that name the task
  };
  using Statements = std::vector<Statement>;
  using Inner = std::function<reduction::Status(const Scope&, Statements*)>;

  reduction::Status Children(const Item& loop, const Scope& scope,
                             Statements* out);
  // What `inner` writes, as often as `trips` says.
  reduction::Status Repeat(const Item& item, const Scope& scope,
                           const Inner& inner, Statements* out);
  reduction::Status Event(const Item& item, const Scope& scope,
                          Statements* out);
  void Compute(const Item& item, const Scope& scope, Statements* out);
  // What is computed before each of the event's occurrences; "" for nothing.
  std::string MicrosecondsText(const Item& item, const Scope& scope,
                               double scale);
  reduction::Status Message(const Item& item, const Half& half,
                            const Scope& scope, Statements* out);
  reduction::Status Await(const Item& item, const Scope& scope,
                          Statements* out);
  reduction::Status Collective(const Item& item, const Scope& scope,
                               Statements* out);
  reduction::Status CollectiveOf(const Item& item, const Scope& scope,
                                 const std::set<int64_t>& comms,
                                 const std::vector<int64_t>& members,
                                 Statements* out);

  // Of a collective, as text.
  struct Operands {
    std::string root, bytes, elements;
  };
  Statements Substitute(const Item& item, const reduction::RankSet& members,
                        const Operands& operands) const;
  // Blocking messages that do the same, one sender or one receiver after
  // another, so that they end whatever is buffered.
  Statements Messages(const Item& item, const reduction::RankSet& members,
                      const Operands& operands) const;
  // The others than a task among these, as targets.
  std::string Others(const reduction::RankSet& set,
                     const std::string& task) const;
  // kNo naming the call when the values follow no short rule.
  reduction::Result<std::string> Text(const Item& item, const char* what,
                                      const Sequences& sequences,
                                      const Scope& scope) const;
  // "TASKS t SUCH THAT ... " or shorter, and what they do.
  std::string Sentence(const reduction::RankSet& set,
                       const std::vector<std::string>& guards,
                       const std::string& what) const;
  reduction::Status No(const Item& item, const std::string& why) const;
  // Stretched over the scope's positions; only of these ranks if given.
  static Sequences Of(const reduction::Parameter& p, const Domain& domain,
                      const std::vector<int64_t>* only = nullptr);
  void ScaleBytes(Sequences* sequences) const;

  // A tag that no message of the program has.
  int64_t free_tag_ = 0;
  const reduction::Trace& trace_;
  const reduction::Communicators& comms_;
  const GenerateOptions& options_;
  Statements statements_;
  uint64_t calls_ = 0;
  int loops_ = 0;
  std::set<std::string> notes_;
};

}  // namespace ranksight::adapters::conceptual
