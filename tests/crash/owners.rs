//! Ownership of a job: one process at a time, and an owner that releases the job leaves everything to its successor.

use std::{
    fs::{self, File},
    process::Child,
    thread,
    time::Duration,
};

use crate::harness::{
    World, finish, is_running, kill_dash_nine, node, pid_of, signal, state_of, step, wait_for,
};

fn one_gated_step() -> World {
    World::of_nodes(&step("a", "gated", "end"))
}

fn stop(owner: &Child) {
    let pid = pid_of(owner);
    signal("STOP", pid);
    wait_for("the owner to stop", || {
        (state_of(pid) == Some('T')).then_some(())
    });
}

#[test]
fn of_two_recoveries_one_drives_and_the_other_says_so() {
    let world = one_gated_step();
    let owner = world.start(&[]);
    world.await_running("a");
    let id = world.job().expect("a job");
    kill_dash_nine(owner);
    let mut recoveries = [
        world.spawn(&["recover", &id]),
        world.spawn(&["recover", &id]),
    ];
    let refused = wait_for("one to give up", || {
        recoveries
            .iter_mut()
            .position(|child| child.try_wait().expect("our child").is_some())
    });
    let [first, second] = recoveries;
    let (refused, driving) = if refused == 0 {
        (first, second)
    } else {
        (second, first)
    };
    let driver = pid_of(&driving);
    let refused = finish(refused).expect(2);
    let words = format!("job {id} has an owner: process {driver}");
    assert!(refused.stderr.contains(&words), "{}", refused.stderr);
    let all = world.call(&["recover"]).expect(0);
    assert!(
        all.stderr.contains("no job needs recovery"),
        "{}",
        all.stderr
    );
    world.open_gate("a");
    finish(driving).expect(0);
    assert_eq!(world.effects(), ["a"]);
}

#[test]
fn what_an_owner_was_starting_when_it_died_keeps_no_recovery_from_its_job() {
    let mut world = one_gated_step();
    for is_named in [false, true] {
        world.afresh();
        let owner = world.start(&[]);
        world.await_running("a");
        let id = world.job().expect("a job");
        kill_dash_nine(owner);
        // A forked process holds its parent's lock until it calls `execve`, which on a busy machine takes a while.
        let lock = File::open(world.home().join("locks").join(&id)).expect("the job's lock");
        lock.try_lock().expect("nobody has it");
        let arguments = ["recover", &id];
        let mut recovery = world.spawn(&arguments[..1 + usize::from(is_named)]);
        thread::sleep(Duration::from_millis(200));
        let ended = recovery.try_wait().expect("our child");
        assert!(ended.is_none(), "{:?}", finish(recovery));
        drop(lock);
        world.open_gate("a");
        finish(recovery).expect(0);
        assert_eq!(world.effects(), ["a"]);
    }
}

#[test]
fn a_lock_that_stays_is_that_of_an_owner_whom_nobody_here_sees() {
    let world = one_gated_step();
    let owner = world.start(&[]);
    world.await_running("a");
    let id = world.job().expect("a job");
    kill_dash_nine(owner);
    // Simulates an owner in another container.
    let lock = File::open(world.home().join("locks").join(&id)).expect("the job's lock");
    lock.try_lock().expect("nobody has it");
    let all = world.call(&["recover"]).expect(0);
    let words = "no job needs recovery";
    assert!(all.stderr.contains(words), "{}", all.stderr);
    let one = world.call(&["recover", &id]).expect(2);
    let words = format!("job {id} has an owner: process ");
    assert!(one.stderr.contains(&words), "{}", one.stderr);
    drop(lock);
    world.open_gate("a");
    world.call(&["recover"]).expect(0);
    assert_eq!(world.effects(), ["a"]);
}

