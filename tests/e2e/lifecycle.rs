//! `submit`, `start`, `suspend`, `resume` and `kill` from any terminal: in the background, immediately, and by Oozie's state table.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use crate::harness::{World, finish, is_running, node, state_of, step, text, wait_for};

/// Long enough for a loaded machine, and shorter than the owner's polling interval of a second.
const AT_ONCE: Duration = Duration::from_millis(700);

fn two_steps() -> World {
    World::of_nodes(&[step("a", "gated", "b"), step("b", "0", "end")].concat())
}

/// The detached owner of a job, by its command line.
fn owner_of(world: &World, id: &str) -> i32 {
    let owner = fs::read_dir("/proc")
        .expect("Linux")
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok())
        .find(|pid| {
            let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            line.contains(&format!("own {id}"))
        });
    owner.unwrap_or_else(|| panic!("no owner of {id}: {}", world.log(id)))
}

#[test]
fn a_submitted_job_waits_for_its_start_and_then_runs_in_the_background() {
    let world = two_steps();
    let id = world.submit(&[]);
    assert_eq!(world.info(&id)["status"], "PREP");
    let told = world.call(&["info", &id]).expect(0);
    assert!(
        told.stdout.contains(&format!("start {id}")),
        "{}",
        told.stdout
    );
    let nothing = world.call(&["recover"]).expect(0);
    assert!(nothing.stderr.contains("no job needs recovery"));
    world.call(&["recover", &id]).expect(2);
    assert_eq!(world.effects(), [""; 0]);

    world.call(&["start", &id]).expect(0);
    let process = world.await_running("a");
    let owner = owner_of(&world, &id);
    let stat = fs::read_to_string(format!("/proc/{owner}/stat")).expect("it lives");
    let fields: Vec<&str> = stat
        .rsplit_once(") ")
        .expect("a line")
        .1
        .split(' ')
        .collect();
    assert_eq!(
        fields[3],
        owner.to_string(),
        "it leads a session of its own"
    );
    assert_eq!(fields[4], "0", "it has no terminal");
    for (fd, end) in [(0, "/dev/null"), (1, "/dev/null"), (2, "owner.log")] {
        let file = fs::read_link(format!("/proc/{owner}/fd/{fd}")).expect("it is open");
        assert!(file.to_string_lossy().ends_with(end), "{fd}: {file:?}");
    }
    assert_eq!(
        fs::read_link(format!("/proc/{owner}/cwd")).expect("Linux"),
        std::path::Path::new("/")
    );
    assert!(is_running(process));
    world.open_gate("a");
    world.await_status(&id, "SUCCEEDED");
    assert_eq!(world.effects(), ["a", "b"]);
    wait_for("the owner to go", || (!is_running(owner)).then_some(()));
}

/// Runs `command` of the program with files that the shell has opened for it, one of them with a two-digit descriptor.
fn call_with_files(world: &World, command: &str) -> PathBuf {
    let held = world.out().join("held");
    let line = format!(
        "{} {command} 7>{held} 12>{held}",
        world.program().display(),
        held = held.display()
    );
    let started = std::process::Command::new("bash")
        .args(["-c", &line])
        .envs(hpdlc_tests::command::home_variables(world.home()))
        .output()
        .expect("bash");
    assert!(started.status.success(), "{started:?}");
    held
}

#[track_caller]
fn check_not_open(process: i32, held: &Path) {
    let files = fs::read_dir(format!("/proc/{process}/fd")).expect("it lives");
    for file in files.flatten() {
        let number = file.file_name();
        let file = fs::read_link(file.path()).unwrap_or_default();
        assert_ne!(file, held, "{number:?} of {process}");
    }
}

fn parent_of(process: i32) -> i32 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).expect("it lives");
    let fields = stat.rsplit_once(") ").expect("a line").1;
    let parent = fields.split(' ').nth(1).expect("it has a parent");
    parent.parse().expect("a number")
}

#[test]
fn no_process_of_a_job_keeps_a_file_of_the_terminal_open() {
    let world = two_steps();
    let id = world.submit(&[]);
    let held = call_with_files(&world, &format!("start {id}"));
    let process = world.await_running("a");
    let launcher = parent_of(process);
    for process in [owner_of(&world, &id), launcher, process] {
        check_not_open(process, &held);
    }
    world.open_gate("a");
    world.await_status(&id, "SUCCEEDED");
}

