//! The significant digits that `Double.toString` prints up to JDK 18, as in every Java version that runs Oozie.
//!
//! They read back as the same number, but are not always the fewest that do: `2e23` has 17 of them. Digits are generated from an
//! exact fraction until the remainder is closer than half the distance to the next number; JDK 19 changed that (JDK-4511638).

use std::cmp::Ordering;

mod big;
mod words;

use self::{big::Bigs, words::DigitWords};

/// Bits of a mantissa after the implicit one.
const FRACTION_BITS: u32 = 52;

/// Decimal digits, the first of them nonzero, and the exponent of the first.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Digits {
    /// Each from 0 to 9. Rounding may leave trailing zeros, which Java prints.
    pub(super) digits: Vec<u8>,
    pub(super) exponent: i32,
}

/// The digits of a finite positive number.
pub(super) fn digits(value: f64) -> Digits {
    let bits = value.to_bits();
    let biased = i32::try_from(bits >> FRACTION_BITS).unwrap_or(0);
    let stored = bits & ((1 << FRACTION_BITS) - 1);
    // The mantissa with its highest bit at bit 52, the exponent of that bit, and the number of its significant bits.
    let (mantissa, exponent, n_significant) = if biased == 0 {
        let shift = stored.leading_zeros().saturating_sub(63 - FRACTION_BITS);
        let exponent = 1 - 1_023 - signed(shift);
        (stored << shift, exponent, 64 - stored.leading_zeros())
    } else {
        (
            stored | 1 << FRACTION_BITS,
            biased - 1_023,
            FRACTION_BITS + 1,
        )
    };
    let n_mantissa = FRACTION_BITS + 1 - mantissa.trailing_zeros();
    let n_after_point = (signed(n_mantissa) - exponent - 1).max(0);
    if n_after_point == 0 && exponent <= 62 {
        return of_integer(mantissa, exponent, signed(n_significant));
    }
    of_fraction(&Fraction {
        mantissa: mantissa >> mantissa.trailing_zeros(),
        n_mantissa: signed(n_mantissa),
        exponent,
        n_significant: signed(n_significant),
        n_after_point,
        estimate: estimate(mantissa, exponent),
    })
}

/// An integer below 2^63: all of its digits, except those below the distance to the next number.
fn of_integer(mantissa: u64, exponent: i32, n_significant: i32) -> Digits {
    let shift = exponent - signed(FRACTION_BITS);
    let mut number = if shift >= 0 {
        mantissa << shift
    } else {
        mantissa >> -shift
    };
    let mut dropped = 0;
    // Below 2^4 there is no integer digit to drop.
    let spare = exponent - n_significant - 1;
    if spare > 1 {
        dropped = (1_u64 << spare).ilog10();
        let unit = 10_u64.pow(dropped);
        let rest = number % unit;
        number = number / unit + u64::from(dropped > 0 && rest >= unit / 2);
    }
    let text = number.to_string();
    let exponent = signed(dropped) + i32::try_from(text.len()).unwrap_or(1) - 1;
    let digits = text.trim_end_matches('0').bytes().map(|byte| byte - b'0');
    Digits {
        digits: digits.collect(),
        exponent,
    }
}

/// A decomposed number.
struct Fraction {
    /// Without trailing zero bits.
    mantissa: u64,
    n_mantissa: i32,
    /// Of the highest bit.
    exponent: i32,
    n_significant: i32,
    /// Bits after the binary point.
    n_after_point: i32,
    /// The decimal exponent, or one more.
    estimate: i32,
}

