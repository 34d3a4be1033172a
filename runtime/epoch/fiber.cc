#include "runtime/epoch/fiber.h"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <utility>

#include "reduction/api/pause.h"
#include "runtime/capture/clock.h"

namespace ranksight::runtime {
namespace {

// Walking a trace recurses as deep as its loops nest (at most 200, some
// hundred bytes each); pages not touched cost nothing.
constexpr size_t kStackBytes = size_t{1} << 20;

struct Cancelled {};

}  // namespace

struct Fiber::Impl {
  ~Impl() {
    if (stack != nullptr) munmap(stack, kStackBytes);
  }
  std::function<void()> body;
  void* stack = nullptr;
  ucontext_t inside, outside;
  uint64_t until_ticks = 0;
  bool cancelled = false;
  bool ended = false;
};

namespace {

// The fiber whose slice runs on this thread.
thread_local void* running = nullptr;

}  // namespace

Fiber::Fiber(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

std::unique_ptr<Fiber> Fiber::Make(std::function<void()> body) noexcept {
  try {
    auto impl = std::make_unique<Impl>();
    impl->body = std::move(body);
    void* stack = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED) return nullptr;
    impl->stack = stack;
    const size_t page = size_t(sysconf(_SC_PAGESIZE));
    if (mprotect(stack, page, PROT_NONE) != 0) return nullptr;
    if (getcontext(&impl->inside) != 0) return nullptr;
    impl->inside.uc_stack.ss_sp = stack;
    impl->inside.uc_stack.ss_size = kStackBytes;
    impl->inside.uc_link = nullptr;
    makecontext(
        &impl->inside,
        +[] {
          auto* self = static_cast<Impl*>(running);
          try {
            if (!self->cancelled) self->body();
          } catch (...) {
            // Given up: there is nobody to tell.
            self->cancelled = true;
          }
          self->ended = true;
          setcontext(&self->outside);
        },
        0);
    return std::unique_ptr<Fiber>(new Fiber(std::move(impl)));
  } catch (...) {
    return nullptr;
  }
}

Fiber::~Fiber() {
  impl_->cancelled = true;
  while (!impl_->ended) Run(0);
}

bool Fiber::Run(uint64_t until_ticks) noexcept {
  if (impl_->ended) return true;
  impl_->until_ticks = until_ticks;
  running = impl_.get();
  reduction::SetPauseHook([] {
    const auto* self = static_cast<Impl*>(running);
    if (self->cancelled || Clock::Now() >= self->until_ticks) Yield();
  });
  swapcontext(&impl_->outside, &impl_->inside);
  reduction::SetPauseHook(nullptr);
  running = nullptr;
  return impl_->ended;
}

// Not inlined: after the switch another thread's `running` may be meant.
__attribute__((noinline)) void Fiber::Yield() {
  auto* self = static_cast<Impl*>(running);
  if (!self->cancelled) swapcontext(&self->inside, &self->outside);
  if (self->cancelled) throw Cancelled();
}

}  // namespace ranksight::runtime
