"""The operations that random expressions are made of, as templates.

    <u32>       an expression of that type; <K> of the form's own type, <cond> a condition
    {+ - *}     one of these words
    #8          a number below 8
    name[T]     name<T>, a template with its argument
    $K $S $W    the own type, its signed twin, the type in which it is calculated
    $M $B       its number of bits - 1, its number of bits

Every form has one right answer for all operands; see arithmetic.hpp and floating.hpp. Not among
them, since LLVM 19 makes wrong code for them: see opaque() in arithmetic.hpp.
"""

INTEGER = [
    "$K($W(<K>) {+ - * & | ^ + - *} $W(<K>))",
    "$K($W(<K>) {+ - * & | ^ + - *} $W(<K>))",
    "$K($W(<K>) {+ - * & | ^} $W(<constant>))",
    "$K(<K> << (<K> & $M))",
    "$K(<K> >> (<K> & $M))",
    "$K($S(<K>) >> #$B)",
    "$K($S(<K>) >> (<K> & $M))",
    "$K(($W(<K>) << #5) + $W(<K>))",
    "$K(($W(<K>) + $W(<K>)) << #8)",
    "$K(($W(<K>) & $W(<K>)) | $W(<K>))",
    "$K($W(<K>) + $W(<K>) + $W(<K>))",
    "$K($W(<K>) * $W(<K>) + $W(<K>))",
    "$K((<K> >> #$B) & {1 3 7 15 31 63 127 255})",
    "(<cond> ? <K> : <K>)",
    "{smaller larger}[{$K $S}](<K>, <K>)",
    "smaller[{$K $S}](larger[{$K $S}](<K>, <K>), <K>)",
    "median[{$K $S}](<K>, <K>, <K>)",
    "$K(~<K>)",
    "$K(-$W(<K>))",
    "$K(<to_integer>)",
    "saturated[{$K $S}](<{f16 f32 f32 f64}>)",
    "$K(<{u8 u16 u32 u64}>)",
    "$K({s8 s16 s32 s64}(<{u8 u16 u32 u64}>))",
    "population[$K](<K>)",
]
DIVISION = ["$K({quotient modulo}[{$K $S}](<K>, <K>))",
            "$K({quotient modulo}[$K](<K>, <constant>))"]
SPECIAL = {
    "u8": ["__builtin_bitreverse8(<u8>)", "__builtin_rotate{left right}8(<u8>, <u8>)",
           "u8(bits(<f16>) >> 8)", "u8(number_class(<{f32 f64}>))"],
    "u16": ["__builtin_bitreverse16(<u16>)", "__builtin_bswap16(<u16>)",
            "__builtin_rotate{left right}16(<u16>, <u16>)", "bits(<f16>)",
            "__builtin_elementwise_{add sub}_sat(u16(<u16>), u16(<u16>))",
            "u16(<v2u16>.{x y})"],
    "u32": ["__builtin_rotate{left right}32(<u32>, <u32>)",
            "__builtin_bitreverse32(<u32>)", "__builtin_bswap32(<u32>)",
            "{count_zeros_high count_zeros_low first_set}(u32(<u32>))",
            "{high_product high_product_signed}(u32(<u32>), u32(<u32>))",
            "{product_24 difference average_bytes}(<u32>, <u32>)",
            "{end_around_sum product_or_zero}[{u32 s32}](<u32>, <u32>)",
            "__builtin_elementwise_{add sub}_sat(u32(<u32>), u32(<u32>))",
            "u32(__builtin_elementwise_{add sub}_sat(s32(<u32>), s32(<u32>)))",
            "u32(s32(s16(<u32>)) * s32(s16(<u32>)))", "u32(<u64> >> #33)", "u32(<u128> >> #97)",
            "funnel(u32(<u32>), u32(<u32>), {#32 <u32>})",
            "{bit_field bit_field_signed}(<u32>, {#32 <u32>}, {#32 <u32>})",
            "merge_bits(<u32>, <u32>, <u32>)",
            "{sum_of_byte_differences dot_of_bytes dot_of_signed_bytes}(<u32>, <u32>, <u32>)",
            "{select_bytes shift_out_bytes}(<u32>, <u32>, <u32>)",
            "bits(<f32>)", "number_class(<{f32 f64}>)", "bit_cast[u32](v2u16(<v2u16>))"],
    "u64": ["__builtin_rotate{left right}64(<u64>, <u64>)", "__builtin_bitreverse64(<u64>)",
            "__builtin_bswap64(<u64>)",
            "{count_zeros_high count_zeros_low first_set}(u64(<u64>))",
            "{high_product high_product_signed}(u64(<u64>), u64(<u64>))",
            "{end_around_sum product_or_zero}[{u64 s64}](<u64>, <u64>)",
            "u64(__builtin_elementwise_{add sub}_sat({u64 s64}(<u64>), <u64>))",
            "(u64(<u32>) * u64(<u32>) + <u64>)", "u64(s64(s32(<u32>)) * s64(s32(<u32>)))",
            "funnel(u64(<u64>), u64(<u64>), {#64 <u64>})", "u64(<u128> >> #65)",
            "(u64(<u32>) << 32 | <u64>)", "bits(<f64>)"],
    "u128": ["(u128(<u64>) * u128(<u64>) + <u128>)", "u128(s128(s64(<u64>)) * s128(s64(<u64>)))",
             "{count_zeros_high count_zeros_low}(u128(<u128>))", "(u128(<u64>) << 64 | <u128>)"],
}
WITH_AREA = {
    "u32": ["at(table, <u32>)", "at(table, u.{a b} + #256)",
            "u32(load[{u16 u32 s16}](area + (<u32> & 63)))",
            "lookup(<u32>)", "u32(fields.{a b d f})"],
    "u64": ["(u64(at(table, <u32>)) << 32 | <u64>)", "load[u64](area + (<u32> & 63))",
            "u64(fields.{b c d e})"],
    "u128": ["load[u128](area + (<u32> & 63))"],
    "u8": ["load[u8](area + (<u32> & 63))"],
    "u16": ["load[u16](area + (<u32> & 63))"],
}

