#include "cli/monitor/screen.h"

#include <ncurses.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "cli/base/text.h"

namespace ranksight::cli {
namespace {

using reduction::Status;

constexpr int kAskMs = 500;
constexpr int kLeastWidth = 40;
constexpr char kHelp[] = " q leave   tab next program   up/down scroll ";

// The terminal as curses sees it, given back at the end.
class Terminal {
 public:
  Terminal() {
    screen_ = newterm(nullptr, stdout, stdin);
    if (screen_ == nullptr) return;
    cbreak();
    noecho();
    curs_set(0);
    keypad(stdscr, TRUE);
    timeout(kAskMs);
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

int DrawLines(const std::vector<std::string>& lines, int top, int width,
              int height) {
  top = std::clamp(top, 0, std::max(0, int(lines.size()) - (height - 1)));
  for (int row = 0; row + 1 < height; ++row) {
    const size_t line = size_t(top + row);
    if (line >= lines.size()) break;
    mvaddnstr(row, 0, lines[line].c_str(), width);
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
                                    size_t(std::max(height - 1, 1)));
    if (lines.ok()) {
      top = DrawLines(*lines, top, width, height);
    } else if (trouble.empty()) {
      trouble = " " + lines.status().message();
    }
  }
  trouble = Harmless(trouble);
  attron(A_REVERSE);
  mvhline(height - 1, 0, ' ', width);
  mvaddnstr(height - 1, 0, trouble.empty() ? kHelp : trouble.c_str(), width);
  attroff(A_REVERSE);
  refresh();
  return top;
}

}  // namespace

Status ShowScreen(Watch* watch) {
  if (::isatty(STDOUT_FILENO) == 0) {
    return Status::Io("no terminal; use --once or --jsonl");
  }
  const Terminal terminal;
  if (!terminal.ok()) return Status::Io("the terminal's kind is not known");
  int top = 0;
  for (;;) {
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
        break;
    }
  }
}

}  // namespace ranksight::cli
