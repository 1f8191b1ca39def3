"""Reference arithmetic for the vector files: IEEE formats in exact rational arithmetic.

Written from IEEE 754 and the CDNA3 ISA guide, apart from src/number, which it checks. Values are
bit patterns; rounding is nearest-even; denormals are kept.
"""
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 120


class Format:
    def __init__(self, bits, mantissa):
        self.bits, self.mantissa = bits, mantissa
        self.exponent_bits = bits - 1 - mantissa
        self.bias = (1 << (self.exponent_bits - 1)) - 1
        self.sign = 1 << (bits - 1)
        self.infinity = ((1 << self.exponent_bits) - 1) << mantissa
        self.quiet = 1 << (mantissa - 1)
        self.nan = self.infinity | self.quiet

    def is_nan(self, a):
        return (a & (self.sign - 1)) > self.infinity

    def is_inf(self, a):
        return (a & (self.sign - 1)) == self.infinity

    def is_zero(self, a):
        return (a & (self.sign - 1)) == 0

    def is_denormal(self, a):
        return 0 < (a & (self.sign - 1)) < (1 << self.mantissa)

    def negative(self, a):
        return bool(a & self.sign)

    def value(self, a):
        """The rational value of a finite pattern."""
        field = (a >> self.mantissa) & ((1 << self.exponent_bits) - 1)
        fraction = a & ((1 << self.mantissa) - 1)
        if field:
            fraction |= 1 << self.mantissa
        else:
            field = 1
        scaled = Fraction(fraction) * Fraction(2) ** (field - self.bias - self.mantissa)
        return -scaled if self.negative(a) else scaled

    def round(self, x, zero_negative=False):
        """The pattern nearest to a rational, ties to even."""
        if x == 0:
            return self.sign if zero_negative else 0
        sign, x = (self.sign, -x) if x < 0 else (0, x)
        exponent = x.numerator.bit_length() - x.denominator.bit_length()
        if Fraction(2) ** exponent > x:
            exponent -= 1
        unit = max(exponent, 1 - self.bias) - self.mantissa
        scaled = x / Fraction(2) ** unit
        whole, rest = divmod(scaled.numerator, scaled.denominator)
        twice = 2 * rest - scaled.denominator
        if twice > 0 or (twice == 0 and whole & 1):
            whole += 1
        pattern = ((unit + self.mantissa + self.bias - 1) << self.mantissa) + whole
        return sign | min(pattern, self.infinity)

    def first_nan(self, *operands):
        for a in operands:
            if self.is_nan(a):
                return a | self.quiet
        return self.nan


F16, F32, F64 = Format(16, 10), Format(32, 23), Format(64, 52)
FORMATS = {"f16": F16, "f32": F32, "f64": F64}


def add(f, a, b):
    if f.is_nan(a) or f.is_nan(b):
        return f.first_nan(a, b)
    if f.is_inf(a):
        return f.nan if f.is_inf(b) and a != b else a
    if f.is_inf(b):
        return b
    return f.round(f.value(a) + f.value(b), f.negative(a) and f.negative(b))


def sub(f, a, b):
    return add(f, a, b if f.is_nan(b) else b ^ f.sign)


def mul(f, a, b):
    if f.is_nan(a) or f.is_nan(b):
        return f.first_nan(a, b)
    sign = (a ^ b) & f.sign
    if f.is_inf(a) or f.is_inf(b):
        return f.nan if f.is_zero(a) or f.is_zero(b) else sign | f.infinity
    return f.round(f.value(a) * f.value(b), bool(sign))


def fma(f, a, b, c):
    if f.is_nan(a) or f.is_nan(b) or f.is_nan(c):
        return f.first_nan(a, b, c)
    sign = (a ^ b) & f.sign
    if f.is_inf(a) or f.is_inf(b):
        if f.is_zero(a) or f.is_zero(b) or (f.is_inf(c) and (c & f.sign) != sign):
            return f.nan
        return sign | f.infinity
    if f.is_inf(c):
        return c
    return f.round(f.value(a) * f.value(b) + f.value(c), bool(sign) and f.negative(c))


def key(f, a):
    size = a & (f.sign - 1)
    return -size - 1 if f.negative(a) else size


def extremum(f, a, b, want_max):
    """IEEE mode: a signalling NaN wins, quieted; a quiet NaN loses; -0 is below +0."""
    for x in (a, b):
        if f.is_nan(x) and not x & f.quiet:
            return x | f.quiet
    if f.is_nan(a):
        return b
    if f.is_nan(b):
        return a
    return (max if want_max else min)((a, b), key=lambda x: key(f, x))


def compare(f, a, b):
    """'<', '=', '>' or '?'."""
    if f.is_nan(a) or f.is_nan(b):
        return "?"
    x, y = f.value_or_inf(a), f.value_or_inf(b)
    return "=" if x == y else ("<" if x < y else ">")


