#include "online_model/twin/requests.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace ranksight::online_model {
namespace {

using Kind = CompletionStyle::Kind;

// One iteration of a loop.
class StylePutter {
 public:
  StylePutter(const TwinPlan& plan, int loop, std::vector<TwinEvent> events)
      : plan_(plan), loop_(loop), events_(std::move(events)) {}

  std::vector<TwinEvent> Put() {
    std::vector<TwinEvent> kept;
    for (TwinEvent& e : events_) {
      const SiteKey site = SiteOf(plan_, e);
      const CompletionStyle* style = StyleAt(site);
      const bool expands = style != nullptr && style->kind != Kind::kAll;
      if (expands) {
        if (places_.try_emplace(site, kept.size()).second) first_[site] = e;
        continue;
      }
      if (reduction::Info(site.first).makes_request) {
        last_made_[site] = kept.size() + 1;
      }
      kept.push_back(e);
      if (style != nullptr) {
        kept.back().style = style;
        seen_.insert(site);
      }
    }
    AddMissing();
    return Join(kept);
  }

 private:
  const CompletionStyle* StyleAt(const SiteKey& site) const {
    const auto it = plan_.styles.find(site);
    const bool mine = it != plan_.styles.end() && it->second.loop == loop_;
    return mine ? &it->second : nullptr;
  }

  // What its like has not made, and so not completed, either.
  void AddMissing() {
    std::set<SiteKey> covered;
    const auto cover = [&](const SiteKey& site) {
      const auto& of = plan_.styles.at(site).of;
      covered.insert(of.begin(), of.end());
    };
    for (const auto& [site, place] : places_) cover(site);
    for (const SiteKey& site : seen_) cover(site);
    for (const auto& [maker, place] : last_made_) {
      if (covered.count(maker) > 0) continue;
      for (const auto& [site, style] : plan_.styles) {
        if (style.loop != loop_ || style.of.count(maker) == 0) continue;
        TwinEvent e;
        e.node = uint32_t(style.node);
        e.donor = style.rank;
        e.copied = int64_t(style.run);
        first_[site] = e;
        places_[site] = place;
        cover(site);
        break;
      }
    }
  }

  std::vector<TwinEvent> Join(const std::vector<TwinEvent>& kept) {
    std::multimap<size_t, const SiteKey*> at;
    for (const auto& [site, first] : places_) {
      size_t place = first;
      for (const SiteKey& maker : plan_.styles.at(site).of) {
        const auto made = last_made_.find(maker);
        if (made != last_made_.end()) place = std::max(place, made->second);
      }
      at.emplace(place, &site);
    }
    std::vector<TwinEvent> all;
    for (size_t i = 0; i <= kept.size(); ++i) {
      const auto [from, to] = at.equal_range(i);
      for (auto it = from; it != to; ++it) {
        const CompletionStyle& style = plan_.styles.at(*it->second);
        all.push_back(first_.at(*it->second));
        all.back().style = &style;
        all.back().expands = style.kind != Kind::kAll;
      }
      if (i < kept.size()) all.push_back(kept[i]);
    }
    return all;
  }

  const TwinPlan& plan_;
  int loop_;
  std::vector<TwinEvent> events_;
  std::map<SiteKey, size_t> places_;     // among those kept
  std::map<SiteKey, size_t> last_made_;  // behind the last call of the site
  std::map<SiteKey, TwinEvent> first_;
  std::set<SiteKey> seen_;  // that stay where they are
};

// Says of each completion which requests it completes.
class RequestBook {
 public:
  RequestBook(const TwinPlan& plan, std::vector<std::vector<int64_t>>* lists)
      : plan_(plan), lists_(lists) {
    for (const auto& [site, style] : plan.styles) {
      watched_.insert(style.of.begin(), style.of.end());
    }
  }

