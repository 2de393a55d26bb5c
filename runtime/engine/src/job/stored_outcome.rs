//! Outcomes as the store has them.

use hpdlc_core::definition::Outcome;

/// The text that the store has for an outcome.
pub fn format_outcome(outcome: Outcome) -> String {
    match outcome {
        Outcome::Ok => "OK".to_owned(),
        Outcome::Error => "ERROR".to_owned(),
        Outcome::Case(n) => format!("CASE {n}"),
        Outcome::Branch(n) => format!("BRANCH {n}"),
        Outcome::Joined => "JOINED".to_owned(),
    }
}

/// The outcome that the store has as this text.
pub(super) fn parse_outcome(text: &str) -> Option<Outcome> {
    let (word, number) = text.split_once(' ').unwrap_or((text, "0"));
    let number = number.parse().ok()?;
    match word {
        "OK" => Some(Outcome::Ok),
        "ERROR" => Some(Outcome::Error),
        "CASE" => Some(Outcome::Case(number)),
        "BRANCH" => Some(Outcome::Branch(number)),
        "JOINED" => Some(Outcome::Joined),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_read_back_from_the_store() {
        for outcome in [
            Outcome::Ok,
            Outcome::Error,
            Outcome::Case(12),
            Outcome::Branch(3),
            Outcome::Joined,
        ] {
            assert_eq!(parse_outcome(&format_outcome(outcome)), Some(outcome));
        }
        assert_eq!(parse_outcome("SIDEWAYS"), None);
    }
}
