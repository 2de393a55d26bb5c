//! Dates against the processing time zone of the site.

use hpdlc_core::time::ProcessingZone;

use super::{findings, of_attributes};
use crate::analysis::Given;

/// The dates of a site whose processing time zone is known, with what is said of them.
#[test]
fn dates_are_held_against_the_zone_of_the_site() {
    for (zone, date, expected) in [
        ("GMT+0900", "2026-01-01T00:00+0900", &[][..]),
        (
            "GMT+0900",
            "2026-01-01T00:00Z",
            &["H0704 2026-01-01T00:00Z"],
        ),
        ("UTC", "2026-01-01T00:00Z", &[]),
        (
            "UTC",
            "2026-01-01T00:00+0900",
            &["H0704 2026-01-01T00:00+0900"],
        ),
        (
            "GMT+0900",
            "2026-01-01T00:00+0800",
            &["H0704 2026-01-01T00:00+0800"],
        ),
    ] {
        let attributes =
            format!(r#"frequency="60" start="{date}" end="${{end}}" timezone="Europe/Berlin""#);
        let given = Given {
            zone: ProcessingZone::parse(zone),
            ..Given::default()
        };
        let found = findings(&of_attributes(&attributes).text(), &given);
        assert_eq!(found, expected, "{date} in {zone}");
    }
}
