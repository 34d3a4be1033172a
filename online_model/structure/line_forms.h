// The forms of the laws that one line of code has, wherever it is reached:
// what is the same of laws but for a number or two. A function that deals out a
// vector is called with several lengths; of a short one a few small numbers are
// seen, which many laws give, and the long ones tell which of them it is.
//
// A form is one way to say a law: that it is known makes a law short
// (evidence.h), all but its number is said.
// Thread-safety: one search, one thread.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

class LineForms {
 public:
  // A law that says enough of the samples, which it gives.
  void Note(const ScalarLaw& law, std::span<const Sample> samples);

  // The law of a form that the search before noted, with other numbers, that
  // gives the samples; of several that of whose form most was seen. Nothing
  // where there is none or where own, a law that the samples show by
  // themselves, is of that form. Where several numbers do, what they agree on.
  std::optional<ScalarLaw> Find(std::span<const Sample> samples,
                                const std::optional<ScalarLaw>& own) const;

  // Whether this search has noted none.
  bool empty() const { return noted_.empty(); }

  // A search begins: it takes what was noted before.
  void BeginSearch();
  // Whether a search that begins now may find what the last one did not: laws
  // of several forms were noted, or is_missing: some has none.
  bool MayFindMore(bool is_missing) const;

 private:
  struct Form {
    ScalarLaw law;    // one of those that have it
    double bits = 0;  // by which its laws are shorter than all that they give
    std::set<std::string> laws;
    bool divides_exactly = false;  // no value where something is left over
    bool of_places = false;        // of a list or loop, over the place in it
  };
  using Forms = std::map<std::string, Form>;  // by what is the same

  static std::set<std::string> NamesOf(const Forms& forms);

  Forms known_, noted_;
};

}  // namespace ranksight::online_model
