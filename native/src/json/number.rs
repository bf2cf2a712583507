//! Decimal numbers to float64, correctly rounded, as Python's `float()` does.

/// 10^0 to 10^19: all the powers of ten that fit 64 bits.
const POWERS: [u64; 20] = {
    let mut powers = [1u64; 20];
    let mut i = 1;
    while i < 20 {
        powers[i] = powers[i - 1] * 10;
        i += 1;
    }
    powers
};

/// 10^0 to 10^15 as float64, which holds them exactly.
const EXACT_POWERS: [f64; 16] = {
    let mut powers = [1.0; 16];
    let mut i = 1;
    while i < 16 {
        powers[i] = POWERS[i] as f64;
        i += 1;
    }
    powers
};

/// Float64 holds every integer up to here.
const EXACT: u64 = 1 << 53;

/// A number as scanned: `length` bytes of JSON grammar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scanned {
    pub length: usize,
    pub negative: bool,
    /// The digits before the exponent as one integer; it and `fraction` mean nothing when `long`.
    pub digits: u64,
    /// The number is `digits` over ten to this.
    pub fraction: u32,
    /// More than 19 digits, or a power of ten out of reach: the text itself must be read.
    pub long: bool,
    /// No point and no exponent.
    pub whole: bool,
}

/// The highest bit of each byte of `word` that is no ASCII digit, up to the first byte from 0xBA on (whose carry may set
/// the next one's).
#[inline(always)]
fn beyond_digits(word: u64) -> u64 {
    let shifted = word ^ 0x3030_3030_3030_3030;
    // A byte above 9 sets its high bit, either itself or by the addition.
    (shifted.wrapping_add(0x7676_7676_7676_7676) | shifted) & 0x8080_8080_8080_8080
}

/// Number of leading ASCII digits in the eight bytes of `word` (little endian).
#[inline(always)]
fn leading_digits(word: u64) -> u32 {
    beyond_digits(word).trailing_zeros() / 8
}

/// Value of the first `count` (0 to 8) digits of `word`.
#[inline(always)]
fn digits_value(word: u64, count: u32) -> u64 {
    if count == 0 {
        return 0;
    }
    // Shifts the digits to the top: what enters below counts as leading zeros.
    let mut value = (word ^ 0x3030_3030_3030_3030) << (64 - 8 * count);
    value = (value.wrapping_mul(10)).wrapping_add(value >> 8);
    let low = (value & 0x0000_00FF_0000_00FF).wrapping_mul(0x000F_4240_0000_0064);
    let high = ((value >> 16) & 0x0000_00FF_0000_00FF).wrapping_mul(0x0000_2710_0000_0001);
    (low.wrapping_add(high)) >> 32
}

/// Reads a run of digits at `at`: their value, and how many (the value wraps past 19).
#[inline(always)]
fn digit_run(bytes: &[u8], at: usize) -> (u64, u32) {
    let mut value = 0u64;
    let mut count = 0u32;
    let mut rest = &bytes[at..];
    while let Some(word) = rest.first_chunk::<8>() {
        let word = u64::from_le_bytes(*word);
        let here = leading_digits(word);
        value = value.wrapping_mul(POWERS[here as usize]).wrapping_add(digits_value(word, here));
        count += here;
        if here < 8 {
            return (value, count);
        }
        rest = &rest[8..];
    }
    for &byte in rest {
        if !byte.is_ascii_digit() {
            break;
        }
        value = value.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
        count += 1;
    }
    (value, count)
}

