//! The commands of executables that the compiler does not have.

use crate::{
    coordinators,
    harness::{World, action, call_program, hpdlc, text},
};

/// The names of the commands, in groups or below `Commands:`; continuation lines of a description are indented further.
fn commands(help: &str) -> Vec<&str> {
    help.lines()
        .skip_while(|line| !line.starts_with("Usage:"))
        .take_while(|line| *line != "Options:")
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split_whitespace().next())
        .collect()
}

#[test]
fn the_compiler_knows_the_commands_of_its_executables() {
    let world = World::of_nodes(&action(
        "a",
        "<shell xmlns='uri:oozie:shell-action:1.0'><exec>true</exec></shell>",
        "end",
    ));
    let root = world.home();
    let of_compiler = call_program(&hpdlc(), root, &["--help"]).expect(0).stdout;
    let of_compiler = commands(&of_compiler);
    assert!(of_compiler.contains(&"build"), "{of_compiler:?}");
    let help = world.call(&["--help"]).expect(0).stdout;
    let others: Vec<&str> = commands(&help)
        .into_iter()
        .filter(|name| !of_compiler.contains(name))
        .collect();
    assert!(others.contains(&"dryrun"), "{others:?}");
    for name in others {
        let refused = call_program(&hpdlc(), root, &[name]).expect(2).stderr;
        let tip = format!("then `./NAME {name}`");
        assert!(refused.contains(&tip), "{refused}");
    }
}

#[test]
fn a_job_is_named_by_its_number_too() {
    let world = World::of_nodes(&action(
        "a",
        "<shell xmlns='uri:oozie:shell-action:1.0'><exec>sh</exec><argument>-c</argument>\
         <argument>echo hello; exit 3</argument></shell>",
        "end",
    ));
    world.run(&[]).expect(1);
    let id = world.job().expect("a job");
    for number in ["1", "0000001"] {
        assert_eq!(text(&world.info(number)["id"]), id);
        assert!(world.log(number).contains("KILLED"));
        let printed = world.call(&["log", number, "a"]).expect(0).stdout;
        assert_eq!(printed, "hello\n");
        for command in ["graph", "settings", "timeline", "definition"] {
            world.call(&[command, number]).expect(0);
        }
        let whole = world.call(&["settings", &id]).expect(0).stdout;
        let same = world.call(&["settings", number]).expect(0).stdout;
        assert_eq!(whole, same);
        world.call(&["kill", number]).expect(2);
    }
    world.call(&["rerun", "1", "--wait"]).expect(1);
    assert_eq!(world.info("1")["run"], 1);
    for wrong in ["2", "-1", "1-W", "00000001x"] {
        let refused = world.call(&["info", "--", wrong]).expect(2).stderr;
        assert!(refused.contains("there is no job"), "{refused}");
    }
    let refused = world.call(&["info", "1@1"]).expect(2).stderr;
    assert!(refused.contains("is not a coordinator"), "{refused}");
}

#[test]
fn a_coordinator_and_its_actions_are_named_by_its_number_too() {
    let world = coordinators::world(&coordinators::coordinator(10, "00:10", ""));
    world.run(&[]).expect(0);
    let id = coordinators::the_coordinator(&world);
    assert_eq!(coordinators::actions(&world, "1").len(), 1);
    let action = world.call(&["info", "1@1", "--json"]).expect(0).stdout;
    assert!(action.contains(&format!("{id}@1")), "{action}");
    let refused = world.call(&["info", "1@2"]).expect(2).stderr;
    assert!(refused.contains(&id), "{refused}");
}

#[test]
fn a_failure_is_told_once() {
    let world = World::of_nodes(
        "<action name=\"a\"><shell xmlns='uri:oozie:shell-action:1.0'><exec>false</exec></shell>\
         <ok to='end'/><error to='tidy'/></action>\
         <action name=\"tidy\"><shell xmlns='uri:oozie:shell-action:1.0'><exec>true</exec></shell>\
         <ok to='end'/><error to='end'/></action>",
    );
    let told = world.run(&[]).expect(0).stderr;
    let count = |text: &str| told.matches(text).count();
    assert_eq!(count("ended with exit code 1"), 1, "{told}");
    assert_eq!(count("-> tidy"), 1, "{told}");
}
