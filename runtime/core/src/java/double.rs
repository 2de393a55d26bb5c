//! `Double.toString` and `Double.valueOf`.

mod digits;

/// `Double.toString` up to JDK 18.
pub fn double_to_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    if value == 0.0 {
        return if value.is_sign_negative() {
            "-0.0"
        } else {
            "0.0"
        }
        .to_owned();
    }
    let found = digits::digits(value.abs());
    let digits: String = found
        .digits
        .iter()
        .map(|digit| char::from(b'0' + digit))
        .collect();
    let sign = if value < 0.0 { "-" } else { "" };
    let exponent = found.exponent;
    match exponent {
        // 1,234.5: the point is within the digits or after padding zeros.
        0..=6 => {
            let whole_length = usize::try_from(exponent).unwrap_or(0) + 1;
            if digits.len() <= whole_length {
                format!("{sign}{digits:0<whole_length$}.0")
            } else {
                let (whole, fraction) = digits.split_at(whole_length);
                format!("{sign}{whole}.{fraction}")
            }
        }
        // 0.00123
        -3..=-1 => {
            let zeros = usize::try_from(-exponent - 1).unwrap_or(0);
            format!("{sign}0.{:0<zeros$}{digits}", "")
        }
        _ => {
            let (first, rest) = digits.split_at(1);
            let rest = if rest.is_empty() { "0" } else { rest };
            format!("{sign}{first}.{rest}E{exponent}")
        }
    }
}

/// `Double.valueOf`: surrounding blanks are ignored, a type suffix `f` or `d` may follow, and `NaN`, `Infinity`, and hexadecimal
/// numbers such as `0x1.8p3` are accepted.
pub fn parse_double(text: &str) -> Option<f64> {
    let text = super::trim(text);
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let magnitude = match unsigned {
        "NaN" => f64::NAN,
        "Infinity" => f64::INFINITY,
        number => {
            let number = number.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(number);
            match number.strip_prefix("0x").or(number.strip_prefix("0X")) {
                Some(hexadecimal) => parse_hexadecimal(hexadecimal)?,
                None => parse_decimal(number)?,
            }
        }
    };
    Some(sign * magnitude)
}

fn parse_decimal(number: &str) -> Option<f64> {
    let (mantissa, exponent) = match number.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (number, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = is_digits(whole)
        && is_digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(|exponent| signed_digits(exponent).is_some());
    // Rust's own parser accepts everything that is left and rounds as Java does.
    if is_number { number.parse().ok() } else { None }
}

/// Sign and digits of an exponent.
fn signed_digits(exponent: &str) -> Option<(bool, &str)> {
    let (negative, digits) = match exponent.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, exponent.strip_prefix('+').unwrap_or(exponent)),
    };
    let is_valid = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_valid.then_some((negative, digits))
}

/// The part after `0x`: hexadecimal digits with a point, and a mandatory binary exponent.
fn parse_hexadecimal(number: &str) -> Option<f64> {
    let (mantissa, exponent) = number.split_once(['p', 'P'])?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let (negative, exponent) = signed_digits(exponent)?;
    // Beyond this, no digits that fit into memory can bring the number back into range.
    let exponent: i64 = exponent.parse().unwrap_or(i64::MAX).min(1 << 40);
    let mut exponent = if negative { -exponent } else { exponent };

    // The leading 60 bits; the lowest bit is a sticky bit for any nonzero digits after them.
    let mut bits: u64 = 0;
    for digit in whole.chars().chain(fraction.chars()) {
        let digit = u64::from(digit.to_digit(16)?);
        if bits >> 60 == 0 {
            bits = bits << 4 | digit;
        } else {
            bits |= u64::from(digit != 0);
            exponent += 4;
        }
    }
    exponent -= 4 * i64::try_from(fraction.len()).unwrap_or(i64::MAX >> 3);
    Some(scale(bits, exponent))
}

/// `bits * 2^exponent`, rounded once, to nearest, ties to even.
fn scale(bits: u64, exponent: i64) -> f64 {
    if bits == 0 {
        return 0.0;
    }
    let length = i64::from(u64::BITS - bits.leading_zeros());
    let top = exponent + length - 1;
    if top > 1_023 {
        return f64::INFINITY;
    }
    // 53 bits for a normal number, fewer for a subnormal one, whose last bit is 2^-1074.
    let last = (top - 52).max(-1_074);
    let dropped = last - exponent;
    let rounded = if dropped <= 0 {
        // At most 53 bits long, so no bit is lost.
        bits << -dropped
    } else if dropped > 64 {
        0
    } else {
        let wide = u128::from(bits);
        let kept = wide >> dropped;
        let rest = wide & ((1 << dropped) - 1);
        let half = 1 << (dropped - 1);
        let up = rest > half || rest == half && kept & 1 == 1;
        // `kept` is below 2^53, so rounding up gives at most 2^53.
        u64::try_from(kept).unwrap_or(u64::MAX >> 11) + u64::from(up)
    };
    // Both factors are exact, and so is the product, because it has already been rounded.
    let halfway = last / 2;
    rounded as f64 * power_of_two(halfway) * power_of_two(last - halfway)
}

