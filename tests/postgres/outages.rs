//! Servers that die, restart, are slow, have a full disk and cut connections while jobs run: what was told to be done is done once.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use super::{PostgresServer, Start, chain, has_no_file, proxy::Proxy, server};
use crate::harness::{World, finish, wait_for};

const N_STEPS: usize = 60;

/// Runs a chain while `disturb` is called again and again.
fn each_step_once(disturb: impl Fn(&PostgresServer, u64) + Sync) {
    let Some(server) = server() else { return };
    let world = chain(&server, N_STEPS);
    each_step_of(&world, |n| disturb(&server, n));
}

fn each_step_of(world: &World, disturb: impl Fn(u64) + Sync) {
    let is_over = AtomicBool::new(false);
    let run = world.start(&[]);
    // A command that is cut off within its transaction changes nothing, and says so.
    wait_for("the job to run", || {
        (!world.effects().is_empty()).then_some(())
    });
    thread::scope(|scope| {
        let disturber = scope.spawn(|| {
            let mut n = 0;
            while !is_over.load(Ordering::Relaxed) {
                n += 1;
                disturb(n);
            }
        });
        let ended = finish(run);
        is_over.store(true, Ordering::Relaxed);
        disturber.join().expect("it does not panic");
        ended.expect(0);
    });
    check_each_once(world);
}

#[track_caller]
fn check_each_once(world: &World) {
    let expected: Vec<String> = (0..N_STEPS).map(|n| format!("s{n:03}")).collect();
    assert_eq!(world.effects(), expected);
    let id = world.job().expect("a job");
    world.await_status(&id, "SUCCEEDED");
    assert!(has_no_file(world));
    world.call(&["doctor"]).expect(0);
}

#[test]
fn a_server_that_is_killed_and_restarted_under_load_loses_and_repeats_nothing() {
    each_step_once(|server, n| {
        // Owners look for a server that is away once a second.
        thread::sleep(Duration::from_millis(900 + 137 * (n % 5)));
        server.kill();
        thread::sleep(Duration::from_millis(100));
        server.go_on();
    });
}

#[test]
fn connections_that_are_cut_in_the_middle_of_commits_lose_and_repeat_nothing() {
    each_step_once(|server, n| {
        thread::sleep(Duration::from_millis(5 + 11 * (n % 7)));
        server.cut_connections();
    });
}

#[test]
fn an_owner_whose_server_is_gone_waits_and_can_be_ended() {
    let Some(server) = server() else { return };
    let world = super::of_nodes(
        &server,
        &crate::harness::bare("step.sh", "a", "gated", "end"),
    );
    let run = world.start(&[]);
    world.await_running("a");
    server.kill();
    world.open_gate("a");
    // The owner cannot record the end.
    thread::sleep(Duration::from_millis(500));
    crate::harness::signal("TERM", crate::harness::pid_of(&run));
    let ended = finish(run).expect(5);
    assert!(ended.stderr.contains("recover"), "{}", ended.stderr);
    let refused = world.call(&["jobs"]).expect(5);
    assert!(
        refused.stderr.contains("cannot be reached"),
        "{}",
        refused.stderr
    );
    server.go_on();
    let id = world.job().expect("a job");
    world.call(&["recover", &id]).expect(0);
    wait_for("the job to end", || {
        (world.effects() == ["a"]).then_some(())
    });
    world.await_status(&id, "SUCCEEDED");
}

/// A server may have committed what nobody hears of any more.
#[test]
fn answers_that_are_lost_are_read_back() {
    let Some(server) = server() else { return };
    let mut world = chain(&server, N_STEPS);
    let proxy = Proxy::to(server.port());
    world.set("HPDL_STORE_URL", &proxy.url());
    each_step_of(&world, |n| {
        // Some dozens of answers are those of connecting, and of the first statements.
        proxy.cut_after(40 + n % 23);
        thread::sleep(Duration::from_millis(150));
        proxy.cut_after(0);
        thread::sleep(Duration::from_millis(50));
    });
    assert!(proxy.n_cut() > 3, "{} connections were cut", proxy.n_cut());
}

#[test]
fn a_server_that_is_slow_makes_jobs_slow() {
    let Some(server) = server() else { return };
    let mut world = chain(&server, 4);
    let proxy = Proxy::to(server.port());
    proxy.delay(Duration::from_millis(120));
    world.set("HPDL_STORE_URL", &proxy.url());
    world.run(&[]).expect(0);
    assert_eq!(world.effects(), ["s000", "s001", "s002", "s003"]);
    world.call(&["doctor"]).expect(0);
}

/// A file system in memory.
struct SmallDisk(std::path::PathBuf);

impl SmallDisk {
    /// A server on it; `None`, with a line, where this process may not mount it.
    fn with_server(size: &str) -> Option<(SmallDisk, PostgresServer)> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let disk = SmallDisk(folder.path().to_owned());
        let options = format!("size={size}");
        if !done("mount", &["-t", "tmpfs", "-o", &options, "tmpfs"], &disk.0) {
            println!("skipped: this process may not mount a small disk");
            return None;
        }
        let server = PostgresServer::start_in(folder, &Start::default())?;
        Some((disk, server))
    }

    fn fill(&self) {
        let mut file = fs::File::create(self.0.join("rubbish")).expect("it is ours");
        let block = [0; 4096];
        while file.write_all(&block).is_ok() {}
    }

    fn make_room(&self) {
        fs::remove_file(self.0.join("rubbish")).expect("it is ours");
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        done("umount", &["--lazy"], &self.0);
        let _ = fs::remove_dir(&self.0);
    }
}

fn done(program: &str, arguments: &[&str], path: &Path) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).arg(path).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[test]
fn a_server_whose_disk_is_full_loses_and_repeats_nothing() {
    let Some((disk, server)) = SmallDisk::with_server("200m") else {
        return;
    };
    let world = chain(&server, N_STEPS);
    let run = world.start(&[]);
    wait_for("the job to run", || {
        (!world.effects().is_empty()).then_some(())
    });
    disk.fill();
    thread::sleep(Duration::from_secs(3));
    disk.make_room();
    if server.has_ended() {
        // It could not write its log.
        server.go_on();
    }
    let ended = finish(run);
    if ended.code == Some(5) {
        assert!(ended.stderr.contains("full"), "{}", ended.stderr);
        let id = world.job().expect("a job");
        world.call(&["recover", &id]).expect(0);
    }
    check_each_once(&world);
}
