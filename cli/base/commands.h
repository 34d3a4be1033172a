// The list of commands: what `ranksight` can do, filled by one registration
// function per command (cli/commands/register.h), read by main.
//
// Thread-safety: belongs to the main thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace ranksight::cli {

class Commands {
 public:
  // program_line: what stood behind "--" on the command line of a command
  // that runs a program; kept away from the option parser so that no
  // argument of the program is ever taken for one of ours.
  Commands(CLI::App* root, std::vector<std::string> program_line)
      : root_(root), program_line_(std::move(program_line)) {}

  // Adds a command. run is called when it was chosen, after its options
  // have been stored, and returns the exit code.
  CLI::App* Add(const std::string& name, const std::string& description,
                std::function<int()> run);
  // Adds a command below another one (`runs list`).
  CLI::App* AddBelow(CLI::App* parent, const std::string& name,
                     const std::string& description, std::function<int()> run);

  const std::vector<std::string>& program_line() const { return program_line_; }
  // Runs the command that was chosen, the innermost one when it has
  // commands below it.
  int RunChosen() const;

 private:
  struct Entry {
    CLI::App* app;
    std::function<int()> run;
  };
  CLI::App* root_;
  std::vector<std::string> program_line_;
  std::vector<Entry> entries_;
};

}  // namespace ranksight::cli