FLOATING = [
    "{plus minus times}[$K](<K>, <K>)", "{plus minus times}[$K](<K>, <K>)",
    "{plus minus times}[$K](<K>, <K>)", "$K(-<K>)",
    "{smaller larger}[$K](<K>, <K>)", "(<cond> ? <K> : <K>)",
    "$K({u32 s32}(<u32>))", "$K({u8 s8 u16 s16}(<{u8 u16}>))", "clamped(<K>)",
    "fused(<K>, {<K> -<K>}, <K>)",
    "{down up nearest towards_zero magnitude}($K(<K>))",
]
FLOATING_OF = {
    "f16": ["f16(opaque(<f32>))", "f16(opaque(<f64>))", "<v2f16>.{x y}",
            "bit_cast[f16](opaque(u16(<u16>)))"],
    "f32": ["f32(<f64>)", "f32(<f16>)", "f32({u64 s64}(<u64>))",
            "bit_cast[f32](opaque(u32(<u32>)))",
            "half_away(<f32>)", "with_sign(<f32>, <f32>)", "scaled(<f32>, <u32>)",
            "fraction_and_exponent(<f32>)", "smaller[f32](larger[f32](<f32>, <f32>), <f32>)",
            "median[f32](<f32>, <f32>, <f32>)", "<v2f32>.{x y}"],
    "f64": ["f64(<f32>)", "f64(<f16>)", "f64({u64 s64}(<u64>))", "bit_cast[f64](u64(<u64>))",
            "half_away(<f64>)", "with_sign(<f64>, <f64>)", "scaled(<f64>, <u32>)",
            "fraction_and_exponent(<f64>)"],
}
FLOATING_LONG = {  # many instructions each
    "f16": ["f16(opaque(<f32>))"],
    "f32": ["root(<f32>)", "(<f32> / <f32>)", "root(<f32>)", "(<f32> / <f32>)",
            "remainder_of(<f32>, <f32>)", "f32({u128 s128}(<u128>))"],
    "f64": ["root(<f64>)", "(<f64> / <f64>)", "root(<f64>)", "(<f64> / <f64>)",
            "remainder_of(<f64>, <f64>)", "f64({u128 s128}(<u128>))"],
}
TO_INTEGER = {  # 0 where the value does not fit
    "u64": "{to_s64 to_u64}(<{f32 f64}>)",
    "u128": "{to_s64 to_u64}(<{f32 f64}>)",
    "other": "{to_s32 to_u32}(<{f32 f64}>)",
}

VECTOR = ["(<K> {+ - *} <K>)", "(<K> {+ - *} <K>)", "<K>.yx"]
VECTOR_OF = {
    "v2u16": ["(<K> {& | ^} <K>)", "(<K> << (<K> & v2u16(15)))", "(<K> >> (<K> & v2u16(15)))",
              "__builtin_elementwise_{min max add_sat sub_sat}(v2u16(<K>), v2u16(<K>))",
              "bit_cast[v2u16](u32(<u32>))", "v2_of[v2u16](<u16>, <u16>)"],
    "v2f16": ["(-<K>)", "v2_of[v2f16](<f16>, <f16>)", "bit_cast[v2f16](opaque(u32(<u32>)))"],
    "v2f32": ["(-<K>)", "v2_of[v2f32](<f32>, <f32>)",
              "__builtin_elementwise_fma(v2f32(<K>), v2f32(<K>), v2f32(<K>))"],
}
