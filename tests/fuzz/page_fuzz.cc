// Any bytes sent to the web page as a request ("TOKEN" in them becomes the
// real one): the page answers or closes, and still answers what is right.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <memory>

#include "online_model/api/page.h"
#include "online_model/api/server.h"
#include "tests/fuzz/target.h"

namespace ranksight::fuzz {
namespace {

using online_model::PageAddress;
using online_model::Server;

std::string Request(const std::string& path) {
  return "GET " + path +
         " HTTP/1.1\r\nHost: 127.0.0.1\r\n"
         "Authorization: Bearer TOKEN\r\nConnection: close\r\n\r\n";
}

// A side-car with nothing in its store.
class Page {
 public:
  Page() {
    online_model::ServerOptions options;
    options.listen = "tcp://127.0.0.1:*";
    options.store_directory = folder_.path() + "/store";
    options.http = "127.0.0.1:0";
    auto server = Server::Start(options);
    Require(server.ok());
    server_ = std::move(server).value();
    address_ = {server_->http_address(), server_->http_token()};
  }
  void Send(std::string bytes) const {
    for (size_t at = 0; (at = bytes.find("TOKEN", at)) != bytes.npos;) {
      bytes.replace(at, 5, address_.token);
    }
    const int s = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    Require(s >= 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(static_cast<uint16_t>(
        std::atoi(address_.address.c_str() + address_.address.rfind(':') + 1)));
    Require(::connect(s, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0);
    (void)::send(s, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    // Nothing more comes: the page need not wait for the rest.
    (void)::shutdown(s, SHUT_WR);
    char answer[4096];
    while (::recv(s, answer, sizeof answer, 0) > 0) {
    }
    (void)::close(s);
  }
  void RequireAnswer() const {
    const auto answer = online_model::AskPage(address_, "/api/state");
    Require(answer.ok() && answer->find("groups") != std::string::npos);
  }

 private:
  ScratchFolder folder_;
  std::unique_ptr<Server> server_;
  PageAddress address_;
};

}  // namespace

std::vector<Bytes> Seeds() {
  std::vector<Bytes> seeds;
  for (const char* path :
       {"/", "/api/state?since=3", "/api/forecast?group=0a1b&ranks=4,9,100",
        "/api/runs", "/api/matrix?job=j%204", "/api/laws?group=0a1b",
        "/metrics"}) {
    seeds.push_back(ToBytes(Request(path)));
  }
  seeds.push_back(
      ToBytes("POST /api/runs HTTP/1.1\r\nHost: localhost\r\n"
              "Content-Length: 3\r\n\r\nabc"));
  seeds.push_back(
      ToBytes("GET / HTTP/1.1\r\nHost: a\r\n"
              "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"));
  return seeds;
}

void Try(std::string_view request) {
  static const Page page;
  page.Send(std::string(request));
  static int sent = 0;
  if (++sent % 50 == 0) page.RequireAnswer();
}

}  // namespace ranksight::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ranksight::fuzz::Try(ranksight::fuzz::AsText(data, size));
  return 0;
}
