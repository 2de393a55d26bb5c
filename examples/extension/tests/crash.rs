//! Kills what runs a job at each step of its work in a warehouse that counts starts, and looks whether anything was started twice.

#[path = "crash/program.rs"]
mod program;
#[path = "crash/warehouse.rs"]
mod warehouse;

use program::{Job, Victim};
use warehouse::{Moment, Warehouse};

#[test]
fn a_statement_runs_and_gives_its_rows() {
    let warehouse = Warehouse::open();
    let job = Job::start(&warehouse, &["day=2026-11-27"]);
    let info = job.finished();
    assert!(info.contains("\"status\":\"SUCCEEDED\""), "{info}");
    assert!(info.contains("\"rows\":\"12\""), "{info}");
    assert_eq!(warehouse.n_starts(), 1);
    let order = warehouse.order();
    let expected = "priority 5\nlock orders\nlock totals\ninsert into totals select sum(price) from orders where day = '2026-11-27'";
    assert_eq!(order, expected);
}

#[test]
fn what_a_statement_gives_is_looked_at_by_the_workflow() {
    let warehouse = Warehouse::open();
    let job = Job::start(&warehouse, &["day=2026-11-27", "usual=1000"]);
    let info = job.finished();
    assert!(info.contains("\"status\":\"KILLED\""), "{info}");
    let message = "12 orders of 2026-11-27,a tenth of what is usual would be 100";
    assert!(info.contains(message), "{info}");
}

/// At each moment, each of the processes dies, and whatever is left or comes next ends the job.
#[test]
fn nothing_is_started_twice_whatever_dies() {
    for moment in Moment::ALL {
        for victim in Victim::ALL {
            let what = format!("{victim:?} at {moment:?}");
            let warehouse = Warehouse::open();
            warehouse.stop_at(moment);
            let job = Job::start(&warehouse, &["day=today"]);
            warehouse.await_stop(&what);
            job.kill_process(victim);
            warehouse.go_on();
            let info = job.finished();
            let n_starts = warehouse.n_starts();
            let is_lost = info.contains("\"status\":\"SUSPENDED\"") && info.contains("HPDL_LOST");
            let is_done = info.contains("\"status\":\"SUCCEEDED\"");
            match moment {
                // Its process goes on without a launcher until it is replaced, perhaps while it starts the statement.
                Moment::Finding if victim == Victim::Launcher => {
                    assert!(is_done || is_lost, "{what}: {info}");
                    assert!(n_starts <= 1, "{what}");
                }
                Moment::Refused => {
                    assert!(is_lost, "{what}: {info}");
                    assert_eq!(n_starts, 0, "{what}");
                }
                // The next process may have asked before the warehouse had it.
                Moment::Starting => {
                    assert!(is_done || is_lost, "{what}: {info}");
                    assert_eq!(n_starts, 1, "{what}");
                }
                _ => {
                    assert!(is_done, "{what}: {info}");
                    assert_eq!(n_starts, 1, "{what}");
                }
            }
        }
    }
}

/// Several processes die, one after the other, at moments that a number chooses.
#[test]
fn nothing_is_started_twice_however_often_something_dies() {
    for seed in 1..=4_u64 {
        let mut number = seed;
        let mut next = |n: usize| {
            number = number
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(number >> 33).unwrap_or(0) % n
        };
        let warehouse = Warehouse::open();
        warehouse.take_checks(6);
        let mut job = None;
        for n_deaths in 0..3 {
            let victim = Victim::ALL[next(Victim::ALL.len())];
            let moment = match n_deaths {
                // Without its launcher the process goes on, perhaps until it starts the statement: the test above allows for that.
                0 if victim != Victim::Launcher => [Moment::Finding, Moment::Started][next(2)],
                0 => Moment::Started,
                _ => Moment::Checking,
            };
            let what = format!("seed {seed}: {victim:?} at {moment:?}");
            warehouse.stop_at(moment);
            let job = job.get_or_insert_with(|| Job::start(&warehouse, &["day=today"]));
            job.keep_driven();
            warehouse.await_stop(&what);
            job.kill_process(victim);
            warehouse.go_on();
        }
        let info = job.map(Job::finished).unwrap_or_default();
        assert!(
            info.contains("\"status\":\"SUCCEEDED\""),
            "seed {seed}: {info}"
        );
        assert_eq!(warehouse.n_starts(), 1, "seed {seed}");
    }
}

#[test]
fn killing_the_job_ends_the_statement() {
    for moment in [Moment::Started, Moment::Checking] {
        let warehouse = Warehouse::open();
        warehouse.take_checks(u32::MAX);
        warehouse.stop_at(moment);
        let job = Job::start(&warehouse, &["day=today"]);
        warehouse.await_stop("kill");
        if moment == Moment::Checking {
            warehouse.go_on();
        }
        job.kill();
        warehouse.go_on();
        let info = job.finished();
        assert!(info.contains("\"status\":\"KILLED\""), "{moment:?}: {info}");
        assert_eq!(warehouse.n_kills(), 1, "{moment:?}");
        assert_eq!(warehouse.n_starts(), 1, "{moment:?}");
    }
}
