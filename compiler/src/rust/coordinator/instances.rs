//! Instances of datasets: `current(-23)..=current(0)`, `latest(0)`, a date, or an expression of Oozie.

use syn::{Expr, RangeLimits};

use crate::rust::{
    document::{Element, Text},
    place::Place,
    reader::Reader,
    tokens::is_named,
    value::Code,
};

/// The functions that name an instance, their names in the expression language, and the number of their arguments.
const FUNCTIONS: &[(&str, &str, usize)] = &[
    ("current", "coord:current", 1),
    ("latest", "coord:latest", 1),
    ("future", "coord:future", 2),
    ("offset", "coord:offset", 2),
    ("absolute", "coord:absolute", 1),
    ("end_of_days", "coord:endOfDays", 1),
    ("end_of_weeks", "coord:endOfWeeks", 1),
    ("end_of_months", "coord:endOfMonths", 1),
];

/// The call of a function of the expression language.
pub(super) fn function<'e>(
    reader: &mut Reader,
    el: &str,
    place: Place,
    arguments: impl Iterator<Item = &'e Expr>,
) -> Option<Code> {
    let mut code: Code = vec![(format!("{el}("), Some(place))];
    for (n, argument) in arguments.enumerate() {
        if n > 0 {
            code.push((", ".to_owned(), None));
        }
        code.extend(reader.operand(argument)?);
    }
    code.push((")".to_owned(), None));
    Some(code)
}

impl Reader {
    /// The elements of one argument of `#[input(…)]` or `#[output(…)]`, and whether they are a range.
    pub(super) fn instances(&mut self, given: &Expr) -> Option<(Vec<Element>, bool)> {
        let Expr::Range(range) = given else {
            let text = self.instance(given)?;
            let element = Element::of("instance", text, Place::of(given));
            return Some((vec![element], false));
        };
        let (Some(start), RangeLimits::Closed(_), Some(end)) =
            (&range.start, &range.limits, &range.end)
        else {
            self.mistake(
                Place::of(given),
                "a range of instances has both ends, and contains them: `current(-23)..=current(0)`",
            );
            return None;
        };
        let (first, last) = (self.instance(start), self.instance(end));
        let elements = vec![
            Element::of("start-instance", first?, Place::of(start)),
            Element::of("end-instance", last?, Place::of(end)),
        ];
        Some((elements, true))
    }

    fn instance(&mut self, given: &Expr) -> Option<Text> {
        let Expr::Call(call) = given else {
            return self.text_of_attribute(given);
        };
        let known = FUNCTIONS.iter().find(|(name, _, n_arguments)| {
            is_named(&call.func, name) && call.args.len() == *n_arguments
        });
        let Some((_, el, _)) = known else {
            self.mistake(
                Place::of(given),
                "an instance is one of `current(n)`, `latest(n)`, `future(n, limit)`, `offset(n, \"DAY\")`, `absolute(\"2026-01-01T00:00Z\")`, `end_of_days(n)`, `end_of_weeks(n)`, `end_of_months(n)`, or `el!(\"…\")`",
            );
            return None;
        };
        let code = function(self, el, Place::of(&call.func), call.args.iter())?;
        Some(Text::expression(code))
    }
}