fn power_of_two(exponent: i64) -> f64 {
    2.0_f64.powi(i32::try_from(exponent).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_printed_in_the_layout_of_java() {
        let vectors = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (2.0, "2.0"),
            (2.5, "2.5"),
            (-2.5, "-2.5"),
            (100.0, "100.0"),
            (1_234_567.0, "1234567.0"),
            (9_999_999.0, "9999999.0"),
            (1e7, "1.0E7"),
            (1e10, "1.0E10"),
            (123_456_789.0, "1.23456789E8"),
            (0.1, "0.1"),
            (0.001, "0.001"),
            (0.001_23, "0.00123"),
            (0.000_1, "1.0E-4"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1.0 / 3.0, "0.3333333333333333"),
            // More digits than are needed to read the number back.
            (1e23, "9.999999999999999E22"),
            (2e23, "1.9999999999999998E23"),
            (8.41e21, "8.409999999999999E21"),
            (2e-3, "0.002"),
            (7.274_428_978_706_306e16, "7.2744289787063056E16"),
            (3.505_621_568_964_964e18, "3.5056215689649638E18"),
            // On the margin: cases that Java computes with machine words and others that it does not.
            (20_048_793_820_408.563, "2.0048793820408562E13"),
            (
                f64::from_bits(0x453f_2b6c_6e5f_1836),
                "3.7681762368278946E25",
            ),
            (9_223_372_036_854_775_807.0, "9.223372036854776E18"),
            (f64::MAX, "1.7976931348623157E308"),
            (f64::MIN_POSITIVE, "2.2250738585072014E-308"),
            (f64::from_bits(1), "4.9E-324"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "Infinity"),
            (f64::NEG_INFINITY, "-Infinity"),
        ];
        for (value, expected) in vectors {
            assert_eq!(double_to_text(value), expected);
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..Default::default() })]

        #[test]
        fn what_is_printed_is_read_as_the_same_number(bits in proptest::prelude::any::<u64>()) {
            let value = f64::from_bits(bits);
            let read = parse_double(&double_to_text(value));
            proptest::prop_assert!(read == Some(value) || value.is_nan());
        }
    }

    #[test]
    fn doubles_are_read_as_java_reads_them() {
        let vectors = [
            ("1", Some(1.0)),
            ("1.", Some(1.0)),
            (".5", Some(0.5)),
            ("1e3", Some(1000.0)),
            ("1E+3", Some(1000.0)),
            ("1e-3", Some(0.001)),
            (" 1.5\t", Some(1.5)),
            ("1.5d", Some(1.5)),
            ("1.5F", Some(1.5)),
            ("1e5f", Some(100_000.0)),
            ("-1.5", Some(-1.5)),
            ("+1.5", Some(1.5)),
            ("Infinity", Some(f64::INFINITY)),
            ("-Infinity", Some(f64::NEG_INFINITY)),
            ("1e999", Some(f64::INFINITY)),
            ("0x1p3", Some(8.0)),
            ("0x1.8p1", Some(3.0)),
            ("0X.8P0d", Some(0.5)),
            ("-0xFFp-4", Some(-15.9375)),
            ("0x1p-1074", Some(f64::from_bits(1))),
            ("0x1p-1075", Some(0.0)),
            ("0x1.8p-1075", Some(f64::from_bits(1))),
            ("0x1p1024", Some(f64::INFINITY)),
            ("0x1.fffffffffffffp1023", Some(f64::MAX)),
            ("0x1.fffffffffffff8p1023", Some(f64::INFINITY)),
            ("0x1.00000000000008p0", Some(1.0)),
            ("0x1.00000000000008000000001p0", Some(1.0 + f64::EPSILON)),
            ("0x1.00000000000018p0", Some(1.0 + 2.0 * f64::EPSILON)),
            ("0x1p99999999999999999999", Some(f64::INFINITY)),
            ("0x1p-99999999999999999999", Some(0.0)),
            ("0x0p99999", Some(0.0)),
            ("", None),
            (".", None),
            ("e5", None),
            ("1e", None),
            ("1e+", None),
            ("1.5dd", None),
            ("1.5L", None),
            ("1.2.3", None),
            ("inf", None),
            ("nan", None),
            ("infinity", None),
            ("Infinityd", None),
            ("0x10", None),
            ("0xp1", None),
            ("0x.p1", None),
            ("0x1.gp1", None),
            ("1_0.0", None),
            ("- 1.0", None),
            ("--1.0", None),
            ("+-1.0", None),
        ];
        for (text, expected) in vectors {
            assert_eq!(parse_double(text), expected, "{text:?}");
        }
        assert!(parse_double("NaN").is_some_and(f64::is_nan));
        assert!(parse_double("-0.0").is_some_and(|zero| zero == 0.0 && zero.is_sign_negative()));
    }
}
