//! Applications with what is typed and what comes of it: a file of cases for each subject, in `sessions`.
//!
//! What is given is [an application](application), and what comes of it [a session](session). Cases of a file with the same
//! application share its executable; each has a state folder of its own. `HPDL_CASE` selects cases by their titles.

use std::{cell::RefCell, collections::BTreeMap, env, panic};

use hpdlc_tests::cases;

use self::session::Session;
use crate::harness::World;

mod application;
mod report;
mod session;

fn check(subject: &str) {
    let wanted = env::var("HPDL_CASE").unwrap_or_default();
    let worlds: RefCell<BTreeMap<String, Vec<(String, World)>>> = RefCell::default();
    cases::check(&format!("tests/e2e/sessions/{subject}.txt"), |case| {
        if !case.about.contains(&wanted) {
            return case.expected.clone();
        }
        let mut worlds = worlds.borrow_mut();
        let programs = worlds
            .entry(case.given.clone())
            .or_insert_with(|| built(&case.given));
        programs[0].1.afresh();
        let play = panic::AssertUnwindSafe(|| Session::new(programs).play(&case.expected));
        // The other cases are played all the same.
        let panicked = |_| format!("{}\nit panicked, see above", case.expected);
        panic::catch_unwind(play).unwrap_or_else(panicked)
    });
}

/// The programs of a case, with the state folder of the first one.
fn built(given: &str) -> Vec<(String, World)> {
    let mut programs: Vec<(String, World)> = Vec::new();
    for (name, files) in application::applications(given) {
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (&**path, &**text))
            .collect();
        let mut world = World::of(&files);
        if let Some((_, first)) = programs.first() {
            world.move_home(Vec::new(), first.home().to_owned());
        }
        programs.push((name, world));
    }
    programs
}

macro_rules! subjects {
    ($($subject:ident)*) => {
        $(
            #[test]
            fn $subject() {
                check(stringify!($subject));
            }
        )*
    };
}

subjects! {
    control
    coordinator_reruns
    coordinators
    data
    elsewhere
    failures
    files
    home
    keeping
    keys
    lifecycle
    pictures
    processes
    rerun
    sla
    sub_workflows
    submission
    suspended
    terminal
    versions
}
