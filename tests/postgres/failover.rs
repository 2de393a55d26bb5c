//! A server that is replaced by its standby while a job runs.

use std::{thread, time::Duration};

use super::{chain, server};
use crate::harness::{finish, wait_for};

/// The URL of both, as libpq has it.
fn url(ports: [u16; 2]) -> String {
    let [first, second] = ports;
    format!("postgres://hpdl@127.0.0.1:{first},127.0.0.1:{second}/postgres")
}

#[test]
fn a_standby_that_takes_the_place_of_its_server_goes_on_with_its_jobs() {
    const N_STEPS: usize = 60;
    let Some(primary) = server() else { return };
    let mut world = chain(&primary, N_STEPS);
    let standby = primary.standby();
    // The standby comes first: it only reads until it is promoted.
    world.set("HPDL_STORE_URL", &url([standby.port(), primary.port()]));
    let run = world.start(&[]);
    wait_for("the job to run", || {
        (world.effects().len() > 5).then_some(())
    });
    primary.kill();
    thread::sleep(Duration::from_millis(500));
    let before = world.effects().len();
    standby.promote();
    finish(run).expect(0);
    let expected: Vec<String> = (0..N_STEPS).map(|n| format!("s{n:03}")).collect();
    assert!(before < N_STEPS, "it went on without a server");
    assert_eq!(world.effects(), expected);
    let id = world.job().expect("a job");
    world.await_status(&id, "SUCCEEDED");
    world.call(&["doctor"]).expect(0);
}

#[test]
fn a_standby_alone_is_refused_with_what_to_do() {
    let Some(primary) = server() else { return };
    let mut world = chain(&primary, 1);
    world.call(&["jobs"]).expect(0);
    let standby = primary.standby();
    world.set("HPDL_STORE_URL", &standby.url());
    let refused = world.call(&["submit", &world.out_property()]).expect(5);
    assert!(
        refused.stderr.contains("only reads") && refused.stderr.contains("primary"),
        "{}",
        refused.stderr
    );
}
