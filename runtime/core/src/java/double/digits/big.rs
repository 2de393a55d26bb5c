//! Digits with arbitrary-precision integers.

use std::cmp::Ordering;

use super::{NextDigit, Powers, Remainder};

pub(super) struct Bigs {
    rest: Big,
    unit: Big,
    margin: Big,
    tens: Big,
}

impl Bigs {
    pub(super) fn new(powers: &Powers) -> Bigs {
        let product = |factor: u64, fives: i32, twos: i32| {
            let mut big = Big::new(factor);
            big.scale(fives, twos);
            big
        };
        let unit = product(1, powers.unit_fives, powers.unit_twos);
        let mut tens = unit.clone();
        tens.multiply(10);
        Bigs {
            rest: product(powers.mantissa, powers.rest_fives, powers.rest_twos),
            margin: product(1, powers.rest_fives, powers.margin_twos),
            unit,
            tens,
        }
    }
}

impl Remainder for Bigs {
    fn step(&mut self) -> NextDigit {
        let digit = self.rest.take_quotient(&self.unit);
        self.rest.multiply(10);
        self.margin.multiply(10);
        NextDigit {
            digit,
            is_low: self.rest.compare(&self.margin).is_lt(),
            // Unlike with machine words, a number exactly on the margin is within it.
            is_high: self.rest.sum_compare(&self.margin, &self.tens).is_ge(),
        }
    }

    fn compare_half(&mut self) -> Ordering {
        self.rest.multiply(2);
        self.rest.compare(&self.tens)
    }
}

/// A natural number of arbitrary size.
#[derive(Clone)]
struct Big {
    /// Lowest limb first, without trailing zeros.
    limbs: Vec<u32>,
}

impl Big {
    fn new(number: u64) -> Big {
        let mut limbs = Vec::with_capacity(36);
        limbs.extend([number as u32, (number >> 32) as u32]);
        let mut big = Big { limbs };
        big.normalize();
        big
    }

    fn normalize(&mut self) {
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
    }

    fn multiply(&mut self, factor: u32) {
        let mut carry = 0;
        for limb in &mut self.limbs {
            let product = u64::from(*limb) * u64::from(factor) + carry;
            *limb = product as u32;
            carry = product >> 32;
        }
        if carry > 0 {
            self.limbs.push(carry as u32);
        }
    }

    /// Multiplies by powers of five and two.
    fn scale(&mut self, mut fives: i32, twos: i32) {
        while fives > 0 {
            // 5^13 is the highest power that fits into a limb.
            let power = fives.min(13);
            self.multiply(5_u32.pow(power.unsigned_abs()));
            fives -= power;
        }
        let twos = twos.max(0).unsigned_abs();
        self.multiply(1 << (twos % 32));
        let n_limbs = usize::try_from(twos / 32).unwrap_or(0);
        self.limbs.splice(0..0, std::iter::repeat_n(0, n_limbs));
    }

    fn compare(&self, other: &Big) -> Ordering {
        self.limbs
            .len()
            .cmp(&other.limbs.len())
            .then_with(|| self.limbs.iter().rev().cmp(other.limbs.iter().rev()))
    }

    /// Compares `self + addend` with `other`.
    fn sum_compare(&self, addend: &Big, other: &Big) -> Ordering {
        let mut sum = self.clone();
        let mut carry = 0;
        for at in 0..self.limbs.len().max(addend.limbs.len()) {
            let total = u64::from(self.limb(at)) + u64::from(addend.limb(at)) + carry;
            match sum.limbs.get_mut(at) {
                Some(limb) => *limb = total as u32,
                None => sum.limbs.push(total as u32),
            }
            carry = total >> 32;
        }
        if carry > 0 {
            sum.limbs.push(carry as u32);
        }
        sum.compare(other)
    }

    fn limb(&self, at: usize) -> u32 {
        self.limbs.get(at).copied().unwrap_or(0)
    }

    /// Divides by `divisor` and keeps the remainder; the quotient is at most nine.
    fn take_quotient(&mut self, divisor: &Big) -> u8 {
        let mut quotient = 0;
        while self.compare(divisor).is_ge() {
            let mut borrow = 0;
            for at in 0..self.limbs.len() {
                let difference =
                    i64::from(self.limb(at)) - i64::from(divisor.limb(at)) - i64::from(borrow);
                self.limbs[at] = difference as u32;
                borrow = u32::from(difference < 0);
            }
            self.normalize();
            quotient += 1;
        }
        quotient
    }
}
