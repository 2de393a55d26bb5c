//! Documents in the dialect of 2009.

use std::fs;

use crate::{
    harness::{World, node, text},
    run, states,
};

/// Archives its input in two branches, one with a child; its decisions depend on what exists.
const ARCHIVE: &str = r#"<hadoop-workflow name="archive">
  <start to="look"/>
  <decision name="look">
    <eval name="NOTHING">${not hdfs:exists('file:///', wf:conf('input'))}</eval>
    <eval name="GO">${wf:recovery() == 0 and concat(wf:appName(), '-', wf:conf('day')) == 'archive-monday'}</eval>
    <default name="NOTHING"/>
    <transition name="GO" to="both"/>
    <transition name="NOTHING" to="no-input"/>
  </decision>
  <fork name="both">
    <transition to="move"/>
    <transition to="mark"/>
  </fork>
  <hdfs name="move">
    <file-system>file:///</file-system>
    <user>ann</user>
    <commands>
      <mkdir path="${target}/${wf:id()}"/>
      <move source="${input}" target="${target}/${wf:id()}/processed"/>
    </commands>
    <transition name="OK" to="together"/>
    <transition name="ERROR" to="broken"/>
  </hdfs>
  <sub-workflow name="mark">
    <hadoop-workflow>marker</hadoop-workflow>
    <configuration>
      <property><name>place</name><value>${target}/mark</value></property>
    </configuration>
    <transition name="OK" to="together"/>
    <transition name="ERROR" to="broken"/>
  </sub-workflow>
  <join name="together"><transition to="check"/></join>
  <decision name="check">
    <eval name="DONE">${wf:exitState('move') == 'OK' and hdfs:isDir('', concat(target, '/', wf:id())) and timestamp() lt '9'}</eval>
    <default name="BROKEN"/>
    <transition name="DONE" to="end"/>
    <transition name="BROKEN" to="broken"/>
  </decision>
  <fail name="no-input"><message>no input on ${day} at ${wf:conf('input')}</message></fail>
  <fail name="broken"><message>${wf:errorNode()} ended in ${wf:exitState(wf:errorNode())}</message></fail>
  <end name="end"/>
</hadoop-workflow>"#;

const MARKER: &str = r#"<hadoop-workflow name="marker">
  <start to="make"/>
  <hdfs name="make">
    <file-system>file:///</file-system>
    <user>ann</user>
    <commands><mkdir path="${place}"/></commands>
    <transition name="OK" to="end"/>
    <transition name="ERROR" to="failed"/>
  </hdfs>
  <fail name="failed"><message>no</message></fail>
  <end name="end"/>
</hadoop-workflow>"#;

/// `monday` is a default, the rest is given.
const FILES: [(&str, &str); 4] = [
    ("workflow.xml", ARCHIVE),
    (
        "configuration.xml",
        "<configuration><property><name>day</name><value>monday</value></property></configuration>",
    ),
    ("hpdl.toml", "[map]\nmarker = \"marker\"\n"),
    ("marker/workflow.xml", MARKER),
];

fn archive() -> World {
    World::of(&FILES)
}

/// The properties for the application's input and output folders.
fn given(world: &World) -> [String; 2] {
    let input = world.out().join("in");
    fs::create_dir(&input).expect("made");
    [
        format!("-Dinput={}", input.display()),
        format!("-Dtarget={}/archive", world.out().display()),
    ]
}

#[test]
fn a_workflow_of_2009_runs_to_its_end() {
    let world = archive();
    let (input, target) = (world.out().join("in"), world.out().join("archive"));
    let [first, second] = given(&world);
    let (_, info) = run(&world, &[&first, &second], 0);
    assert_eq!(info["status"], "SUCCEEDED");
    let id = text(&info["id"]);
    assert!(target.join(&id).join("processed").is_dir());
    assert!(target.join("mark").is_dir());
    assert!(!input.exists());
    assert_eq!(
        states(&info),
        [
            "both OK",
            "check OK",
            "end OK",
            "look OK",
            "mark OK",
            "move OK",
            "together OK"
        ]
    );
}

#[test]
fn a_fail_node_fails_the_job_with_its_message() {
    let world = archive();
    let given = [
        format!("-Dinput={}/none", world.out().display()),
        format!("-Dtarget={}", world.out().display()),
    ];
    let (_, info) = run(&world, &[&given[0], &given[1]], 3);
    assert_eq!(info["status"], "FAILED");
    let failed = node(&info, "no-input");
    assert_eq!(
        (text(&failed["type"]), text(&failed["status"])),
        (":FAIL:".to_owned(), "OK".to_owned())
    );
    assert_eq!(
        text(&failed["error_message"]),
        format!("no input on monday at {}/none", world.out().display())
    );
    assert_eq!(info["error_code"], failed["error_code"]);
}

#[test]
fn an_error_leads_to_the_fail_node_and_kills_the_other_branch() {
    let world = archive();
    let (input, target) = (world.out().join("in"), world.out().join("file"));
    fs::create_dir(&input).expect("made");
    fs::write(&target, "in the way").expect("written");
    let given = [
        format!("-Dinput={}", input.display()),
        format!("-Dtarget={}", target.display()),
    ];
    let (_, info) = run(&world, &[&given[0], &given[1]], 3);
    assert_eq!(info["status"], "FAILED");
    let message = text(&node(&info, "broken")["error_message"]);
    assert!(message.ends_with(" ended in ERROR"), "{message}");
}

/// Makes an archive of the files that `is_inside`, with the others in a folder beside it; runs the program.
#[track_caller]
fn check_zip(is_inside: impl Fn(&str) -> bool) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("archive.zip");
    let mut writer = zip::ZipWriter::new(fs::File::create(&path).expect("made"));
    for (name, text) in FILES {
        if is_inside(name) {
            writer
                .start_file(name, zip::write::SimpleFileOptions::default())
                .expect("added");
            std::io::Write::write_all(&mut writer, text.as_bytes()).expect("written");
        } else {
            hpdlc_tests::folder::write(&folder.path().join(name), text);
        }
    }
    writer.finish().expect("finished");
    let world = World::of_folder(&path);
    let [first, second] = given(&world);
    let (_, info) = run(&world, &[&first, &second], 0);
    assert_eq!(info["status"], "SUCCEEDED");
}

#[test]
fn a_zip_is_built_and_run_like_its_folder() {
    check_zip(|_| true);
}

#[test]
fn settings_beside_a_zip_without_its_own_lead_out_of_it() {
    check_zip(|name| name != "hpdl.toml" && !name.starts_with("marker/"));
}

#[test]
fn a_migrated_workflow_runs_as_before() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in FILES {
        hpdlc_tests::folder::write(&folder.path().join("old").join(name), text);
    }
    let finished = hpdlc_tests::run(
        hpdlc_tests::command::command(hpdlc_tests::hpdlc(), &folder.path().join("home"))
            .args(["migrate", "old", "-o", "new"])
            .current_dir(folder.path()),
    );
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    let mut world = World::of_folder(&folder.path().join("new"));
    let [first, second] = given(&world);
    let (_, info) = run(&world, &[&first, &second], 0);
    assert_eq!(info["status"], "SUCCEEDED");
    world.afresh();
    // A `kill` node takes the place of a `fail` node.
    let (_, info) = run(&world, &["-Dinput=/none", &second], 1);
    assert_eq!(info["status"], "KILLED");
}
