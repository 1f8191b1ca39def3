// What cards are made of.
#pragma once

#include <string>
#include <vector>

namespace wavetank::cli {

/// A part of a card.
struct CardSection {
  std::string title;
  std::vector<std::string> headings;           ///< of the columns; may be empty strings
  std::vector<std::vector<std::string>> rows;  ///< as many cells as headings
  std::vector<std::string> notes;              ///< lines below the table
};

}  // namespace wavetank::cli