/// A number of the usual form and the place behind it: at most seven digits before the point and fifteen behind it, no
/// exponent, and not near the end of the bytes. None says nothing about other forms. A byte that would prolong the number
/// is left for the caller to refuse.
#[inline(always)]
pub fn usual(bytes: &[u8], at: usize) -> Option<(f64, usize)> {
    let window: &[u8; 32] = bytes.get(at..)?.first_chunk()?;
    let negative = window[0] == b'-';
    let start = usize::from(negative);
    let word = |from: usize| u64::from_le_bytes(window[from..from + 8].try_into().expect("eight bytes"));
    let first = word(start);
    let beyond = beyond_digits(first);
    let before = (beyond.trailing_zeros() / 8) as usize;
    if before == 0 || before == 8 || (before > 1 && window[start] == b'0') {
        return None;
    }
    let point = start + before;
    if window[point] != b'.' {
        let value = digits_value(first, before as u32) as f64;
        return Some((if negative { -value } else { value }, at + point));
    }
    // The point's own bit is the lowest. If the number ends in these eight bytes, they say all.
    let behind = beyond & (beyond - 1);
    if behind != 0 {
        let after = (behind.trailing_zeros() / 8) as usize - before - 1;
        if after == 0 {
            return None;
        }
        let whole = first & ((1 << (8 * before)) - 1);
        let joined = whole | (first >> (8 * before + 8) << (8 * before));
        let value = digits_value(joined, (before + after) as u32) as f64 / EXACT_POWERS[after];
        return Some((if negative { -value } else { value }, at + point + 1 + after));
    }
    let mut digits = digits_value(first, before as u32);
    let second = word(point + 1);
    let mut after = leading_digits(second) as usize;
    if after == 0 {
        return None;
    }
    digits = digits * POWERS[after] + digits_value(second, after as u32);
    if after == 8 {
        let third = word(point + 9);
        let further = leading_digits(third) as usize;
        if further == 8 || before + 8 + further > 19 {
            return None;
        }
        digits = digits * POWERS[further] + digits_value(third, further as u32);
        after += further;
    }
    let value = if digits <= EXACT { digits as f64 / EXACT_POWERS[after] } else { divide(digits, POWERS[after]) };
    Some((if negative { -value } else { value }, at + point + 1 + after))
}

/// A whole number of at most seven digits without a sign, and the place behind it; on the same terms.
#[inline(always)]
pub fn usual_integer(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let word = u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
    let count = leading_digits(word);
    if count == 0 || count == 8 || (count > 1 && bytes[at] == b'0') {
        return None;
    }
    Some((digits_value(word, count), at + count as usize))
}

/// Scans a JSON number at `at`; the offset of the byte at fault when there is none.
#[inline(always)]
pub fn scan(bytes: &[u8], at: usize) -> Result<Scanned, usize> {
    let negative = bytes.get(at) == Some(&b'-');
    let start = at + usize::from(negative);
    if start >= bytes.len() {
        return Err(start);
    }
    let (mut digits, before) = digit_run(bytes, start);
    if before == 0 || (before > 1 && bytes[start] == b'0') {
        return Err(start);
    }
    let mut end = start + before as usize;
    let (mut fraction, mut whole, mut long) = (0, true, false);
    if bytes.get(end) == Some(&b'.') {
        let (value, after) = if end + 1 < bytes.len() { digit_run(bytes, end + 1) } else { (0, 0) };
        if after == 0 {
            return Err(end + 1);
        }
        whole = false;
        fraction = after;
        digits = digits.wrapping_mul(POWERS[(after as usize).min(19)]).wrapping_add(value);
        end += 1 + after as usize;
    }
    if before + fraction > 19 {
        long = true;
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        let (down, length) = exponent(bytes, end + 1)?;
        let power = i64::from(fraction) + down;
        (whole, long) = (false, long || !(0..20).contains(&power));
        fraction = power as u32;
        end += 1 + length;
    }
    Ok(Scanned { length: end - at, negative, digits, fraction, long, whole })
}

/// By how many places an exponent shifts to the right, and the bytes it takes; or the place where it goes wrong.
fn exponent(bytes: &[u8], at: usize) -> Result<(i64, usize), usize> {
    let sign = bytes.get(at).filter(|sign| matches!(sign, b'+' | b'-'));
    let from = at + usize::from(sign.is_some());
    let digits = bytes.get(from..).unwrap_or(&[]).iter().take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 {
        return Err(from);
    }
    let value = bytes[from..from + digits].iter().fold(0i64, |value, b| (value * 10 + i64::from(b - b'0')).min(9999));
    Ok((if sign == Some(&b'-') { value } else { -value }, from + digits - at))
}

impl Scanned {
    /// The float64 nearest to the number (ties to even), infinite beyond the range.
    #[inline(always)]
    pub fn to_f64(self, bytes: &[u8], at: usize) -> f64 {
        if self.long {
            return read_text(&bytes[at..at + self.length]);
        }
        let magnitude = if self.fraction == 0 {
            self.digits as f64
        } else if self.digits <= EXACT {
            // Both are exact, 10^19 included (it has 45 significant bits), so the one division rounds once.
            self.digits as f64 / POWERS[self.fraction as usize] as f64
        } else {
            divide(self.digits, POWERS[self.fraction as usize])
        };
        if self.negative { -magnitude } else { magnitude }
    }
}

