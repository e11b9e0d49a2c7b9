#include "tests/conformance/command_words.h"

#include <string>

namespace holdfast::conformance {
namespace {

int hex_digit(char letter) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  return static_cast<int>(kDigits.find(letter));
}

// What stands after a backslash; moves `at` to its last letter.
char escaped(std::string_view line, std::size_t& at) {
  switch (line[at]) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'x':
      at += 2;
      return static_cast<char>(hex_digit(line[at - 1]) * 16 + hex_digit(line[at]));
    default:
      return line[at];
  }
}

}  // namespace

Command words(std::string_view line) {
  Command command;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char letter = line[at];
    if (quote == 0 && letter == ' ') {
      if (in_word) command.add(word);
      word.clear();
      in_word = false;
    } else if (quote == 0 && (letter == '"' || letter == '\'')) {
      quote = letter;
      in_word = true;
    } else if (quote != 0 && letter == quote) {
      quote = 0;
    } else if (quote == '"' && letter == '\\') {
      word += escaped(line, ++at);
    } else {
      word += letter;
      in_word = true;
    }
  }
  if (in_word) command.add(word);
  return command;
}

std::string wire_text(const Command& command) {
  std::string text = "*" + std::to_string(command.size()) + "\r\n";
  for (std::size_t i = 0; i < command.size(); ++i) {
    text.append("$").append(std::to_string(command[i].size())).append("\r\n");
    text.append(command[i]).append("\r\n");
  }
  return text;
}

std::size_t wire_length(const Command& command) { return wire_text(command).size(); }

std::string typed(const Command& command) {
  std::string text;
  for (std::size_t i = 0; i < command.size(); ++i) {
    if (i > 0) text += ' ';
    bool plain = !command[i].empty();
    for (const char letter : command[i]) {
      plain = plain && letter > ' ' && letter < 127 && letter != '"' && letter != '\'';
    }
    if (plain) {
      text += command[i];
      continue;
    }
    text += '"';
    for (const char letter : command[i]) {
      if (letter >= ' ' && letter < 127 && letter != '"' && letter != '\\') {
        text += letter;
        continue;
      }
      constexpr std::string_view kDigits = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(letter);
      if (letter == '"' || letter == '\\') {
        text.append("\\").append(1, letter);
      } else {
        text.append("\\x").append(1, kDigits[byte / 16]).append(1, kDigits[byte % 16]);
      }
    }
    text += '"';
  }
  return text;
}

}  // namespace holdfast::conformance