#[test]
fn looking_at_a_job_never_keeps_a_recovery_from_it() {
    let world = one_gated_step();
    let owner = world.start(&[]);
    world.await_running("a");
    let id = world.job().expect("a job");
    kill_dash_nine(owner);
    for _ in 0..10 {
        let lookers: Vec<Child> = (0..4).map(|_| world.spawn(&["info", &id])).collect();
        let recovery = world.spawn(&["recover", &id]);
        for looker in lookers {
            finish(looker).expect(0);
        }
        wait_for("the recovery to attach", || {
            let owner = world.info(&id);
            assert_eq!(owner["status"], "RUNNING");
            let told = world.call(&["info", &id]);
            (!told.stdout.contains("no process drives this job")).then_some(())
        });
        assert!(is_running(pid_of(&recovery)), "{:?}", finish(recovery));
        kill_dash_nine(recovery);
    }
    world.open_gate("a");
    world.call(&["recover", &id]).expect(0);
    assert_eq!(world.effects(), ["a"]);
}

#[test]
fn an_owner_that_is_stopped_stays_the_owner() {
    let world = one_gated_step();
    let owner = world.start(&["-Dhpdl.kill.grace=1"]);
    world.await_running("a");
    let id = world.job().expect("a job");
    stop(&owner);
    let refused = world.call(&["recover", &id]).expect(2);
    let words = format!("has an owner: process {}", owner.id());
    assert!(refused.stderr.contains(&words), "{}", refused.stderr);
    let kill = world.spawn(&["kill", &id]);
    signal("CONT", pid_of(&owner));
    finish(kill).expect(0);
    finish(owner).expect(1);
    assert_eq!(world.info(&id)["status"], "KILLED");
}

#[test]
fn a_kill_that_a_stopped_owner_does_not_hear_says_so_and_stands() {
    let world = one_gated_step();
    let owner = world.start(&["-Dhpdl.kill.grace=1"]);
    let process = world.await_running("a");
    let id = world.job().expect("a job");
    stop(&owner);
    let kill = finish(world.spawn(&["kill", &id])).expect(5);
    let words = format!(
        "process {}, is stopped and does not respond; the request remains queued",
        owner.id()
    );
    assert!(kill.stderr.contains(&words), "{}", kill.stderr);
    assert!(
        kill.stderr.contains(&format!("recover {id}")),
        "{}",
        kill.stderr
    );
    assert!(is_running(process));
    kill_dash_nine(owner);
    world.call(&["recover", &id]).expect(1);
    assert!(!is_running(process));
    assert_eq!(world.effects(), ["a"]);
}

#[test]
fn nobody_takes_a_job_from_an_owner_that_sleeps() {
    let world = World::of_nodes(&[step("a", "gated", "b"), step("b", "0", "end")].concat());
    let sleeper = world.start(&[]);
    let process = world.await_running("a");
    let id = world.job().expect("a job");
    stop(&sleeper);
    world.open_gate("a");
    wait_for("the process to end", || {
        (!is_running(process)).then_some(())
    });
    let tries: Vec<Child> = (0..8).map(|_| world.spawn(&["recover", &id])).collect();
    for child in tries {
        let refused = finish(child).expect(2);
        let words = format!("has an owner: process {}", sleeper.id());
        assert!(refused.stderr.contains(&words), "{}", refused.stderr);
    }
    let suspend = finish(world.spawn(&["suspend", &id])).expect(5);
    let is_clear = suspend.stderr.contains("is stopped and does not respond")
        && suspend
            .stderr
            .contains(&format!("kill -CONT {}", sleeper.id()));
    assert!(is_clear, "{}", suspend.stderr);
    assert_eq!(world.effects(), ["a"]);
    // It executes the command that it received while stopped before it starts anything.
    signal("CONT", pid_of(&sleeper));
    let code = finish(sleeper).code;
    assert!(matches!(code, Some(0 | 4)), "{code:?}");
    if code == Some(4) {
        world.call(&["resume", &id, "--wait"]).expect(0);
    }
    assert_eq!(world.effects(), ["a", "b"]);
}

