"""Roots, exponentials, logarithms and sines by MPFR (libmpfr6): 300 bits, then rounded once."""
import ctypes
import ctypes.util
from fractions import Fraction

import reference_numbers as n

BITS = 300


class Number(ctypes.Structure):
    _fields_ = [("precision", ctypes.c_long), ("sign", ctypes.c_int), ("exponent", ctypes.c_long),
                ("limbs", ctypes.c_void_p)]


LIBRARY = ctypes.CDLL(ctypes.util.find_library("mpfr") or "libmpfr.so.6")
LIBRARY.mpfr_get_str.restype = ctypes.c_void_p
FUNCTIONS = {"sqrt": "mpfr_sqrt", "rsq": "mpfr_rec_sqrt", "exp": "mpfr_exp2", "log": "mpfr_log2",
             "sin": "mpfr_sinu", "cos": "mpfr_cosu", "rcp": "mpfr_ui_div"}


def number():
    value = Number()
    LIBRARY.mpfr_init2(ctypes.byref(value), ctypes.c_long(BITS))
    return value


def call(function, x):
    """function(x); v_sin and v_cos count in revolutions, as MPFR's sinu and cosu of 1."""
    argument, result = number(), number()
    LIBRARY.mpfr_set_d(ctypes.byref(argument), ctypes.c_double(x), 0)
    ends = {"sin": [ctypes.c_ulong(1)], "cos": [ctypes.c_ulong(1)]}.get(function, [])
    begins = [ctypes.c_ulong(1)] if function == "rcp" else []
    getattr(LIBRARY, FUNCTIONS[function])(ctypes.byref(result), *begins, ctypes.byref(argument), *ends, 0)
    return result


def pattern(form, value):
    """The bits of a result in a format, or "nan"."""
    pointer = ctypes.byref(value)
    negative = bool(LIBRARY.mpfr_signbit(pointer))
    sign = form.sign if negative else 0
    if LIBRARY.mpfr_nan_p(pointer):
        return "nan"
    if LIBRARY.mpfr_inf_p(pointer):
        return sign | form.infinity
    if LIBRARY.mpfr_zero_p(pointer):
        return sign
    exponent = ctypes.c_long()
    text = LIBRARY.mpfr_get_str(None, ctypes.byref(exponent), 16, ctypes.c_size_t(0), pointer, 0)
    digits = ctypes.string_at(text).decode().lstrip("-")
    LIBRARY.mpfr_free_str(ctypes.c_void_p(text))
    size = Fraction(int(digits, 16)) * Fraction(16) ** (exponent.value - len(digits))
    return form.round(-size if negative else size, negative)


def evaluate(name, vector):
    """The result, "nan" for one, None for other instructions. v_rcp_f16 and v_rcp_f64 included."""
    parts = name.split("_")
    if parts[1] not in FUNCTIONS or parts[-1] not in n.FORMATS:
        return None
    form = n.FORMATS[parts[-1]]
    if form.is_nan(vector[0]):
        return "nan"
    if form.is_inf(vector[0]):
        x = float("-inf") if form.negative(vector[0]) else float("inf")
    elif form.is_zero(vector[0]):
        x = -0.0 if form.negative(vector[0]) else 0.0
    else:
        x = float(form.value(vector[0]))
    return pattern(form, call(parts[1], x))
