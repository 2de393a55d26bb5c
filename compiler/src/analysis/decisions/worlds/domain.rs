//! The values of a thing that cases can distinguish, and the worlds built of them.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use hpdlc_core::el::{ast::Literal, scope::Scope, types::Type, value::Value};

/// How a thing is used where it is not compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ThingUse {
    /// Whether it is true.
    Truth,
    /// Whether it is empty.
    Emptiness,
}

/// What a thing is compared with, and what else distinguishes its values.
#[derive(Clone, Debug, Default)]
pub(super) struct Constants {
    is_judged: bool,
    may_be_empty: bool,
    texts: BTreeSet<String>,
    longs: BTreeSet<i64>,
    doubles: Vec<f64>,
    /// Their bits, for deduplication: a decision may have any number of cases.
    seen_doubles: BTreeSet<u64>,
    /// A text is compared by the order of texts.
    orders_texts: bool,
}

impl Constants {
    pub(super) fn add(&mut self, literal: &Literal, is_order: bool) {
        match literal {
            Literal::Null => {}
            Literal::Bool(_) => self.is_judged = true,
            Literal::Long(value) => {
                self.longs.insert(*value);
            }
            Literal::Double(value) => {
                if self.seen_doubles.insert(value.to_bits()) {
                    self.doubles.push(*value);
                }
            }
            Literal::Text(value) => {
                self.texts.insert(value.clone());
                self.orders_texts |= is_order;
            }
        }
    }

    pub(super) fn add_use(&mut self, used: ThingUse) {
        match used {
            ThingUse::Truth => self.is_judged = true,
            ThingUse::Emptiness => self.may_be_empty = true,
        }
    }

    fn has_numbers(&self) -> bool {
        !self.longs.is_empty() || !self.doubles.is_empty()
    }

    /// Values of the type, one of each class that the constants distinguish; `None` if that is not known.
    pub(super) fn domain(&self, r#type: Type) -> Option<Vec<Value>> {
        let mut domain = match r#type {
            Type::Null => return Some(vec![Value::Null]),
            Type::Map => return None,
            Type::Bool if self.texts.is_empty() && !self.has_numbers() => Vec::new(),
            // `'true'` is compared as a boolean.
            Type::Bool if !self.has_numbers() && !self.orders_texts => Vec::new(),
            Type::Bool => return None,
            Type::Long if self.texts.is_empty() => self.longs(),
            Type::Double if self.texts.is_empty() => self.doubles(),
            Type::Long | Type::Double => return None,
            Type::Text | Type::NullableText => self.texts()?,
            Type::Object => {
                let mut values = self.texts()?;
                values.extend(self.longs());
                values.extend(self.doubles());
                values
            }
        };
        if matches!(r#type, Type::Bool | Type::Object) {
            domain.extend([Value::Bool(true), Value::Bool(false)]);
        }
        if r#type.is_nullable() {
            domain.push(Value::Null);
        }
        Some(domain)
    }

    /// Each whole number and its neighbours.
    fn whole(&self) -> BTreeSet<i64> {
        let of_doubles = self.doubles.iter().map(|value| {
            // Saturates; numbers beyond the range have no relevant neighbours.
            #[expect(clippy::cast_possible_truncation, reason = "saturation is wanted")]
            let whole = value.floor() as i64;
            whole
        });
        self.longs
            .iter()
            .copied()
            .chain(of_doubles)
            .flat_map(|value| [value.saturating_sub(1), value, value.saturating_add(1)])
            .chain(self.doubles.first().map(|_| 0))
            .collect()
    }

    fn longs(&self) -> Vec<Value> {
        let mut whole = self.whole();
        if !self.has_numbers() {
            whole.insert(0);
        }
        whole.into_iter().map(Value::Long).collect()
    }

    /// Each number, a value between any two of them, and a value beyond them on either side.
    fn numbers(&self) -> Vec<f64> {
        #[expect(
            clippy::cast_precision_loss,
            reason = "neighbours are told apart by halves"
        )]
        let whole = self.whole().into_iter().map(|value| value as f64);
        let zero = (!self.has_numbers()).then_some(0.0);
        let mut numbers: Vec<f64> = whole
            .chain(self.doubles.iter().copied())
            .chain(zero)
            .collect();
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        let between: Vec<f64> = numbers
            .windows(2)
            .map(|pair| pair[0] / 2.0 + pair[1] / 2.0)
            .collect();
        numbers.extend(between);
        numbers
    }

    fn doubles(&self) -> Vec<Value> {
        self.numbers().into_iter().map(Value::Double).collect()
    }

    fn texts(&self) -> Option<Vec<Value>> {
        // Compared as a text in one place and as a number in another, `05` and `5` are both equal and different.
        let is_mixed = self.has_numbers() && self.texts.iter().any(|text| !text.is_empty());
        if is_mixed {
            return None;
        }
        let mut texts: BTreeSet<String> = self.texts.clone();
        if self.is_judged {
            // Every other text is false; an operator takes `TRUE` as true, but a case does not.
            texts.extend(["true", "TRUE"].map(str::to_owned));
        }
        // Nothing sorts before the empty text.
        if self.may_be_empty || self.orders_texts {
            texts.insert(String::new());
        }
        if self.orders_texts {
            // The successor of each text in the order.
            texts.extend(self.texts.iter().map(|text| format!("{text}\0")));
        }
        texts.extend(self.whole().iter().map(i64::to_string));
        if !self.doubles.is_empty() {
            texts.extend(
                self.numbers()
                    .iter()
                    .map(|number| Value::Double(*number).into_text()),
            );
        }
        // A text that equals none of the others.
        let longest = texts.iter().map(String::len).max().unwrap_or(0);
        texts.insert("~".repeat(longest + 1));
        Some(texts.into_iter().map(Value::Text).collect())
    }
}

/// The variable that represents a thing; no property has such a name.
pub(super) fn name(thing: usize) -> String {
    format!("#{thing}")
}

/// An assignment of a value to each thing.
pub(super) struct Assignment<'a> {
    /// The variable of each thing, its values, and the index of the current one.
    things: Vec<(String, &'a [Value], usize)>,
}

impl<'a> Assignment<'a> {
    /// The first assignment for `things`, all of which have a domain.
    pub(super) fn first(
        things: &BTreeSet<usize>,
        domains: &'a [Option<Vec<Value>>],
    ) -> Assignment<'a> {
        Assignment {
            things: things
                .iter()
                .map(|thing| {
                    (
                        name(*thing),
                        domains[*thing].as_deref().unwrap_or_default(),
                        0,
                    )
                })
                .collect(),
        }
    }

    /// Advances to the next assignment; false if there is none.
    pub(super) fn advance(&mut self) -> bool {
        for (_, values, at) in &mut self.things {
            *at += 1;
            if *at < values.len() {
                return true;
            }
            *at = 0;
        }
        false
    }
}

impl Scope for Assignment<'_> {
    fn variable(&self, name: &str) -> Option<Value> {
        let (_, values, at) = self.things.iter().find(|(known, _, _)| known == name)?;
        values.get(*at).cloned()
    }

    /// Never called: functions are things.
    fn now(&self) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH
    }
}
