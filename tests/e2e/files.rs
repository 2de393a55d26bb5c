//! The `fs` action on local files: its effects, and its error codes.

use std::{fs, os::unix::fs::PermissionsExt};

use crate::{
    harness::{World, action, node},
    run,
};

/// A workflow of one `fs` action; `OUT` is replaced by the folder of traces.
fn world(operations: &str) -> World {
    let body = format!("<fs>{}</fs>", operations.replace("OUT", "file://${out}"));
    World::of_nodes(&action("a", &body, "end"))
}

#[track_caller]
fn check_error(operations: &str, code: &str, words: &str) {
    let world = world(operations);
    fs::write(world.out().join("one.txt"), "1").expect("a file");
    fs::write(world.out().join("two.txt"), "2").expect("a file");
    let (_, info) = run(
        &world,
        &[
            "-Delsewhere=hdfs://nn/x",
            "-Dmode=75",
            "-Drelative=x/y",
            "-Dbare=/no-scheme",
        ],
        1,
    );
    let failed = node(&info, "a");
    assert_eq!(
        (&failed["status"], &failed["error_code"]),
        (&"ERROR".into(), &code.into()),
        "{failed:#}"
    );
    let message = failed["error_message"].as_str().expect("a message");
    assert!(message.contains(words), "{message}");
}

#[test]
fn operations_happen_in_their_order() {
    let world = world(
        "<mkdir path='OUT/x/y'/><touchz path='OUT/x/y/new'/><move source='OUT/x/y/new' target='OUT/moved'/>\
         <delete path='OUT/*.txt'/><chmod path='OUT/x' permissions='-rwxr-x---' dir-files='false'/><delete path='OUT/nothing'/>",
    );
    fs::write(world.out().join("old.txt"), "").expect("a file");
    let (_, info) = run(&world, &[], 0);
    let out = world.out();
    assert!(out.join("moved").is_file());
    assert!(!out.join("x/y/new").exists() && !out.join("old.txt").exists());
    let mode = fs::metadata(out.join("x"))
        .expect("it was made")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o750);
    assert_eq!(node(&info, "a")["external_status"], "OK");
}

#[test]
fn what_cannot_be_done_takes_the_error_edge_with_oozies_code() {
    check_error("<mkdir path='${bare}'/>", "FS001", "/no-scheme");
    check_error(
        "<move source='OUT/missing' target='OUT/x'/>",
        "FS006",
        "missing",
    );
    check_error(
        "<move source='OUT/*.txt' target='OUT/one.txt'/>",
        "FS012",
        "one.txt",
    );
    check_error(
        "<chmod path='OUT/missing' permissions='755'/>",
        "FS009",
        "missing",
    );
    check_error(
        "<chmod path='OUT/one.txt' permissions='${mode}'/>",
        "FS010",
        "75",
    );
    check_error(
        "<move source='OUT/one.txt' target='${elsewhere}'/>",
        "FS007",
        "hdfs",
    );
    check_error(
        "<name-node>file:///</name-node><delete path='${relative}'/>",
        "FS011",
        "x/y",
    );
}

#[test]
fn operations_before_the_one_that_fails_stay_done() {
    let world = world(
        "<touchz path='OUT/first'/><move source='OUT/missing' target='OUT/x'/><touchz path='OUT/last'/>",
    );
    run(&world, &[], 1);
    assert!(world.out().join("first").exists());
    assert!(!world.out().join("last").exists());
}

#[test]
fn functions_look_at_files() {
    let nodes = [
        "<decision name=\"choose\"><switch><case to=\"end\">${fs:exists(concat('file://', out)) and fs:isDir(out) and fs:fileSize(concat(out, '/five')) eq 5 and not fs:exists(concat(out, '/none'))}</case><default to=\"failed\"/></switch></decision>",
    ];
    let world = World::of_nodes(nodes[0]);
    fs::write(world.out().join("five"), "12345").expect("a file");
    let (_, info) = run(&world, &[], 0);
    assert_eq!(node(&info, "choose")["transition"], "end");
}
