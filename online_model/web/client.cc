#include <httplib.h>

#include <fstream>

#include "online_model/api/page.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;

constexpr time_t kConnectSeconds = 2;

}  // namespace

Result<PageAddress> ReadPageAddress(const std::string& store_directory) {
  const std::string path = store_directory + "/http";
  std::ifstream file(path);
  if (!file) {
    return Status::Io(path + ": not there; is `ranksight serve --http " +
                      "127.0.0.1:0 --store " + store_directory + "` running?");
  }
  PageAddress page;
  std::getline(file, page.address);
  std::getline(file, page.token);
  if (page.address.rfind("http://", 0) != 0 || page.token.empty()) {
    return Status::BadInput(path + ":0: not the address of a page");
  }
  return page;
}

Result<std::string> AskPage(const PageAddress& page, const std::string& path,
                            int patience_s) {
  httplib::Client client(page.address);
  if (!client.is_valid()) return Status::Usage(page.address + ": no address");
  client.set_connection_timeout(kConnectSeconds);
  client.set_read_timeout(patience_s);
  const auto answer =
      client.Get(path, {{"Authorization", "Bearer " + page.token}});
  if (!answer) {
    return Status::Io(page.address +
                      ": no answer: " + httplib::to_string(answer.error()));
  }
  if (answer->status == 204) return std::string();
  if (answer->status == 200) return answer->body;
  std::string reason = answer->body;
  while (!reason.empty() && reason.back() == '\n') reason.pop_back();
  if (answer->status == 401) reason = "the token is not this side-car's";
  return Status::No(page.address + path + ": " + reason);
}

}  // namespace ranksight::online_model
