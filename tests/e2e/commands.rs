//! The commands of executables beside those of the compiler.

use crate::harness::{World, action, call_program, hpdlc};

/// The names below `Commands:`; lines that go on what a command does begin further to the right.
fn commands(help: &str) -> Vec<&str> {
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
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
