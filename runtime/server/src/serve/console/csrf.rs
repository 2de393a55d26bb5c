//! The proof that a form comes from a page of this server and was made for this caller: a stranger's page can neither read nor guess it.

use hpdlc_host::clock;
use subtle::ConstantTimeEq;

use crate::serve::{call::Call, failure::Failure};

const DAY: i64 = 24 * 60 * 60 * 1_000;
/// The field of a form that has it.
pub(crate) const FIELD: &str = "proof";

/// The proof in forms for a caller. It is valid today and tomorrow.
pub(crate) fn proof(call: &Call) -> String {
    of_day(call, clock::now_millis() / DAY)
}

fn of_day(call: &Call, day: i64) -> String {
    let user = call.user.as_deref().unwrap_or_default();
    call.server
        .signer
        .sign(&format!("console form\n{day}\n{user}"))
}

/// # Errors
///
/// 403 if the form has no valid proof.
pub(crate) fn check(call: &Call, given: Option<&str>) -> Result<(), Failure> {
    let given = given.unwrap_or_default();
    let today = clock::now_millis() / DAY;
    let is_valid = [today, today - 1].into_iter().any(|day| {
        let expected = of_day(call, day);
        bool::from(expected.as_bytes().ct_eq(given.as_bytes()))
    });
    match is_valid {
        true => Ok(()),
        false => Err(Failure::forbidden(
            "the form is too old, or is not from a page of this server: open the page again",
        )),
    }
}