def value_or_inf(self, a):
    if self.is_inf(a):
        return Fraction(-(1 << 2000) if self.negative(a) else 1 << 2000)
    return self.value(a)


Format.value_or_inf = value_or_inf


def convert(to, source, a):
    if source.is_nan(a):
        payload = a & ((1 << source.mantissa) - 1)
        shift = to.mantissa - source.mantissa
        payload = payload << shift if shift >= 0 else payload >> -shift
        return (to.sign if source.negative(a) else 0) | to.infinity | payload | to.quiet
    if source.is_inf(a):
        return (to.sign if source.negative(a) else 0) | to.infinity
    return to.round(source.value(a), source.negative(a))


def to_integer(f, a, low, high):
    if f.is_nan(a):
        return 0
    x = f.value_or_inf(a)
    whole = abs(x).numerator // abs(x).denominator
    return max(low, min(high, -whole if x < 0 else whole))


def integral(f, a, how):
    """trunc, ceil, floor or rndne; the sign of zero stays."""
    if f.is_nan(a):
        return a | f.quiet
    if f.is_inf(a) or f.is_zero(a):
        return a
    x = f.value(a)
    floor = x.numerator // x.denominator
    if how == "floor":
        whole = floor
    elif how == "ceil":
        whole = floor if x == floor else floor + 1
    elif how == "trunc":
        whole = floor if x > 0 or x == floor else floor + 1
    else:
        twice = 2 * (x - floor)
        whole = floor + (1 if twice > 1 or (twice == 1 and floor & 1) else 0)
    return f.round(Fraction(whole), f.negative(a))


