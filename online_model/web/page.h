// The side-car's web page and what it is made from: read-only, on loopback,
// every answer but the page's own files only with the token.
//
//   /                 the page (no token: it holds nothing of the store)
//   /api/state        version, groups, runs under way, counters
//   /api/forecast     ?group=ID[&ranks=N1,N2,...]
//   /api/overview     [?since=STAMP]  a few lines on each group
//   /api/runs         [?group=ID]  everything stored, or of one group
//   /api/matrix       ?job=JOB   who sends how much to whom; or
//                     ?group=ID&ranks=N, by laws where N was not measured
//   /api/laws         ?group=ID  laws over the sizes measured
//   /metrics          Prometheus text
//
// The token (tokens.h) comes as "Authorization: Bearer TOKEN". Requests whose
// Host is not a loopback name are refused, so that no foreign page can be made
// to point here. Who asks for too much, or too slowly, is turned away
// (bounded_server.h), and none of this is on a thread that receives runs.
// Thread-safety: Open and destruction by one thread; the rest is constant.
#pragma once

#include <memory>
#include <string>

#include "online_model/api/server.h"
#include "reduction/api/status.h"

namespace ranksight::online_model {

class WebPage {
 public:
  // where: "HOST:PORT", loopback only (kUsage otherwise), port 0 picks one.
  // Writes address and token to STORE/http (mode 0600), for `ranksight
  // monitor`. server must outlive the page.
  static reduction::Result<std::unique_ptr<WebPage>> Open(
      const std::string& where, const std::string& store_directory,
      PageExtras extras, Server* server);
  ~WebPage();  // ends all requests

  const std::string& address() const { return address_; }
  const std::string& token() const { return token_; }

 private:
  struct Http;
  WebPage();
  std::string address_, token_, store_directory_;
  std::unique_ptr<Http> http_;
};

}  // namespace ranksight::online_model
