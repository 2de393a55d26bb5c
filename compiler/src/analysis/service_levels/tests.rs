use expect_test::{Expect, expect};

use crate::analysis::testing::short_diagnostics;

#[track_caller]
fn check_nodes(nodes: &str, expect: Expect) {
    expect.assert_eq(&short_diagnostics(nodes));
}

#[test]
fn events_of_service_levels() {
    let workflow = |events: &str| {
        format!(
            "<start to='end'/><end name='end'/>\n<s:info xmlns:s='uri:oozie:sla:0.2'><s:nominal-time>${{t}}</s:nominal-time><s:should-end>${{2 * HOURS}}</s:should-end><s:alert-events>{events}</s:alert-events></s:info>"
        )
    };
    check_nodes(&workflow("START_MISS, end_met"), expect![""]);
    check_nodes(&workflow("${events}"), expect![""]);
    check_nodes(
        &workflow("start_miss, end_mis,,x"),
        expect![[r#"
            2:143: unknown_alert_events unknown alert event `end_mis`
            2:152: unknown_alert_events unknown alert event `x`
        "#]],
    );
}

#[test]
fn service_levels_know_time_and_no_functions() {
    check_nodes(
        "<start to='end'/><end name='end'/>\n<s:info xmlns:s='uri:oozie:sla:0.2'><s:nominal-time>${wf:conf('t')}</s:nominal-time><s:should-end>${DAYS / 'a'}</s:should-end></s:info>",
        expect![[r#"
            2:55: H0413 function `wf:conf` cannot be called here
            2:101: H0414 this expression always fails
        "#]],
    );
}

#[test]
fn times_are_dates_and_minutes() {
    let workflow = |nominal: &str, start: &str, end: &str, duration: &str| {
        format!(
            "<start to='end'/><end name='end'/><s:info xmlns:s='uri:oozie:sla:0.2'>\n<s:nominal-time>{nominal}</s:nominal-time>\n<s:should-start>{start}</s:should-start>\n<s:should-end>{end}</s:should-end>\n<s:max-duration>{duration}</s:max-duration></s:info>"
        )
    };
    for (nominal, start, end) in [
        ("2026-11-20T00:00Z", "0", "30"),
        ("2026-11-20T00:00+0530", "1.5", "${2 * HOURS}"),
        ("${day}", "${x}", "1e2"),
    ] {
        check_nodes(&workflow(nominal, start, end, "-1"), expect![""]);
    }
    check_nodes(
        &workflow("2026-11-20", "-5", "10 * MINUTES", "2h"),
        expect![[r#"
            2:17: H0611 invalid `nominal-time` in an SLA block: `2026-11-20`
            3:17: H0611 invalid `should-start` in an SLA block: `-5`
            4:15: H0611 invalid `should-end` in an SLA block: `10 * MINUTES`
            5:17: H0611 invalid `max-duration` in an SLA block: `2h`
        "#]],
    );
    check_nodes(
        &workflow("2026-11-20T00:00", "1", "2", "3"),
        expect![[r#"
            2:17: H0611 invalid `nominal-time` in an SLA block: `2026-11-20T00:00`
        "#]],
    );
}