def fract(f, a):
    if f.is_nan(a):
        return a | f.quiet
    if f.is_inf(a):
        return f.nan
    x = f.value(a)
    result = f.round(x - x.numerator // x.denominator)
    one = f.bias << f.mantissa
    return min(result, one - 1)


def frexp(f, a):
    """(mantissa pattern, exponent)."""
    if f.is_nan(a):
        return a | f.quiet, 0
    if f.is_inf(a) or f.is_zero(a):
        return a, 0
    x = abs(f.value(a))
    exponent = 0
    while x >= 1:
        x, exponent = x / 2, exponent + 1
    while x < Fraction(1, 2):
        x, exponent = x * 2, exponent - 1
    return f.round(x) | (a & f.sign), exponent


def ldexp(f, a, exponent):
    if f.is_nan(a):
        return a | f.quiet
    if f.is_inf(a) or f.is_zero(a):
        return a
    exponent = max(-5000, min(5000, exponent))
    return f.round(f.value(a) * Fraction(2) ** exponent)


def flush(f, a):
    return a & f.sign if f.is_denormal(a) else a


def rcp(f, a):
    """1 / a; f32 takes and gives denormals as zero."""
    if f is F32:
        a = flush(f, a)
    if f.is_nan(a):
        return a | f.quiet
    if f.is_zero(a):
        return f.infinity | (a & f.sign)
    if f.is_inf(a):
        return a & f.sign
    result = f.round(1 / f.value(a))
    return flush(f, result) if f is F32 else result


def decimal_of(x):
    return Decimal(x.numerator) / Decimal(x.denominator)


def real_function(f, a, function, flushes):
    """A positive-domain or total function through 120 decimal digits."""
    if flushes:
        a = flush(f, a)
    result = function(a)
    if isinstance(result, Decimal):
        result = f.round(Fraction(result))
        return flush(f, result) if flushes else result
    return result


def sqrt(f, a):
    def exact(x):
        if f.is_nan(x):
            return x | f.quiet
        if f.is_zero(x):
            return x
        if f.negative(x):
            return f.nan | f.sign
        return x if f.is_inf(x) else decimal_of(f.value(x)).sqrt()
    return real_function(f, a, exact, f is F32)


def rsq(f, a):
    def exact(x):
        if f.is_nan(x):
            return x | f.quiet
        if f.is_zero(x):
            return f.infinity | (x & f.sign)
        if f.negative(x):
            return f.nan | f.sign
        return 0 if f.is_inf(x) else 1 / decimal_of(f.value(x)).sqrt()
    return real_function(f, a, exact, f is F32)


def exp2(f, a):
    def exact(x):
        if f.is_nan(x):
            return x | f.quiet
        if f.is_inf(x):
            return 0 if f.negative(x) else x
        bounded = max(Fraction(-2000), min(Fraction(2000), f.value(x)))
        return (decimal_of(bounded) * Decimal(2).ln()).exp()
    return real_function(f, a, exact, f is F32)


def log2(f, a):
    def exact(x):
        if f.is_nan(x):
            return x | f.quiet
        if f.is_zero(x):
            return f.infinity | f.sign
        if f.negative(x):
            return f.nan | f.sign
        return x if f.is_inf(x) else decimal_of(f.value(x)).ln() / Decimal(2).ln()
    return real_function(f, a, exact, f is F32)


def mad(f, a, b, c):
    """Product and sum, each rounded."""
    if f.is_nan(a) or f.is_nan(b) or f.is_nan(c):
        return f.first_nan(a, b, c)
    return add(f, mul(f, a, b), c)


def mad_flushed(f, a, b, c):
    a, b, c = flush(f, a), flush(f, b), flush(f, c)
    if f.is_nan(a) or f.is_nan(b) or f.is_nan(c):
        return f.first_nan(a, b, c)
    return flush(f, add(f, flush(f, mul(f, a, b)), c))


def toward_zero(to, source, a):
    if source.is_nan(a) or source.is_inf(a):
        return convert(to, source, a)
    nearest = to.round(source.value(a), source.negative(a))
    if to.is_inf(nearest) or abs(to.value(nearest)) > abs(source.value(a)):
        nearest -= 1
    return nearest


def cube(f, x, y, z):
    """(face, s, t, twice the major axis); ties prefer z, then y."""
    def size(a):
        return Fraction(-1) if f.is_nan(a) else abs(f.value_or_inf(a))

    def at_least(a, b):
        return not f.is_nan(a) and not f.is_nan(b) and size(a) >= size(b)

    def below(a):
        return not f.is_nan(a) and f.value_or_inf(a) < 0

    def minus(a):
        return a ^ f.sign
    if at_least(z, x) and at_least(z, y):
        face, s, t, major = 4 + below(z), minus(x) if below(z) else x, minus(y), z
    elif at_least(y, x):
        face, s, t, major = 2 + below(y), x, minus(z) if below(y) else z, y
    else:
        face, s, t, major = 0 + below(x), z if below(x) else minus(z), minus(y), x
    return f.round(Fraction(face)), s, t, add(f, major, major)


def sine(x):
    """Of a Decimal angle within a turn, by its series."""
    term, total, k = x, x, 1
    while abs(term) > Decimal(10) ** -100:
        term = -term * x * x / ((k + 1) * (k + 2))
        total, k = total + term, k + 2
    return total


def pi():
    """Machin: 16 atan(1/5) - 4 atan(1/239)."""
    def arctan_inverse(n):
        power, total, k = Decimal(1) / n, Decimal(1) / n, 1
        while power > Decimal(10) ** -118:
            power, k = power / (n * n), k + 2
            total += (-power if k % 4 == 3 else power) / k
        return total
    return 16 * arctan_inverse(5) - 4 * arctan_inverse(239)


PI = pi()


def turn(f, a, quarters):
    """Sine of a revolutions and a quarter more for cosine; only the sine of -0 is -0."""
    if f.is_nan(a):
        return a | f.quiet
    if f.is_inf(a):
        return f.nan | f.sign
    x = f.value(a)
    angle = x + Fraction(quarters, 4)
    rest = angle - (angle.numerator // angle.denominator)
    if (4 * rest).denominator == 1:
        exact = (0, 1, 0, -1)[int(4 * rest)]
        return f.round(Fraction(exact), x == 0 and quarters == 0 and f.negative(a))
    if rest > Fraction(1, 2):
        rest -= 1
    result = sine(decimal_of(rest) * 2 * PI)
    if abs(x) < Fraction(1, 1 << 60) and quarters == 0:
        result = decimal_of(x) * 2 * PI
    return f.round(Fraction(result))


def nearest_integer(x):
    whole = x.numerator // x.denominator
    twice = 2 * (x - whole)
    return whole + (1 if twice > 1 or (twice == 1 and whole & 1) else 0)


def normalized(f, a, low, steps):
    """Clamped to [low, 1], times steps, to nearest."""
    if f.is_nan(a):
        return 0
    return nearest_integer(max(Fraction(low), min(Fraction(1), f.value_or_inf(a))) * steps)


def half_added_floor(a):
    """v_cvt_rpi_i32_f32: floor of the f32 sum a + 0.5, stopped at the ends of i32."""
    return to_integer(F32, integral(F32, add(F32, a, 0x3f000000), "floor"), -(1 << 31),
                      (1 << 31) - 1) & 0xffffffff


def mad_legacy(a, b, c):
    """v_mad_legacy_f32: as mad_flushed, with 0 times anything 0."""
    a, b, c = (flush(F32, x) for x in (a, b, c))
    zero = F32.is_zero(a) or F32.is_zero(b)
    return flush(F32, add(F32, 0 if zero else flush(F32, mul(F32, a, b)), c))


def fnuz(a, bias, mantissa):
    """An 8-bit float without infinity and -0 as f32; 0x80 is its NaN."""
    if a == 0x80:
        return F32.nan
    field, fraction = (a & 0x7f) >> mantissa, a & ((1 << mantissa) - 1)
    scaled = Fraction(fraction + (1 << mantissa if field else 0)) * Fraction(2) ** (
        max(field, 1) - bias - mantissa)
    return F32.round(-scaled if a & 0x80 else scaled)
