#include "online_model/web/tokens.h"

#include <sys/random.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "online_model/store/files.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;

constexpr char kFile[] = "tokens";
constexpr size_t kTokenBytes = 16;
// Shorter ones could be guessed.
constexpr size_t kLeastCharacters = 2 * kTokenBytes;

Result<std::string> MakeToken() {
  uint8_t bytes[kTokenBytes];
  if (::getrandom(bytes, sizeof(bytes), 0) != ssize_t(sizeof(bytes))) {
    return Status::Io("no randomness for a token");
  }
  constexpr char kDigits[] = "0123456789abcdef";
  std::string token;
  for (const uint8_t b : bytes) {
    token += kDigits[b >> 4];
    token += kDigits[b & 15];
  }
  return token;
}

// Takes as long whatever the text is.
bool IsSameText(const std::string& a, const std::string& b) {
  unsigned char difference = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i] ^ b[i % b.size()]);
  }
  return difference == 0;
}

Status CheckPrivate(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return Status::Io(path + ": gone");
  if ((info.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return Status::Io(path + ": others may read or write it: chmod 600 " +
                      path);
  }
  return Status::Ok();
}

}  // namespace

Result<Tokens> Tokens::Read(const std::string& store_directory) {
  const std::string path = store_directory + "/" + kFile;
  if (struct stat info{}; ::stat(path.c_str(), &info) != 0) {
    const Result<std::string> made = MakeToken();
    if (!made.ok()) return made.status();
    const Status written =
        WriteDurably(store_directory, kFile, "owner page " + *made + "\n");
    if (!written.ok()) return written;
  }
  if (const Status s = CheckPrivate(path); !s.ok()) return s;
  Tokens tokens;
  std::ifstream file(path);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    std::istringstream words(line);
    std::string name, scope, text, more;
    if (!(words >> name) || name[0] == '#') continue;
    const bool is_token = words >> scope >> text && !(words >> more) &&
                          (scope == "page" || scope == "metrics") &&
                          text.size() >= kLeastCharacters;
    if (!is_token) {
      return Status::BadInput(
          path + ":" + std::to_string(number) +
          ": not NAME page|metrics TOKEN" + ", with a token of " +
          std::to_string(kLeastCharacters) + " characters or more");
    }
    tokens.tokens_.push_back({scope == "page", text});
  }
  if (std::ranges::none_of(tokens.tokens_, &Token::is_for_page)) {
    return Status::BadInput(path + ":0: no token opens the page");
  }
  return tokens;
}

const std::string& Tokens::owner() const {
  return std::ranges::find_if(tokens_, &Token::is_for_page)->text;
}

bool Tokens::Allow(const std::string& authorization,
                   const std::string& path) const {
  bool is_allowed = false;
  for (const Token& token : tokens_) {
    const bool is_same = IsSameText(authorization, "Bearer " + token.text);
    is_allowed |= is_same && (token.is_for_page || path == "/metrics");
  }
  return is_allowed;
}

}  // namespace ranksight::online_model
