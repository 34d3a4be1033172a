// OwnLaw: a law from a library of the user's
// (online_model/api/ranksight_law.h). Thread-safety: as the library's.
#pragma once

#include <memory>
#include <string>

#include "online_model/api/own_laws.h"
#include "online_model/api/ranksight_law.h"
#include "online_model/structure/context.h"

namespace ranksight::online_model {

struct OwnLaw {
  std::string name;
  int64_t (*value)(const ranksight_law_place*) = nullptr;
  std::shared_ptr<void> library;

  // kNotWhole (expression.h) where the law has no value.
  int64_t At(const Context& c) const;
};

}  // namespace ranksight::online_model
