// Who may read what of the page: tokens, kept in the store so that they outlive
// the server. The file `tokens` there (mode 0600) has a line each:
//
//   NAME SCOPE TOKEN
//
// SCOPE is `page` (all that the page shows) or `metrics` (/metrics alone);
// blank lines and those that begin with # are passed over. The first start
// writes one line, `owner page ...`. The file is read when the server starts.
// Thread-safety: constant once read.
#pragma once

#include <string>
#include <vector>

#include "reduction/api/status.h"

namespace ranksight::online_model {

class Tokens {
 public:
  // Makes the file where there is none. kBadInput for lines that are none of
  // these, or where no token opens the page; kIo where others than its owner
  // may read or write it.
  static reduction::Result<Tokens> Read(const std::string& store_directory);

  // The first that opens the page.
  const std::string& owner() const;
  // Whether the header "Authorization" has a token for the path. Takes as long
  // whichever token it is.
  bool Allow(const std::string& authorization, const std::string& path) const;

 private:
  struct Token {
    bool is_for_page = false;
    std::string text;
  };
  std::vector<Token> tokens_;
};

}  // namespace ranksight::online_model
