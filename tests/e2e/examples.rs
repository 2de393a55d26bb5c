//! Every example ends as its README says.

use std::path::{Path, PathBuf};

use crate::{
    harness::{World, node},
    states,
};

fn example(name: &str) -> (World, PathBuf) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../examples")
        .join(name);
    let world = World::of_folder(&folder);
    (world, folder.join("job.properties"))
}

fn run(world: &World, properties: &Path, more: &[&str]) -> crate::harness::Ended {
    let mut arguments = vec!["-c", properties.to_str().expect("a plain path")];
    arguments.extend(more);
    world.run(&arguments)
}

#[test]
fn hello_greets() {
    let (world, properties) = example("hello");
    run(&world, &properties, &[]).expect(0);
    let info = world.info(&world.job().expect("a job"));
    assert_eq!(node(&info, "greet")["data"]["greeting"], "Hello, world!");
}

#[test]
fn retry_succeeds_at_the_third_attempt() {
    let (world, properties) = example("retry");
    let state = format!("-DstateRoot={}", world.out().display());
    run(&world, &properties, &[&state]).expect(0);
    let info = world.info(&world.job().expect("a job"));
    assert_eq!(node(&info, "flaky")["retries"], 2);
}

#[test]
fn retry_gives_up_after_its_limit() {
    let (world, properties) = example("retry");
    let state = format!("-DstateRoot={}", world.out().display());
    let ended = run(&world, &properties, &[&state, "-Dfailures=9"]).expect(1);
    assert!(ended.stderr.contains("flaky gave up"), "{}", ended.stderr);
    let info = world.info(&world.job().expect("a job"));
    assert_eq!(node(&info, "flaky")["retries"], 3);
}

#[test]
fn disk_report_sends_a_mail() {
    let Some(server) = crate::ssh::SshServer::start() else {
        return;
    };
    let sink = crate::email::MailServer::start("plain");
    let (world, properties) = example("disk-report");
    let [config, port] = [server.property(), sink.property()];
    for (limit, subject) in [
        ("101", "Subject: / on there is"),
        ("0", "Subject: ALARM: / on there is"),
    ] {
        let limit = format!("-Dlimit={limit}");
        run(
            &world,
            &properties,
            &["-Dhost=there", &config, &port, &limit],
        )
        .expect(0);
        let mails = sink.mails();
        assert!(
            mails
                .iter()
                .any(|mail| crate::harness::text(&mail["data"]).contains(subject)),
            "{subject}: {mails:?}"
        );
    }
}

#[test]
fn access_logs_writes_its_report() {
    let (world, properties) = example("access-logs");
    let output = format!("-DoutputRoot={}", world.out().display());
    run(&world, &properties, &[&output]).expect(0);
    let info = world.info(&world.job().expect("a job"));
    let user = info["user"].as_str().expect("a user");
    let folder = world.out().join(user).join("access-logs/report");
    let report = std::fs::read_to_string(folder.join("report.md")).expect("a report");
    assert!(
        report.contains("shop.example: access log of a week"),
        "{report}"
    );
    assert!(folder.join("ALARM").exists());
    assert!(
        states(&info).contains(&"raise-alarm OK".to_owned()),
        "{info:#}"
    );
}

#[test]
fn access_logs_refuses_a_log_without_requests() {
    let (world, properties) = example("access-logs");
    let output = format!("-DoutputRoot={}", world.out().display());
    let ended = run(&world, &properties, &[&output, "-DminimumRequests=1000000"]).expect(1);
    assert!(
        ended.stderr.contains("fewer than 1000000"),
        "{}",
        ended.stderr
    );
}

#[test]
fn weather_cleans_every_delivery_and_reports_twice() {
    let (world, properties) = example("weather");
    let root = world.out().join("data");
    let stations = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/weather/stations.sh");
    let delivered = std::process::Command::new(stations)
        .arg(&root)
        .args(["2026-06-01T00:00Z", "5", "25", "0"])
        .output()
        .expect("there is a shell");
    assert!(delivered.status.success(), "{delivered:?}");
    let root_property = format!("-Droot={}", root.display());
    let ended = run(
        &world,
        &properties,
        &[&root_property, "--speed", "3600", "--json"],
    )
    .expect(0);
    let info = ended.json_lines().pop().expect("the bundle");
    let counts: Vec<(String, u64)> = info["coordinators"]
        .as_array()
        .expect("coordinators")
        .iter()
        .map(|coordinator| {
            let n = coordinator["counts"]["SUCCEEDED"].as_u64();
            (crate::harness::text(&coordinator["name"]), n.unwrap_or(0))
        })
        .collect();
    assert_eq!(
        counts,
        [("ingest".to_owned(), 25), ("rollup".to_owned(), 2)]
    );
    for name in ["0100", "0200"] {
        let report = root.join(format!("reports/2026-06-01T{name}/report.md"));
        let report = std::fs::read_to_string(report).expect("a report");
        // Twelve deliveries of four readings; broken lines are dropped.
        for station in ["airport", "harbour", "hilltop"] {
            assert!(report.contains(&format!("| {station} | 48 |")), "{report}");
        }
    }
}
