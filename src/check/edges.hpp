// Edges by the names that whoever reads findings knows them under.
#pragma once

#include "machine/edge.hpp"

namespace wavetank::check {

using machine::Edge;
using machine::EdgeKind;

}  // namespace wavetank::check