#[test]
fn a_suspended_job_begins_nothing_and_goes_on_where_it_stopped() {
    let world = two_steps();
    let owner = world.start(&[]);
    let process = world.await_running("a");
    let id = world.job().expect("a job");
    let begun = Instant::now();
    world.call(&["suspend", &id]).expect(0);
    assert!(begun.elapsed() < AT_ONCE, "{:?}", begun.elapsed());
    let ended = finish(owner).expect(4);
    assert!(
        ended.stderr.contains(&format!("resume {id}")),
        "{}",
        ended.stderr
    );
    assert!(is_running(process), "what runs goes on");
    assert_eq!(world.info(&id)["status"], "SUSPENDED");
    world.open_gate("a");
    wait_for("a to end", || (!is_running(process)).then_some(()));
    let nothing = world.call(&["recover"]).expect(0);
    assert!(nothing.stderr.contains("no job needs recovery"));
    assert_eq!(
        node(&world.info(&id), "a")["status"],
        "DONE",
        "the files of its attempt say so"
    );

    let begun = Instant::now();
    world.call(&["resume", &id]).expect(0);
    assert!(begun.elapsed() < AT_ONCE, "{:?}", begun.elapsed());
    world.await_status(&id, "SUCCEEDED");
    assert_eq!(world.effects(), ["a", "b"]);
    let info = world.info(&id);
    assert_eq!(
        node(&info, "a")["external_id"],
        process.to_string(),
        "{info:#}"
    );
}

/// Registers a copy of the executable as one that its definition may have.
fn write_down(world: &World, copy: &Path) {
    let sum = std::process::Command::new("sha256sum").arg(copy).output();
    let sum = String::from_utf8(sum.expect("sha256sum").stdout).expect("text");
    let sum = sum.split_whitespace().next().expect("a sum");
    let length = fs::metadata(copy).expect("a file").len();
    let hash = copy.file_name().expect("a name");
    let digests = world.home().join("sums").join(hash).join("digests");
    let mut text = fs::read_to_string(&digests).expect("they are written down");
    text.push_str(&format!("{sum} {length}\n"));
    fs::write(digests, text).expect("a file");
}

#[test]
fn an_owner_that_cannot_begin_says_why() {
    let world = two_steps();
    let id = world.submit(&[]);
    let kept = world.home().join("bin");
    let copy = fs::read_dir(kept).expect("it is there").flatten().next();
    let copy = copy.expect("a copy").path();
    fs::remove_file(&copy).expect("a file");
    fs::write(&copy, "#!/bin/sh\necho the disk is gone >&2\nexit 5\n").expect("a file");
    // An unregistered copy would be replaced before it is run.
    write_down(&world, &copy);
    let made = std::process::Command::new("chmod")
        .arg("700")
        .arg(&copy)
        .status();
    assert!(made.expect("chmod").success());
    let ended = world.call(&["start", &id]).expect(5);
    let is_clear = ended.stderr.contains("the disk is gone")
        && ended.stderr.contains(&format!("recover {id}"));
    assert!(is_clear, "{}", ended.stderr);
    assert_eq!(world.info(&id)["status"], "PREP");
    fs::remove_file(&copy).expect("a file");
    fs::copy(world.program(), &copy).expect("a file");
    world.open_gate("a");
    // The request is kept.
    world.call(&["recover", &id]).expect(0);
    assert_eq!(world.effects(), ["a", "b"]);
}

#[test]
fn a_detached_owner_can_be_told_to_hand_over() {
    let world = two_steps();
    let id = world.submit(&[]);
    world.call(&["start", &id]).expect(0);
    let process = world.await_running("a");
    let owner = owner_of(&world, &id);
    crate::harness::signal("TERM", owner);
    wait_for("the owner to go", || {
        (state_of(owner).is_none_or(|state| state == 'Z')).then_some(())
    });
    assert!(is_running(process));
    world.open_gate("a");
    world.call(&["recover", &id]).expect(0);
    assert_eq!(text(&world.info(&id)["status"]), "SUCCEEDED");
    assert_eq!(world.effects(), ["a", "b"]);
}
