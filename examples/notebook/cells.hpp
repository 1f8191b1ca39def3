// A notebook in C++: cells that run in order and print what they are worth. page.py makes the page of
// it from the source and from what the program prints.
#pragma once

#include <cstdio>
#include <exception>
#include <iostream>

namespace notebook {

/// The line that starts the output of a cell; page.py cuts there.
inline void start(int number) { std::cout << "[" << number << "]\n" << std::flush; }

/// Runs a cell that is meant to be refused and prints why it was.
template <class F>
void refused(F&& cell) {
  try {
    cell();
    std::cout << "nothing was refused\n";
  } catch (const std::exception& error) {
    std::cout << "refused: " << error.what() << "\n";
  }
}

}  // namespace notebook

/// The start of a cell, which ends at the next empty line.
#define CELL(number) notebook::start(number)
