//! Texts that select actions.

use super::*;

#[test]
fn actions_are_named_by_numbers_and_times() {
    assert_eq!(
        Scope::numbers("1, 3-4,7-7"),
        Ok(Scope::Numbers(vec![(1, 1), (3, 4), (7, 7)]))
    );
    let zone = ProcessingZone::UTC;
    assert_eq!(
        Scope::times(
            "2026-01-01T00:00Z,2026-01-01T00:10Z::2026-01-01T00:30Z",
            zone
        ),
        Ok(Scope::Times(vec![
            (time("00:00"), time("00:00")),
            (time("00:10"), time("00:30"))
        ]))
    );
}

/// 6.10: E0302 for numbers and single dates, E0308 for ranges of dates.
#[test]
fn what_names_no_actions_is_refused() {
    let zone = ProcessingZone::UTC;
    for (found, code, message) in [
        (Scope::numbers(""), "E0302", "`` is not the number"),
        (Scope::numbers("0"), "E0302", "`0` is not the number"),
        (Scope::numbers("1,x"), "E0302", "`x` is not the number"),
        (
            Scope::numbers("4-3"),
            "E0302",
            "`4-3` ends before it starts",
        ),
        (Scope::numbers("1-2-3"), "E0302", "`2-3` is not the number"),
        (Scope::times("2026", zone), "E0302", "`2026` is no date"),
        (
            Scope::times("2026-01-01T00:00Z::x", zone),
            "E0308",
            "`x` is no date",
        ),
        (
            Scope::times("2026-01-02T00:00Z::2026-01-01T00:00Z", zone),
            "E0308",
            "ends before it starts",
        ),
    ] {
        let error = found.expect_err(message);
        assert_eq!(error.code, code, "{error}");
        assert!(error.message.contains(message), "{error}");
    }
}
