use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0606", invalid_email_address, ["EM004"]);

/// A text that no mail server accepts as an address.
pub(super) struct InvalidEmailAddress {
    pub(super) address: String,
    pub(super) problem: &'static str,
    pub(super) place: Span,
}

message!(InvalidEmailAddress, |address, problem, place| {
    Diagnostic::new(&CODE, place, format!("invalid email address `{address}`"))
        .label(place, problem)
});