fn of_fraction(number: &Fraction) -> Digits {
    let decimal = number.estimate;
    // The number is rest/unit x 10^decimal; half the distance to the next one is margin/unit x 10^decimal. All three are products
    // of powers of two and five.
    let rest_fives = (-decimal).max(0);
    let unit_fives = decimal.max(0);
    let rest_twos = rest_fives + number.n_after_point + number.exponent;
    let mut margin_twos = rest_twos - number.n_significant;
    let mut rest_twos = rest_twos - (number.n_mantissa - 1);
    let mut unit_twos = unit_fives + number.n_after_point;
    // Below a power of two the next number is half as far away.
    if number.n_mantissa == 1 {
        margin_twos -= 1;
    }
    let lowest = rest_twos.min(unit_twos).min(margin_twos);
    rest_twos -= lowest;
    unit_twos -= lowest;
    margin_twos -= lowest;

    let powers = Powers {
        mantissa: number.mantissa,
        rest_fives,
        rest_twos,
        margin_twos,
        unit_fives,
        unit_twos,
    };
    let n_rest_bits = number.n_mantissa + rest_twos + bits_of_fives(rest_fives);
    let n_tens_bits = unit_twos + 1 + bits_of_fives(unit_fives + 1);
    if n_rest_bits < 64 && n_tens_bits < 64 {
        let is_narrow = n_rest_bits < 32 && n_tens_bits < 32;
        develop(DigitWords::new(&powers, is_narrow), number.estimate)
    } else {
        develop(Bigs::new(&powers), number.estimate)
    }
}

/// A remainder, its unit, and the margin, all as products of powers.
struct Powers {
    mantissa: u64,
    /// Also those of the margin.
    rest_fives: i32,
    rest_twos: i32,
    margin_twos: i32,
    unit_fives: i32,
    unit_twos: i32,
}

/// The next digit, and whether the remainder is close enough to that digit and to the one above.
struct NextDigit {
    digit: u8,
    is_low: bool,
    is_high: bool,
}

/// A number from which digits are generated.
trait Remainder {
    fn step(&mut self) -> NextDigit;

    /// Compares twice the remainder with the unit of the last digit.
    fn compare_half(&mut self) -> Ordering;
}

fn develop(mut remainder: impl Remainder, estimate: i32) -> Digits {
    let mut decimal = estimate;
    let mut digits = Vec::with_capacity(18);
    let mut step = remainder.step();
    if step.digit == 0 && !step.is_high {
        decimal -= 1;
    } else {
        digits.push(step.digit);
    }
    // A number in exponent notation has at least one digit after the point, which is computed, not padded.
    if !(-3..8).contains(&decimal) {
        step.is_low = false;
        step.is_high = false;
    }
    while !step.is_low && !step.is_high {
        step = remainder.step();
        digits.push(step.digit);
    }
    let is_up = step.is_high
        && (!step.is_low
            || match remainder.compare_half() {
                Ordering::Less => false,
                Ordering::Equal => digits.last().is_some_and(|last| last % 2 == 1),
                Ordering::Greater => true,
            });
    if is_up && round_up(&mut digits) {
        decimal += 1;
    }
    Digits {
        digits,
        exponent: decimal,
    }
}

/// The number of bits of a power of five, as estimated by Java.
fn bits_of_fives(power: i32) -> i32 {
    match u32::try_from(power) {
        Ok(0) | Err(_) => 0,
        Ok(power @ 1..=26) => signed(5_u64.pow(power).ilog2() + 1),
        Ok(power) => signed(power.saturating_mul(3)),
    }
}

/// Adds one to the last digit; true if the number becomes ten times what its digits say.
fn round_up(digits: &mut [u8]) -> bool {
    let n_nines = digits.iter().rev().take_while(|digit| **digit == 9).count();
    let kept = digits.len() - n_nines;
    let (kept, nines) = digits.split_at_mut(kept);
    nines.fill(0);
    match kept.last_mut() {
        Some(last) => {
            *last += 1;
            false
        }
        None => {
            if let Some(first) = nines.first_mut() {
                *first = 1;
            }
            true
        }
    }
}

/// The decimal exponent, or one more: from a tangent to the logarithm.
#[expect(
    clippy::approx_constant,
    reason = "Java's estimate has its own digits of the logarithm of two"
)]
fn estimate(mantissa: u64, exponent: i32) -> i32 {
    let stored = mantissa & ((1 << FRACTION_BITS) - 1);
    let one_to_two = f64::from_bits(1_023 << FRACTION_BITS | stored);
    let logarithm = (one_to_two - 1.5) * 0.289_529_654
        + 0.176_091_259
        + f64::from(exponent) * 0.301_029_995_663_981;
    logarithm.floor() as i32
}

fn signed(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