#[test]
fn an_owner_that_slept_begins_nothing_that_its_successor_has_done() {
    let world = World::of_nodes(&[step("a", "gated", "b"), step("b", "0", "end")].concat());
    let sleeper = world.start(&[]);
    world.await_running("a");
    let id = world.job().expect("a job");
    stop(&sleeper);
    for lock in [id.clone(), format!("{id}.requests")] {
        fs::remove_file(world.home().join("locks").join(lock)).expect("a lock file");
    }
    world.open_gate("a");
    world.call(&["recover", &id]).expect(0);
    assert_eq!(world.effects(), ["a", "b"]);
    let before = (world.info(&id), world.log(&id));
    signal("CONT", pid_of(&sleeper));
    finish(sleeper).expect(5);
    assert_eq!(before, (world.info(&id), world.log(&id)));
    assert_eq!(world.effects(), ["a", "b"]);
}

/// hpdlc never takes a job from a living process; removing the lock files simulates that another cause does.
#[test]
fn an_owner_that_slept_while_another_took_over_writes_nothing() {
    let world = one_gated_step();
    let sleeper = world.start(&[]);
    world.await_running("a");
    let id = world.job().expect("a job");
    stop(&sleeper);
    for lock in [id.clone(), format!("{id}.requests")] {
        fs::remove_file(world.home().join("locks").join(lock)).expect("a lock file");
    }
    let successor = world.spawn(&["recover", &id]);
    wait_for("the successor to attach", || {
        world.log(&id).contains("ATTACHED").then_some(())
    });
    world.open_gate("a");
    finish(successor).expect(0);
    let (info, log) = (world.info(&id), world.log(&id));
    signal("CONT", pid_of(&sleeper));
    let sleeper = finish(sleeper).expect(5);
    assert!(
        sleeper.stderr.contains("was taken over by another process"),
        "{}",
        sleeper.stderr
    );
    assert_eq!((world.info(&id), world.log(&id)), (info, log));
    assert_eq!(world.effects(), ["a"]);
}

#[test]
fn a_signal_to_end_hands_over() {
    for name in ["TERM", "HUP"] {
        let world = one_gated_step();
        let owner = world.start(&[]);
        let process = world.await_running("a");
        let id = world.job().expect("a job");
        signal(name, pid_of(&owner));
        let ended = finish(owner).expect(5);
        assert!(
            ended.stderr.contains(&format!("SIG{name}")),
            "{}",
            ended.stderr
        );
        assert!(
            ended.stderr.contains(&format!("recover {id}")),
            "{}",
            ended.stderr
        );
        assert!(is_running(process), "SIG{name}: what runs goes on");
        let told = world.call(&["info", &id]).expect(0);
        assert!(
            told.stdout.contains(&format!("recover {id}")),
            "{}",
            told.stdout
        );
        let recovery = world.spawn(&["recover"]);
        wait_for("the recovery to attach", || {
            world.log(&id).contains("ATTACHED").then_some(())
        });
        world.open_gate("a");
        finish(recovery).expect(0);
        assert_eq!(world.effects(), ["a"], "SIG{name}");
        let info = world.info(&id);
        assert_eq!(
            node(&info, "a")["external_id"],
            process.to_string(),
            "{info:#}"
        );
    }
}

#[test]
fn an_action_that_ended_while_nobody_looked_is_not_run_again() {
    let world = World::of_nodes(&[step("a", "gated", "b"), step("b", "0", "end")].concat());
    let owner = world.start(&[]);
    let process = world.await_running("a");
    let id = world.job().expect("a job");
    kill_dash_nine(owner);
    world.open_gate("a");
    wait_for("the process to end", || {
        (!is_running(process)).then_some(())
    });
    world.call(&["recover", &id]).expect(0);
    assert_eq!(world.effects(), ["a", "b"]);
    assert_eq!(
        world
            .call(&["recover", &id])
            .expect(0)
            .stderr
            .lines()
            .count(),
        1
    );
}
