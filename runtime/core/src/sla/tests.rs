//! Table tests of records and of the events that follow from inputs; and invariants that hold for every order of inputs.

use proptest::prelude::*;

use super::*;

const NOMINAL: i64 = 1_795_132_800_000;

fn minute(n: i64) -> i64 {
    n * 60_000
}

/// A block with these texts; the nominal time defaults to 2026-11-20T00:00Z.
fn record(texts: &[(&str, &str)]) -> Result<SlaRecord, Vec<Mistake>> {
    let text = |element| {
        let found = texts.iter().find(|(name, _)| *name == element);
        let text = found
            .map(|(_, text)| *text)
            .or_else(|| (element == "nominal-time").then_some("2026-11-20T00:00Z"));
        text.map(str::to_owned)
    };
    SlaRecord::read(&SlaTexts::of(text))
}

#[track_caller]
fn read(texts: &[(&str, &str)]) -> SlaRecord {
    record(texts).unwrap_or_else(|mistakes| panic!("{texts:?}: {mistakes:?}"))
}

#[test]
fn times_count_from_the_nominal_time() {
    for (texts, start, end, duration) in [
        (&[("should-end", "30")] as &[_], None, minute(30), None),
        // An implicit duration (`SLAOperations.setExpectedDuration`).
        (
            &[("should-start", "10"), ("should-end", "30")],
            Some(minute(10)),
            minute(30),
            Some(minute(20)),
        ),
        (
            &[
                ("should-start", "10"),
                ("should-end", " 30 "),
                ("max-duration", "5"),
            ],
            Some(minute(10)),
            minute(30),
            Some(minute(5)),
        ),
        (
            &[
                ("should-start", "10"),
                ("should-end", "30"),
                ("max-duration", "0"),
            ],
            Some(minute(10)),
            minute(30),
            None,
        ),
        (
            &[
                ("should-start", "10"),
                ("should-end", "30"),
                ("max-duration", ""),
            ],
            Some(minute(10)),
            minute(30),
            Some(minute(20)),
        ),
        (
            &[("should-end", "0.5"), ("max-duration", "-1")],
            None,
            30_000,
            None,
        ),
        // It ends before it starts: no duration is that short.
        (
            &[("should-start", "2"), ("should-end", "1")],
            Some(minute(2)),
            minute(1),
            None,
        ),
        (&[("should-end", "1e2")], None, minute(100), None),
    ] {
        let record = read(texts);
        assert_eq!(record.nominal, NOMINAL);
        assert_eq!(
            (
                record.expected_start.map(|time| time - NOMINAL),
                record.expected_end - NOMINAL,
                record.expected_duration
            ),
            (start, end, duration),
            "{texts:?}"
        );
    }
}

#[test]
fn dates_say_their_zone() {
    for (text, millis) in [
        ("2026-11-20T00:00Z", Some(NOMINAL)),
        (" 2026-11-20T05:30+0530 ", Some(NOMINAL)),
        ("2026-11-19T19:00-0500", Some(NOMINAL)),
        ("2026-11-20T00:00", None),
        ("2026-11-20", None),
        ("2026-11-31T00:00Z", None),
        ("", None),
        ("é", None),
    ] {
        assert_eq!(nominal_time(text).ok(), millis, "{text}");
    }
}

#[test]
fn every_mistake_of_a_block_is_named() {
    for (texts, expected) in [
        (
            &[
                ("nominal-time", "today"),
                ("should-start", "-5"),
                ("should-end", "10 * MINUTES"),
                ("max-duration", "2h"),
            ] as &[_],
            "nominal-time is `today`: it has not the form of a date and time, such as 2026-11-20T00:00Z; \
             should-start is `-5`: it lies before the nominal time; \
             should-end is `10 * MINUTES`: it is no number of minutes; \
             max-duration is `2h`: it is no number of minutes",
        ),
        (&[], "should-end is ``: it is no number of minutes"),
        (
            &[("should-start", ""), ("should-end", "1")],
            "should-start is ``: it is no number of minutes",
        ),
        (
            &[("should-end", "NaN"), ("should-start", "inf")],
            "should-start is `inf`: it is no number of minutes; should-end is `NaN`: it is no number of minutes",
        ),
        (
            &[("should-end", "1e300")],
            "should-end is `1e300`: it is beyond the calendar",
        ),
        (
            &[("should-end", "-0.000001")],
            "should-end is `-0.000001`: it lies before the nominal time",
        ),
    ] {
        let mistakes = record(texts).expect_err("it has mistakes");
        let words: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        assert_eq!(words.join("; "), expected);
    }
}

