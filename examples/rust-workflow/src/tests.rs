//! Tests of the actions as functions, and of the workflow by the outcomes of its actions.

use hpdlc_flow::{
    error,
    runtime::test::{Job, JobStatus},
};

use crate::{
    actions::{Counted, Judged, Verdict, count, judge},
    daily,
};

/// The job of a log with so many requests.
fn job(requests: u64, verdict: Verdict) -> Job {
    let params = daily::Params {
        input: "/logs/access.log".to_owned(),
        output: "/report".to_owned(),
        limit: None,
    };
    Job::of(&daily::PROGRAM)
        .given_all(params.properties())
        .answer(
            "count",
            Ok(Counted {
                requests,
                failed: 3,
            }),
        )
        .answer("judge", Ok(Judged { verdict }))
}

#[test]
fn five_of_a_hundred_are_calm_and_six_are_not() {
    let verdict = |failed| judge::judge(100, failed, 5).expect("it cannot fail");
    let calm = Verdict::Calm;
    assert_eq!(verdict(5), Judged { verdict: calm });
    let alarm = Verdict::Alarm;
    assert_eq!(verdict(6), Judged { verdict: alarm });
}

#[test]
fn a_log_is_counted() {
    let log = concat!(env!("CARGO_MANIFEST_DIR"), "/data/access.log");
    let counted = count::count(log.to_owned()).expect("it is there");
    let expected = Counted {
        requests: 6,
        failed: 1,
    };
    assert_eq!(counted, expected);
}

#[test]
fn an_alarm_is_noted() {
    let ran = job(10, Verdict::Calm).real("judge", &judge::ACTION).run();
    assert_eq!(ran.status, JobStatus::Succeeded);
    assert_eq!(&ran.values("judge")["argument[3]"], "5");
    assert_eq!(&ran.values("alarm")["argument[2]"], "ALARM: 3 of 10 failed");
}

#[test]
fn a_calm_day_and_an_empty_one_have_no_alarm() {
    assert!(!job(10, Verdict::Calm).run().has_reached("alarm"));
    let empty = job(0, Verdict::Alarm).run();
    assert!(!empty.has_reached("judge"));
    assert_eq!(&empty.values("finish")["argument[2]"], "0 requests");
}

#[test]
fn a_log_that_is_not_there_is_tried_again_and_excused() {
    let ran = job(10, Verdict::Calm)
        .answer("count", Err::<Counted, _>(error("NO_LOG", "gone")))
        .run();
    assert_eq!(ran.status, JobStatus::Killed);
    assert_eq!(ran.node("count").attempts, 3);
    assert_eq!(&ran.values("excuse")["argument[2]"], "not counted: gone");
    let message = "/logs/access.log cannot be counted: NO_LOG";
    assert_eq!(ran.message.as_deref(), Some(message));
}

#[test]
fn whatever_happens_the_job_ends() {
    assert!(job(10, Verdict::Calm).every_way().len() > 5);
}
