//! Digits with machine word arithmetic, which Java uses when it assumes that the words are wide enough.
//!
//! They are not always: the sum of remainder and margin may overflow, and then the digit above counts as too far.

use std::cmp::Ordering;

use super::{NextDigit, Powers, Remainder};

pub(super) struct DigitWords {
    rest: i64,
    unit: i64,
    margin: i64,
    tens: i64,
    /// Uses 32 bits.
    is_narrow: bool,
}

impl DigitWords {
    pub(super) fn new(powers: &Powers, is_narrow: bool) -> DigitWords {
        let mut words = DigitWords {
            rest: 0,
            unit: 0,
            margin: 0,
            tens: 0,
            is_narrow,
        };
        let mantissa = powers.mantissa.cast_signed();
        words.rest = words.product(mantissa, powers.rest_fives, powers.rest_twos);
        words.margin = words.product(1, powers.rest_fives, powers.margin_twos);
        words.unit = words.product(1, powers.unit_fives, powers.unit_twos);
        words.tens = words.wrap(words.unit.wrapping_mul(10));
        words
    }

    fn product(&self, factor: i64, fives: i32, twos: i32) -> i64 {
        let fives = 5_i64.wrapping_pow(fives.unsigned_abs());
        self.wrap(factor.wrapping_mul(fives).wrapping_shl(twos.unsigned_abs()))
    }

    fn wrap(&self, number: i64) -> i64 {
        if self.is_narrow {
            i64::from(number as i32)
        } else {
            number
        }
    }
}

impl Remainder for DigitWords {
    fn step(&mut self) -> NextDigit {
        let digit = u8::try_from(self.rest / self.unit).unwrap_or(0);
        self.rest = self.wrap((self.rest % self.unit).wrapping_mul(10));
        self.margin = self.wrap(self.margin.wrapping_mul(10));
        if self.margin <= 0 {
            // It has overflowed, so it exceeds everything.
            return NextDigit {
                digit,
                is_low: true,
                is_high: true,
            };
        }
        NextDigit {
            digit,
            is_low: self.rest < self.margin,
            is_high: self.wrap(self.rest.wrapping_add(self.margin)) > self.tens,
        }
    }

    fn compare_half(&mut self) -> Ordering {
        let difference = self.wrap(self.rest.wrapping_mul(2).wrapping_sub(self.tens));
        difference.cmp(&0)
    }
}
