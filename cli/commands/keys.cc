// ranksight keys: who may send runs to a side-car from elsewhere.
#include "online_model/api/keys.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/base/json.h"
#include "cli/base/print.h"
#include "cli/commands/register.h"

namespace ranksight::cli {
namespace {

using reduction::Status;

struct KeysOptions {
  std::string folder = online_model::DefaultKeysDirectory();
  std::string key, name;
  bool json = false;
};

int New(const KeysOptions& options) {
  const auto keys = online_model::NewKeys(options.folder);
  if (!keys.ok()) return Fail(keys.status());
  Print(keys->public_key + "\n");
  Note("the secret key is in " + options.folder + "/secret.key");
  return 0;
}

int Show(const KeysOptions& options) {
  const auto keys = online_model::ReadKeys(options.folder);
  if (!keys.ok()) return Fail(keys.status());
  const auto allowed = online_model::ReadAllowed(options.folder);
  if (!allowed.ok()) return Fail(allowed.status());
  if (options.json) {
    JsonWriter json;
    json.BeginObject()
        .Member("public_key", keys->public_key)
        .Key("allowed")
        .BeginArray();
    for (const auto& entry : *allowed) {
      json.BeginObject()
          .Member("key", entry.key)
          .Member("name", entry.name)
          .EndObject();
    }
    Print(json.EndArray().EndObject().text());
    return 0;
  }
  Print("own      " + keys->public_key + "\n");
  for (const auto& entry : *allowed) {
    Print("allowed  " + entry.key + "  " + entry.name + "\n");
  }
  return 0;
}

// kNo where the key is known by another name. A list that cannot be read is
// for AllowKey to tell.
Status CheckNew(const KeysOptions& options) {
  const auto allowed = online_model::ReadAllowed(options.folder);
  if (!allowed.ok()) return Status::Ok();
  for (const auto& entry : *allowed) {
    if (entry.key != options.key) continue;
    const std::string known =
        options.key + " is allowed already, as '" + entry.name + "'";
    if (!options.name.empty() && options.name != entry.name) {
      return Status::No(known + "; forbid it to give it another name");
    }
    Note(known);
  }
  return Status::Ok();
}

int Allow(const KeysOptions& options) {
  if (Status s = CheckNew(options); !s.ok()) return Fail(s);
  const auto status =
      online_model::AllowKey(options.folder, options.key, options.name);
  return status.ok() ? 0 : Fail(status);
}

int Forbid(const KeysOptions& options) {
  const auto status = online_model::ForbidKey(options.folder, options.key);
  return status.ok() ? 0 : Fail(status);
}

void AddFolder(CLI::App* app, KeysOptions* options) {
  app->add_option("--keys", options->folder, "Folder of the keys, mode 0700")
      ->type_name("DIR")
      ->capture_default_str();
}

}  // namespace

void RegisterKeys(Commands& commands) {
  auto options = std::make_shared<KeysOptions>();
  CLI::App* app =
      commands.Add("keys", "Keys for side-cars that listen beyond loopback",
                   [options] { return Show(*options); });
  app->require_subcommand(0, 1);
  AddFolder(app, options.get());
  AddFolder(commands.AddBelow(app, "new", "Make a pair; prints the public key",
                              [options] { return New(*options); }),
            options.get());
  CLI::App* show =
      commands.AddBelow(app, "show", "Print the public key and who is allowed",
                        [options] { return Show(*options); });
  AddFolder(show, options.get());
  for (CLI::App* shows : {app, show}) {
    shows->add_flag("--json", options->json, "One JSON document on stdout");
  }
  CLI::App* allow =
      commands.AddBelow(app, "allow", "Let a public key in from now on",
                        [options] { return Allow(*options); });
  AddFolder(allow, options.get());
  allow->add_option("KEY", options->key, "Public key (40 characters)")
      ->required();
  allow->add_option("NAME", options->name, "Whose it is; for people");
  CLI::App* forbid = commands.AddBelow(
      app, "forbid", "Take a key back; connections it opened stay",
      [options] { return Forbid(*options); });
  AddFolder(forbid, options.get());
  forbid->add_option("KEY", options->key, "Public key (40 characters)")
      ->required();
  app->footer(
      "Without a command: show. Side-car and sender each make a pair; the\n"
      "side-car allows the sender's public key, the sender names the\n"
      "side-car's.\n\n"
      "Example, side-car:  ranksight keys new; ranksight keys allow 'KEY' "
      "node7\n"
      "                    ranksight serve --listen 'tcp://*:5570' --keys "
      "~/.config/ranksight\n"
      "Example, sender:    ranksight keys new\n"
      "                    ranksight record --to tcp://10.0.0.1:5570 "
      "--server-key 'KEY' -- mpiexec ...");
}

}  // namespace ranksight::cli
