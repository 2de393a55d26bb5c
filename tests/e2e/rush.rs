//! Many short processes: their empty folders are reused, and what they leave in one stays theirs.

use std::{fs, path::PathBuf};

use crate::{
    harness::{World, action, node, text, wait_for, workflow},
    run,
};

/// Enough for folders to be reused: that starts after some dozens have succeeded.
const N: usize = 220;

/// Behaves as its second argument says.
const LEAVE: &str = r#"#!/bin/sh
name=$1; how=$2; out=$3
echo "$name" >> "$out/effects"
[ "$(ls)" = action.xml ] || { echo "$name found $(ls)" >> "$out/found"; }
case $how in
    nothing) ;;
    output) echo "of=$name" ;;
    error) echo "of $name" >&2 ;;
    file) echo "$name" > own ;;
    hidden) echo "$name" > .own ;;
    beside) echo "$name" > ../own ;;
    linked) ln action.xml ../linked ;;
    orphan) (sleep 0.4; echo "$name" > late; echo "$name"; mkdir "$out/late-$name") & ;;
    daemon) setsid sh -c "sleep 0.4; echo $name > late; mkdir '$out/late-$name'" > /dev/null 2>&1 < /dev/null & ;;
esac
exit 0
"#;

const DEEDS: [&str; 9] = [
    "nothing", "output", "error", "file", "hidden", "beside", "linked", "orphan", "daemon",
];

/// A fork of actions, each with the behavior for its number; every fourth has its own configuration.
fn world(deed: impl Fn(usize) -> &'static str) -> World {
    let mut nodes = String::from("<fork name=\"all\">");
    for n in 0..N {
        nodes.push_str(&format!("<path start='n{n}'/>"));
    }
    nodes.push_str("</fork>\n");
    for n in 0..N {
        let configuration = if n.is_multiple_of(4) {
            format!(
                "<configuration><property><name>mark</name><value>n{n}</value></property></configuration>"
            )
        } else {
            String::new()
        };
        let body = format!(
            "<shell xmlns='uri:oozie:shell-action:1.0'>{configuration}<exec>sh</exec><argument>${{wf:appPath()}}/leave.sh</argument>\
             <argument>n{n}</argument><argument>{}</argument><argument>${{out}}</argument></shell>",
            deed(n)
        );
        nodes.push_str(&action(&format!("n{n}"), &body, "met"));
    }
    nodes.push_str("<join name='met' to='end'/>\n");
    World::of(&[("workflow.xml", &workflow(&nodes)), ("leave.sh", LEAVE)])
}

fn names() -> Vec<String> {
    let mut names: Vec<String> = (0..N).map(|n| format!("n{n}")).collect();
    names.sort();
    names
}

fn folder(world: &World, id: &str, name: &str) -> PathBuf {
    world.home().join("work").join(id).join(name)
}

#[test]
fn folders_that_are_left_as_they_were_are_used_again_and_nobody_misses_them() {
    let world = world(|_| "nothing");
    let (_, info) = run(&world, &["-Dhpdl.local.processes.max=3"], 0);
    let id = text(&info["id"]);
    assert_eq!(world.effects(), names());
    assert!(!world.out().join("found").exists());
    let n_left = names()
        .iter()
        .filter(|name| folder(&world, &id, name).exists())
        .count();
    assert!(n_left < N / 2 + N / 4, "{n_left} of {N} folders");
    for name in names() {
        let printed = world.call(&["log", &id, &name]).expect(0);
        assert_eq!(printed.stdout, "", "{name}");
        let folder = folder(&world, &id, &name);
        if folder.exists() {
            let text = fs::read_to_string(folder.join("1/action.xml")).expect("it is left whole");
            let n: usize = name[1..].parse().expect("a number");
            assert_eq!(text.contains("mark"), n.is_multiple_of(4), "{name}: {text}");
            assert!(!text.contains("mark") || text.contains(&format!("<value>{name}<")));
            assert!(folder.join("1.claim").exists(), "{name}");
            // The launcher creates it when its owner has exited.
            wait_for("the exit file", || {
                folder.join("1.exit").exists().then_some(())
            });
        }
    }
    let doctor = world.call(&["doctor"]).expect(0);
    assert!(!doctor.stdout.contains("problem"), "{}", doctor.stdout);
}

#[test]
fn what_an_action_leaves_stays_its_own() {
    // Half of them leave nothing, so that many folders can be reused.
    let world = world(|n| {
        if n.is_multiple_of(2) {
            DEEDS[n / 2 % DEEDS.len()]
        } else {
            "nothing"
        }
    });
    let (_, info) = run(&world, &["-Dhpdl.local.processes.max=3"], 0);
    let id = text(&info["id"]);
    assert_eq!(world.effects(), names());
    for n in (0..N).step_by(2) {
        let name = format!("n{n}");
        let of_it = folder(&world, &id, &name);
        let read = |file: &str| fs::read_to_string(of_it.join(file)).unwrap_or_default();
        let late = || {
            wait_for("what was left running", || {
                world
                    .out()
                    .join(format!("late-{name}"))
                    .exists()
                    .then_some(())
            });
        };
        match DEEDS[n / 2 % DEEDS.len()] {
            "output" => assert_eq!(read("1.out"), format!("of={name}\n")),
            "error" => assert_eq!(read("1.err"), format!("of {name}\n")),
            "file" => assert_eq!(read("1/own"), format!("{name}\n")),
            "hidden" => assert_eq!(read("1/.own"), format!("{name}\n")),
            "beside" => assert_eq!(read("own"), format!("{name}\n")),
            "linked" => assert_eq!(read("linked"), read("1/action.xml")),
            "orphan" => {
                late();
                assert_eq!(read("1/late"), format!("{name}\n"));
                assert_eq!(read("1.out"), format!("{name}\n"));
            }
            "daemon" => {
                late();
                assert_eq!(read("1/late"), format!("{name}\n"));
            }
            _ => {}
        }
        assert_eq!(node(&info, &name)["status"], "OK");
    }
    let found = fs::read_to_string(world.out().join("found")).unwrap_or_default();
    assert_eq!(found, "", "somebody found what another had left");
    // No folder contains files of another action.
    for name in names() {
        let of_it = folder(&world, &id, &name);
        for entry in fs::read_dir(of_it.join("1")).into_iter().flatten() {
            let file = entry.expect("a file").path();
            let text = fs::read_to_string(&file).unwrap_or_default();
            assert!(
                file.ends_with("action.xml") || text == format!("{name}\n"),
                "{}: {text}",
                file.display()
            );
        }
    }
}
