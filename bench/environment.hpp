#pragma once
// The context that a result belongs to: what moves figures with no change of code, as far as this machine
// shows it.

#include "bench/clock.hpp"
#include "bench/warning.hpp"

#include <string>
#include <utility>
#include <vector>

namespace bench {

/// Key and value, in print order. A key whose value the machine does not show is left out.
using context = std::vector<std::pair<std::string, std::string>>;

/// Reads the machine, the build and the process. `libraries` are name and version of what is measured or
/// measures ("libmongoc", "1.23.1"); `command_line` is the program's argv, whose secrets are blanked.
context read_environment(const context& libraries, const std::vector<std::string>& command_line);

/// A program's argv on one line, secrets blanked: the value of "command".
std::string shown_command(const std::vector<std::string>& command_line);

/// The value of a key; empty when it is not there.
std::string value_of(const context& facts, const std::string& key);

/// What in the context makes figures doubtful: a debug build, sanitizers, a loaded machine, a governor that
/// saves power.
std::vector<warning> doubts(const context& facts);

/// What the clock makes doubtful: readings that go backward, steps too coarse for a round.
std::vector<warning> doubts(const clock_record& clock);

/// Both: what the warnings of a result begin with.
std::vector<warning> doubts(const context& facts, const clock_record& clock);

/// `argument` with the password of a URI's user part or of a password= setting replaced by "***".
std::string without_secrets(const std::string& argument);

}  // namespace bench