#[test]
fn what_is_no_event_is_a_missed_end() {
    use SlaEvent::{EndMet, EndMiss, StartMiss};
    for (list, expected) in [
        ("start_miss,END_MET", vec![StartMiss, EndMet]),
        (" Start_Miss , start_miss", vec![StartMiss]),
        ("end_mis", vec![EndMiss]),
        ("start_miss,,", vec![StartMiss]),
        ("start_miss,,end_met", vec![StartMiss, EndMet, EndMiss]),
        ("", vec![EndMiss]),
    ] {
        assert_eq!(alert_events(list), expected, "{list}");
    }
    let events = |texts| read(texts).alert_events;
    assert_eq!(events(&[("should-end", "1")]), None);
    assert_eq!(
        events(&[("should-end", "1"), ("alert-events", "end_met")]),
        Some(vec![EndMet])
    );
}

#[test]
fn alerts_end_with_an_age() {
    let hour = 3_600_000;
    assert!(!is_too_old(0, 48 * hour, 48));
    assert!(is_too_old(0, 48 * hour + 1, 48));
    assert!(!is_too_old(0, i64::MAX, 0));
    assert!(!is_too_old(0, i64::MAX, -1));
    assert!(!is_too_old(hour, 0, 48));
}

/// Parses an input; times are in minutes after the nominal time.
fn happened(word: &str) -> Happened {
    let (what, minutes) = word.split_once('@').unwrap_or((word, "0"));
    let at = NOMINAL + minute(minutes.parse().expect("minutes"));
    match what {
        "start" => Happened::Started { at },
        "look" => Happened::Looked { at },
        "ok" => Happened::Ended {
            at,
            has_succeeded: true,
        },
        "fail" => Happened::Ended {
            at,
            has_succeeded: false,
        },
        "passed" => Happened::PassedBy,
        _ => panic!("{word}"),
    }
}

/// Applies inputs to a level that starts by 10, ends by 30 and takes 15; checks the events and the final state.
#[track_caller]
fn check(story: &str, expected: &str) {
    let record = read(&[
        ("should-start", "10"),
        ("should-end", "30"),
        ("max-duration", "15"),
    ]);
    let mut state = SlaState::NEW;
    let mut told = Vec::new();
    for word in story.split_whitespace() {
        told.extend(
            state
                .take(&record, happened(word))
                .into_iter()
                .map(SlaEvent::name),
        );
    }
    told.push(state.status.name());
    assert_eq!(told.join(" "), expected, "{story}");
}

#[test]
fn events_are_those_of_oozie() {
    // The table of section 8.4 of the coordinator's semantics, and the cases between.
    for (story, expected) in [
        ("", "NOT_STARTED"),
        ("look@10", "NOT_STARTED"),
        ("start@5", "START_MET IN_PROCESS"),
        ("start@10 ok@25", "START_MET DURATION_MET END_MET MET"),
        ("start@11 ok@20", "START_MISS DURATION_MET END_MET MET"),
        ("start@5 ok@25", "START_MET DURATION_MISS END_MET MET"),
        ("start@5 ok@30", "START_MET DURATION_MISS END_MET MET"),
        ("start@5 ok@31", "START_MET DURATION_MISS END_MISS MISS"),
        ("start@5 fail@8", "START_MET DURATION_MET END_MISS MISS"),
        ("look@31", "START_MISS END_MISS MISS"),
        (
            "look@11 look@12 look@31 look@32",
            "START_MISS END_MISS MISS",
        ),
        // It starts too late, and ends nevertheless.
        (
            "look@31 start@32 ok@33",
            "START_MISS END_MISS DURATION_MET MISS",
        ),
        ("start@5 look@20", "START_MET IN_PROCESS"),
        ("start@5 look@21", "START_MET DURATION_MISS IN_PROCESS"),
        (
            "start@5 look@21 look@31 ok@40",
            "START_MET DURATION_MISS END_MISS MISS",
        ),
        // It was never started.
        ("fail@5", "END_MISS MISS"),
        ("look@11 fail@12", "START_MISS END_MISS MISS"),
        ("passed look@31", "NOT_STARTED"),
        ("look@11 passed look@31", "START_MISS NOT_STARTED"),
        // Retries start it again.
        (
            "start@5 start@12 ok@15",
            "START_MET DURATION_MET END_MET MET",
        ),
        // Nothing has an effect after an end.
        (
            "start@5 ok@8 look@40 fail@41",
            "START_MET DURATION_MET END_MET MET",
        ),
        // The clock was set back after the end was missed.
        (
            "look@31 start@5 ok@8",
            "START_MISS END_MISS DURATION_MET MISS",
        ),
    ] {
        check(story, expected);
    }
}

