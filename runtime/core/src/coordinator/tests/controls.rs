//! The controls of a coordinator.

use super::*;

fn controls(element: &str, text: &str) -> Result<EffectiveControls, String> {
    let mut controls = Controls::default();
    let place = match element {
        "timeout" => &mut controls.timeout,
        "concurrency" => &mut controls.concurrency,
        "execution" => &mut controls.execution,
        "throttle" => &mut controls.throttle,
        other => panic!("{other}"),
    };
    *place = Some(template(text));
    controls
        .resolve(&job(&[("n", "7")]))
        .map_err(|(at, error)| format!("{at}: {error}"))
}

#[test]
fn timeouts_are_minutes() {
    for (text, expected) in [
        ("10", Ok(Some(10))),
        ("0", Ok(Some(0))),
        ("-1", Ok(None)),
        ("86401", Ok(Some(86400))),
        ("${coord:hours(2)}", Ok(Some(120))),
        ("${coord:days(1)}", Ok(Some(1440))),
        ("${coord:months(1)}", Ok(Some(43200))),
        ("${coord:minutes(n)}", Ok(Some(7))),
        ("", Err("timeout: `` is no whole number")),
        ("1.5", Err("timeout: `1.5` is no whole number")),
        (
            "${coord:user()}",
            Err("timeout: function `coord:user` cannot be called in a timeout"),
        ),
    ] {
        let found = controls("timeout", text).map(|controls| controls.timeout);
        assert_eq!(found, expected.map_err(str::to_owned), "{text}");
    }
}

#[test]
fn counts_have_bounds_and_defaults() {
    for (text, concurrency, throttle) in [
        ("", Some(1), 12),
        ("3", Some(3), 3),
        (" ${n} ", Some(7), 7),
        ("0", Some(0), 500),
        ("-1", None, 500),
        ("501", Some(501), 500),
    ] {
        let found = controls("concurrency", text).expect("is sound");
        assert_eq!(found.concurrency, concurrency, "{text}");
        let found = controls("throttle", text).expect("is sound");
        assert_eq!(found.throttle, throttle, "{text}");
    }
    let capped = |text| {
        controls("throttle", text)
            .expect("is sound")
            .capped
            .throttle
    };
    let asked = ["", "1", "500", "501", "20000", "0"].map(capped);
    assert_eq!(asked, [None, None, None, Some(501), Some(20000), Some(0)]);
    let error = controls("concurrency", "many").expect_err("is no number");
    assert_eq!(error, "concurrency: `many` is no whole number");
    assert!(controls("throttle", "${m}").is_err());
}

#[test]
fn executions_are_written_in_capitals() {
    for (text, expected) in [
        ("FIFO", Some(Execution::Fifo)),
        ("LIFO", Some(Execution::Lifo)),
        ("LAST_ONLY", Some(Execution::LastOnly)),
        ("NONE", Some(Execution::None)),
        ("fifo", None),
        ("", None),
    ] {
        let found = controls("execution", text)
            .ok()
            .map(|controls| controls.execution);
        assert_eq!(found, expected, "{text}");
    }
}

/// A site sets the defaults and the maxima.
#[test]
fn a_site_sets_defaults_and_limits() {
    let settings = ControlSettings {
        timeout: 30,
        max_timeout: 1000,
        concurrency: 4,
        throttle: 20,
        max_throttle: 30_000,
    };
    let site = job(&[("n", "20000")]).with_control_settings(settings);
    let silent = Controls::default().resolve(&site).expect("is sound");
    assert_eq!(
        (silent.timeout, silent.concurrency, silent.throttle),
        (Some(30), Some(4), 20)
    );
    let controls = Controls {
        timeout: Some(template("1001")),
        throttle: Some(template("${n}")),
        ..Controls::default()
    };
    let asking = controls.resolve(&site).expect("is sound");
    assert_eq!((asking.timeout, asking.throttle), (Some(1000), 20_000));
    let capped = CappedControls {
        timeout: Some(1001),
        throttle: None,
    };
    assert_eq!(asking.capped, capped);
}