  void Add(const TwinEvent& e, std::vector<TwinEvent>* out) {
    if (e.style != nullptr) return Complete(e, out);
    const SiteKey site = SiteOf(plan_, e);
    const auto& info = reduction::Info(site.first);
    if (info.makes_request) {
      if (watched_.count(site) > 0) open_.push_back({made_, site});
      ++made_;
    }
    if (info.makes_persistent) {
      persistent_.push_back({-++made_persistent_, site});
    }
    out->push_back(e);
  }

 private:
  struct Request {
    int64_t number;  // persistent ones as references have them
    SiteKey maker;
  };

  // Those of its makers, oldest first. What is started is then open, all else
  // gone.
  std::vector<int64_t> TakeAll(const CompletionStyle& style) {
    using Act = CompletionStyle::Act;
    std::vector<int64_t> numbers;
    auto& from = style.act == Act::kComplete ? open_ : persistent_;
    std::erase_if(from, [&](const Request& r) {
      if (style.of.count(r.maker) == 0) return false;
      numbers.push_back(r.number);
      if (style.act == Act::kStart) open_.push_back(r);
      return style.act != Act::kStart;
    });
    return numbers;
  }

  // Whether a call is about one request: several are several calls.
  static bool IsOfOne(reduction::Call call) {
    using reduction::Call;
    return call == Call::MPI_Wait_ || call == Call::MPI_Test_ ||
           call == Call::MPI_Start_ || call == Call::MPI_Request_free_;
  }

  void Complete(const TwinEvent& e, std::vector<TwinEvent>* out) {
    const CompletionStyle& style = *e.style;
    std::vector<int64_t> numbers = TakeAll(style);
    const auto passed = int64_t(numbers.size());
    const bool is_of_one = IsOfOne(SiteOf(plan_, e).first);
    if (!e.expands && !is_of_one) return Push(e, numbers, passed, out);
    if (style.kind == Kind::kEach && style.newest_first) {
      std::ranges::reverse(numbers);
    }
    const size_t taken = is_of_one || style.kind == Kind::kEach
                             ? 1
                             : size_t(std::max(1.0, std::round(style.taken)));
    for (size_t i = 0; i < numbers.size(); i += taken) {
      const size_t end = std::min(i + taken, numbers.size());
      Push(e,
           {numbers.begin() + ptrdiff_t(i), numbers.begin() + ptrdiff_t(end)},
           passed, out);
    }
    if (style.ends_with_none) Push(e, {}, passed, out);
  }

  void Push(const TwinEvent& e, const std::vector<int64_t>& numbers,
            int64_t passed, std::vector<TwinEvent>* out) {
    std::vector<int64_t> references;
    for (const int64_t n : numbers) references.push_back(n < 0 ? n : made_ - n);
    std::ranges::sort(references, std::greater());
    out->push_back(e);
    out->back().completes = int32_t(lists_->size());
    out->back().passed =
        e.style->passes_open ? int64_t(numbers.size()) : passed;
    lists_->push_back(std::move(references));
  }

  const TwinPlan& plan_;
  std::set<SiteKey> watched_;
  std::vector<std::vector<int64_t>>* lists_;
  std::vector<Request> open_, persistent_;
  int64_t made_ = 0, made_persistent_ = 0;
};

}  // namespace

void PutStyles(const TwinPlan& plan, int loop, size_t begin,
               std::vector<TwinEvent>* events) {
  const bool any = std::ranges::any_of(
      plan.styles, [loop](const auto& s) { return s.second.loop == loop; });
  if (!any) return;
  const auto first = events->begin() + ptrdiff_t(begin);
  const std::vector<TwinEvent> now =
      StylePutter(plan, loop, {first, events->end()}).Put();
  events->resize(begin);
  events->insert(events->end(), now.begin(), now.end());
}

std::vector<TwinEvent> ResolveRequests(
    const TwinPlan& plan, const std::vector<TwinEvent>& events,
    std::vector<std::vector<int64_t>>* references) {
  std::vector<TwinEvent> resolved;
  RequestBook book(plan, references);
  for (const TwinEvent& e : events) book.Add(e, &resolved);
  return resolved;
}

}  // namespace ranksight::online_model