#[test]
fn only_what_is_expected_is_told() {
    let record = read(&[("should-end", "30")]);
    let mut state = SlaState::NEW;
    for (word, expected) in [
        ("look@20", vec![]),
        ("start@25", vec![]),
        ("ok@26", vec![SlaEvent::EndMet]),
    ] {
        assert_eq!(state.take(&record, happened(word)), expected, "{word}");
    }
}

#[test]
fn the_next_look_is_when_something_may_be_missed() {
    let record = read(&[
        ("should-start", "10"),
        ("should-end", "30"),
        ("max-duration", "15"),
    ]);
    let after = |story: &str| {
        let mut state = SlaState::NEW;
        for word in story.split_whitespace() {
            state.take(&record, happened(word));
        }
        state.next_look(&record).map(|time| time - NOMINAL)
    };
    for (story, expected) in [
        ("", Some(minute(10) + 1)),
        ("look@11", Some(minute(30) + 1)),
        ("start@5", Some(minute(20) + 1)),
        ("start@20", Some(minute(30) + 1)),
        ("start@20 look@31", Some(minute(35) + 1)),
        ("look@31", None),
        ("start@5 ok@8", None),
        ("passed", None),
    ] {
        assert_eq!(after(story), expected, "{story}");
    }
}

fn any_happened() -> impl Strategy<Value = Happened> {
    let at = || (-5_i64..60).prop_map(|n| NOMINAL + minute(n));
    prop_oneof![
        4 => at().prop_map(|at| Happened::Looked { at }),
        2 => at().prop_map(|at| Happened::Started { at }),
        1 => (at(), any::<bool>()).prop_map(|(at, has_succeeded)| Happened::Ended { at, has_succeeded }),
        1 => Just(Happened::PassedBy),
    ]
}

proptest! {
    #[test]
    fn each_event_comes_once_and_is_met_or_missed(
        start in proptest::option::of(0_i64..40),
        end in 0_i64..40,
        duration in proptest::option::of(1_i64..40),
        story in proptest::collection::vec(any_happened(), 0..12),
    ) {
        let record = SlaRecord {
            nominal: NOMINAL,
            expected_start: start.map(|n| NOMINAL + minute(n)),
            expected_end: NOMINAL + minute(end),
            expected_duration: duration.map(minute),
            alert_events: None,
            alert_contact: None,
            notification_message: None,
            upstream_apps: None,
        };
        let mut state = SlaState::NEW;
        let mut kinds = Vec::new();
        for happened in story {
            let was_over = state.is_over;
            let events = state.take(&record, happened);
            prop_assert!(!was_over || events.is_empty());
            kinds.extend(events.iter().map(|event| event.kind()));
            for event in events {
                prop_assert_eq!(state.fired(event.kind()).map(|fired| fired.event), Some(event));
            }
            // A check at the due time yields an event or another due time.
            if let Some(next) = state.next_look(&record) {
                let mut later = state.clone();
                let too_early = state.clone().take(&record, Happened::Looked { at: next - 1 });
                prop_assert!(too_early.is_empty());
                let in_time = later.take(&record, Happened::Looked { at: next });
                prop_assert!(!in_time.is_empty());
                prop_assert_ne!(later.next_look(&record), Some(next));
            }
        }
        let n_events = kinds.len();
        kinds.sort_unstable();
        kinds.dedup();
        prop_assert_eq!(kinds.len(), n_events);
        let has_end = state.end.map(|fired| fired.event);
        match state.status {
            SlaStatus::Met => prop_assert_eq!(has_end, Some(SlaEvent::EndMet)),
            SlaStatus::Miss => prop_assert_eq!(has_end, Some(SlaEvent::EndMiss)),
            SlaStatus::NotStarted | SlaStatus::InProcess => prop_assert_eq!(has_end, None),
        }
    }
}