#[cold]
fn read_text(text: &[u8]) -> f64 {
    std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()).unwrap_or(f64::NAN)
}

/// `numerator / denominator`, both not 0, rounded once: the quotient to at least 63 bits, with what is left over
/// folded into its lowest bit, far below the 53 that stay.
#[inline]
fn divide(numerator: u64, denominator: u64) -> f64 {
    let (up, down) = (numerator.leading_zeros(), denominator.leading_zeros());
    let dividend = u128::from(numerator << up) << 63;
    let divisor = u128::from(denominator << down);
    let quotient = (dividend / divisor) as u64;
    let sticky = u64::from(dividend % divisor != 0);
    let exponent = down as i32 - up as i32 - 63;
    // The exponent lies in -126..=0: a power of two that float64 holds, and a product that is exact.
    (quotient | sticky) as f64 * f64::from_bits(((1023 + exponent) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> f64 {
        let padded = format!("{text},        ");
        let scanned = scan(padded.as_bytes(), 0).unwrap();
        assert_eq!(scanned.length, text.len(), "{text}");
        let short = scan(text.as_bytes(), 0).unwrap();
        assert_eq!(short, scanned, "at the end of the bytes: {text}");
        let value = scanned.to_f64(padded.as_bytes(), 0);
        if let Some((usual, end)) = usual(format!("{padded:40}").as_bytes(), 0).filter(|&(_, end)| end == text.len()) {
            assert_eq!(usual.to_bits(), value.to_bits(), "{text}");
            assert_eq!(end, text.len());
        }
        value
    }

    #[test]
    fn usual_numbers_are_most_numbers() {
        let read = |text: &str| usual(format!("{text:<40}").as_bytes(), 0);
        assert_eq!(read("0.20665893, "), Some((0.20665893, 10)));
        assert_eq!(read("-12.5]"), Some((-12.5, 5)));
        assert_eq!(read("1234567}"), Some((1234567.0, 7)));
        assert_eq!(read("0.123456789012345,"), Some((0.123456789012345, 17)));
        for text in ["12345678,", "01,", "-,", "1.,", ".5", "x", "0.1234567890123456,"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(usual(b"1,", 0), None);
    }

    #[test]
    fn numbers_round_as_the_standard_library_rounds() {
        let mut state = 0x1234_5678_9ABC_DEF0u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for round in 0..400_000u32 {
            let bits = next();
            let text = match round % 4 {
                0 => format!("{}.{:0width$}", bits % 2000, next() >> 20, width = (round % 17) as usize + 1),
                1 => format!("{:?}", f64::from_bits((bits >> 12) | (1023u64 << 52)) * 300.0),
                2 if round % 8 == 2 => format!("{:e}", f64::from_bits((bits >> 12) | (1023u64 << 52)) / 1e5),
                2 => format!("-{}.{}", bits % 10, next()),
                _ => format!("{}", bits),
            };
            assert_eq!(value(&text).to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
        }
    }

    #[test]
    fn hard_roundings() {
        for text in [
            "0.0",
            "-0.0",
            "0",
            "-0",
            "9007199254740993",
            "9007199254740992.5",
            "9007199254740993.0",
            "1e400",
            "-1e-400",
            "4503599627370496.5",
            "1.5e-5",
            "123e-19",
            "123e-20",
            "0.0001e4",
            "9e99999999999999999999",
            "0e5",
            "4503599627370497.5",
            "0.1",
            "123.456e-7",
            "1E5",
            "18446744073709551615",
            "99999999999999999999999.5",
            "0.30000000000000004",
            "1.7976931348623157e308",
        ] {
            assert_eq!(value(text).to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
        }
    }

    #[test]
    fn what_is_not_json_is_refused_where_it_goes_wrong() {
        for (text, at) in
            [("", 0), ("-", 1), ("01", 0), (".5", 0), ("1.", 2), ("1.e5", 2), ("1e", 2), ("1e+", 3), ("x", 0)]
        {
            assert_eq!(scan(text.as_bytes(), 0), Err(at), "{text}");
        }
    }
}
