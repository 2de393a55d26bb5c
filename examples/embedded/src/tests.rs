//! Tests of the workflow: its way, its values and its messages, without running its scripts.

use hpdlc_runtime::test::{Answer, Job, JobStatus};

use crate::order_import;

/// The import of a file with this share of bad lines allowed, of which `check` finds these.
fn import(max_bad_percent: Option<f64>, lines: u32, bad: u32) -> Job {
    let params = order_import::Params {
        archive: "/archive".to_owned(),
        inbox: "/inbox".to_owned(),
        max_bad_percent,
        name: "orders.csv".to_owned(),
    };
    Job::of(&order_import::PROGRAM)
        .given_all(params.properties())
        .answer("check", Answer::ok().data("lines", lines).data("bad", bad))
}

#[test]
fn good_orders_are_accepted() {
    let ran = import(None, 100, 5).run();
    assert_eq!(ran.status, JobStatus::Succeeded);
    let target = format!("/archive/accepted/orders.csv-{}", ran.id);
    assert_eq!(&ran.values("accept")["move@target"], target.as_str());
}

#[test]
fn bad_orders_are_rejected() {
    let ran = import(None, 100, 6).run();
    assert_eq!(ran.status, JobStatus::Killed);
    assert!(!ran.has_reached("accept"));
    let message = "orders.csv: 6 of 100 lines are no orders";
    assert_eq!(ran.message.as_deref(), Some(message));
    assert!(import(Some(6.0), 100, 6).run().has_reached("accept"));
}

#[test]
fn a_file_that_cannot_be_claimed_is_not_read() {
    let ran = import(None, 1, 0)
        .answer("claim", Answer::error("FS007", "no such file"))
        .run();
    assert_eq!(ran.path(), ["claim", "failed"]);
    let message = "orders.csv: claim failed: no such file";
    assert_eq!(ran.message.as_deref(), Some(message));
}

#[test]
fn whatever_happens_the_import_ends() {
    let ways = import(None, 1, 0).every_way();
    let succeeded = ways.iter().filter(|way| way.status == JobStatus::Succeeded);
    assert_eq!(succeeded.count(), 1);
}
