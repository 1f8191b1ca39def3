"""The third opinion on roots, exponentials and logarithms: the host's libm in double, rounded."""
import math
from fractions import Fraction

import reference_numbers as n

FUNCTIONS = {"sqrt": math.sqrt, "rsq": lambda x: 1 / math.sqrt(x), "exp": math.exp2,
             "log": math.log2, "rcp": lambda x: 1 / x}


def evaluate(name, vector):
    """The result, or None for other instructions and where the function is not a finite number."""
    parts = name.split("_")
    function = FUNCTIONS.get(parts[1])
    if function is None or parts[-1] not in n.FORMATS:
        return None
    form = n.FORMATS[parts[-1]]
    a = vector[0]
    if form.is_nan(a) or form.is_inf(a) or form.is_zero(a):
        return None
    try:
        return form.round(Fraction(function(float(form.value(a)))))
    except (ValueError, OverflowError, ZeroDivisionError):
        return None
