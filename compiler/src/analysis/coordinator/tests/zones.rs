//! What depends on the site's settings: the processing time zone of dates, and the limits of controls.

use hpdlc_core::{coordinator::ControlSettings, time::ProcessingZone};

use super::{findings, of_attributes, of_sections};
use crate::analysis::JobProperties;

/// The dates of a site whose processing time zone is known, with their diagnostics.
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
        let given = JobProperties {
            zone: ProcessingZone::parse(zone),
            ..JobProperties::default()
        };
        let found = findings(&of_attributes(&attributes).text(), &given);
        assert_eq!(found, expected, "{date} in {zone}");
    }
}

#[test]
fn the_site_decides_how_long_and_how_many_actions_wait() {
    let controls = "<controls><timeout>100</timeout><throttle>501</throttle></controls>";
    let text = of_sections(controls.to_owned()).text();
    let usual = ControlSettings::default();
    for (max_timeout, max_throttle, expected) in [
        (
            usual.max_timeout,
            usual.max_throttle,
            &["capped_controls 501"][..],
        ),
        (60, 500, &["capped_controls 100", "capped_controls 501"]),
        (100, 501, &[]),
    ] {
        let given = JobProperties {
            controls: Some(ControlSettings {
                max_timeout,
                max_throttle,
                ..usual
            }),
            ..JobProperties::default()
        };
        assert_eq!(findings(&text, &given), expected);
    }
}
