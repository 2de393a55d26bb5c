//! The values of a thing that cases can tell apart, and worlds made of them.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use hpdlc_core::el::{
    ast::Literal,
    error::ElError,
    scope::{FileFacts, JobFacts, NoFiles, NodeFacts, Scope},
    types::Type,
    value::Value,
};

/// What a thing is compared with.
#[derive(Clone, Debug, Default)]
pub(super) struct Constants {
    texts: BTreeSet<String>,
    longs: BTreeSet<i64>,
    doubles: Vec<f64>,
    /// A text is compared by its place in the order of texts.
    orders_texts: bool,
}

impl Constants {
    pub(super) fn add(&mut self, literal: &Literal, is_order: bool) {
        match literal {
            Literal::Null | Literal::Bool(_) => {}
            Literal::Long(value) => {
                self.longs.insert(*value);
            }
            Literal::Double(value) => {
                if !self.doubles.contains(value) {
                    self.doubles.push(*value);
                }
            }
            Literal::Text(value) => {
                self.texts.insert(value.clone());
                self.orders_texts |= is_order;
            }
        }
    }

    fn has_numbers(&self) -> bool {
        !self.longs.is_empty() || !self.doubles.is_empty()
    }

    /// Values of the type, one of each kind that the constants tell apart; `None` where that is not known.
    pub(super) fn domain(&self, r#type: Type) -> Option<Vec<Value>> {
        let mut domain = match r#type {
            Type::Null => return Some(vec![Value::Null]),
            Type::Map => return None,
            Type::Bool if self.texts.is_empty() && !self.has_numbers() => Vec::new(),
            // `'true'` is compared by its truth.
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

    /// Each whole number, its neighbours, and 0.
    fn whole(&self) -> BTreeSet<i64> {
        let of_doubles = self.doubles.iter().map(|value| {
            // Saturates, and what is beyond has no neighbours that matter.
            #[expect(clippy::cast_possible_truncation, reason = "saturation is wanted")]
            let whole = value.floor() as i64;
            whole
        });
        self.longs
            .iter()
            .copied()
            .chain(of_doubles)
            .flat_map(|value| {
                [
                    value.saturating_sub(1),
                    value,
                    value.saturating_add(1),
                    value.saturating_add(2),
                ]
            })
            .chain([0])
            .collect()
    }

    fn longs(&self) -> Vec<Value> {
        self.whole().into_iter().map(Value::Long).collect()
    }

    /// Each number, what lies between two of them, and what lies beyond them.
    fn numbers(&self) -> Vec<f64> {
        #[expect(clippy::cast_precision_loss, reason = "neighbours are told apart by halves")]
        let whole = self.whole().into_iter().map(|value| value as f64);
        let mut numbers: Vec<f64> = whole.chain(self.doubles.iter().copied()).collect();
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
        // Compared as a text here and as a number there, `05` and `5` are alike and not alike.
        let is_mixed = self.has_numbers() && self.texts.iter().any(|text| !text.is_empty());
        if is_mixed {
            return None;
        }
        let mut texts: BTreeSet<String> = self.texts.clone();
        texts.extend(["", "true", "TRUE", "false"].map(str::to_owned));
        if self.orders_texts {
            // The next text behind each in their order.
            texts.extend(self.texts.iter().map(|text| format!("{text}\0")));
        }
        if self.has_numbers() {
            texts.extend(self.whole().iter().map(i64::to_string));
            texts.extend(
                self.numbers()
                    .iter()
                    .map(|number| Value::Double(*number).into_text()),
            );
        }
        // None of the others.
        let longest = texts.iter().map(String::len).max().unwrap_or(0);
        texts.insert("~".repeat(longest + 1));
        Some(texts.into_iter().map(Value::Text).collect())
    }
}

/// A value for each thing.
pub(super) struct World {
    values: Vec<(String, Value)>,
}

impl World {
    /// The variable that stands for a thing; no property has such a name.
    pub(super) fn name(thing: usize) -> String {
        format!("#{thing}")
    }

    /// Every choice of values for `things`, all of which have a domain.
    pub(super) fn all(
        things: &BTreeSet<usize>,
        domains: &[Option<Vec<Value>>],
    ) -> impl Iterator<Item = World> {
        let axes: Vec<(String, Vec<Value>)> = things
            .iter()
            .map(|thing| {
                let domain = domains[*thing].clone().unwrap_or_default();
                (World::name(*thing), domain)
            })
            .collect();
        let n_worlds: usize = axes.iter().map(|(_, domain)| domain.len()).product();
        (0..n_worlds).map(move |mut number| World {
            values: axes
                .iter()
                .map(|(name, domain)| {
                    let value = domain[number % domain.len()].clone();
                    number /= domain.len();
                    (name.clone(), value)
                })
                .collect(),
        })
    }
}

impl Scope for World {
    fn variable(&self, name: &str) -> Option<Value> {
        self.values
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.clone())
    }

    fn conf(&self, _name: &str) -> Result<Option<String>, ElError> {
        Err(ElError::needs_job("function `wf:conf`"))
    }

    fn job(&self) -> Result<&JobFacts, ElError> {
        Err(ElError::needs_job("the job"))
    }

    fn node(&self, _name: &str) -> Result<Option<NodeFacts>, ElError> {
        Err(ElError::needs_job("a node"))
    }

    fn last_error_node(&self) -> Result<Option<String>, ElError> {
        Err(ElError::needs_job("the last node in error"))
    }

    fn callback_url(&self, _state: &str) -> Result<String, ElError> {
        Err(ElError::needs_job("the callback URL"))
    }

    /// Never asked: functions are things.
    fn now(&self) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH
    }

    fn files(&self) -> &dyn FileFacts {
        &NoFiles
    }
}
