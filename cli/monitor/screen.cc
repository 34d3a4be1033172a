#include "cli/monitor/screen.h"

#include <ncurses.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <string>

#include "reduction/api/shown_text.h"

namespace ranksight::cli {
namespace {

using reduction::Status;

constexpr int kAskMs = 500;
constexpr int kLeastWidth = 40;
constexpr char kHelp[] = " q leave   tab next program   up/down scroll ";

volatile sig_atomic_t caught = 0;

// That of curses exits with 1. Without SA_RESTART, so that getch returns.
void CatchEnds() {
  struct sigaction action {};
  action.sa_handler = [](int signal) { caught = signal; };
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction before {};
    (void)sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

// Where it is, getch does not wait.
bool TerminalIsGone() {
  pollfd in = {STDIN_FILENO, POLLIN, 0};
  return ::poll(&in, 1, 0) > 0 && (in.revents & (POLLHUP | POLLERR)) != 0;
}

// The terminal as curses sees it, given back at the end.
class Terminal {
 public:
  Terminal() {
    // Names are UTF-8; numbers stay as they are.
    (void)std::setlocale(LC_CTYPE, "");
    screen_ = newterm(nullptr, stdout, stdin);
    if (screen_ == nullptr) return;
    cbreak();
    noecho();
    curs_set(0);
    keypad(stdscr, TRUE);
    timeout(kAskMs);
    CatchEnds();
  }
  ~Terminal() {
    if (screen_ == nullptr) return;
    endwin();
    delscreen(screen_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  bool ok() const { return screen_ != nullptr; }

 private:
  SCREEN* screen_ = nullptr;
};

int DrawLines(const std::vector<std::string>& lines, int top, int height) {
  top = std::clamp(top, 0, std::max(0, int(lines.size()) - (height - 1)));
  for (int row = 0; row + 1 < height; ++row) {
    const size_t line = size_t(top + row);
    if (line >= lines.size()) break;
    mvaddstr(row, 0, lines[line].c_str());
  }
  return top;
}

// Returns the first line shown after keeping it within the text.
int Draw(const MonitorData& data, std::string trouble, int top) {
  int height = 0, width = 0;
  getmaxyx(stdscr, height, width);
  erase();
  if (data.state.is_object()) {
    const auto lines = MonitorLines(data, size_t(std::max(width, kLeastWidth)),
                                    size_t(std::max(height - 1, 1)),
                                    PlotFormOf(STDOUT_FILENO));
    if (lines.ok()) {
      top = DrawLines(*lines, top, height);
    } else if (trouble.empty()) {
      trouble = " " + lines.status().message();
    }
  }
  trouble = reduction::ShownName(trouble);
  attron(A_REVERSE);
  mvhline(height - 1, 0, ' ', width);
  mvaddnstr(height - 1, 0, trouble.empty() ? kHelp : trouble.c_str(), width);
  attroff(A_REVERSE);
  refresh();
  return top;
}

// Until q, a signal, or the terminal is gone.
Status Show(Watch* watch) {
  const Terminal terminal;
  if (!terminal.ok()) return Status::Io("the terminal's kind is not known");
  int top = 0;
  while (caught == 0) {
    const auto updated = watch->Update();
    top = Draw(watch->data(),
               updated.ok() ? "" : " " + updated.status().message(), top);
    switch (getch()) {
      case 'q':
        return Status::Ok();
      case '\t':
      case KEY_RIGHT:
        watch->Turn(1);
        break;
      case KEY_LEFT:
        watch->Turn(-1);
        break;
      case KEY_DOWN:
        ++top;
        break;
      case KEY_UP:
        --top;
        break;
      case KEY_NPAGE:
        top += LINES - 2;
        break;
      case KEY_PPAGE:
        top -= LINES - 2;
        break;
      default:  // nothing pressed, or the size changed
        if (TerminalIsGone()) return Status::Io("the terminal is gone");
        break;
    }
  }
  return Status::Ok();
}

}  // namespace

Status ShowScreen(Watch* watch) {
  if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0) {
    return Status::Io("no terminal; use --once or --jsonl");
  }
  const Status shown = Show(watch);
  if (caught != 0) {
    (void)std::signal(caught, SIG_DFL);
    (void)std::raise(caught);
  }
  return shown;
}

}  // namespace ranksight::cli
