use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, divided_numbers);

/// A quotient as the text of an action.
pub(crate) struct DividedNumber {
    pub(crate) place: Span,
}

message!(DividedNumber, |place| {
    Diagnostic::new(&LINT, place, "a division gives a number with a fraction")
        .label(place, "`4 / 2` gives `2.0`, which is no whole number to most programs")
        .note("there is no function that rounds")
        .help("give the program both numbers, or the result as a property; if it reads fractions, allow this lint here")
});
