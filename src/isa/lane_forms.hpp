// Functions of lanes by others: what a domain without an operation of its own for one evaluates, in
// default MODE. number/ defines these functions, too, and tests hold both against each other.
#pragma once

#include "isa/float_forms.hpp"
#include "isa/fp8_forms.hpp"
#include "isa/integer_forms.hpp"

namespace wavetank::isa {

/// Whether a function has a form for these values.
template <class F, class... V>
concept HasForm = requires(F function, V... values) { form(function, values...); };

}  // namespace wavetank::isa
