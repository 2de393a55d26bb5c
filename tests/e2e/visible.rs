//! Control characters for terminals are escaped wherever they would be shown, and JSON keeps them.

use serde_json::Value;

use crate::{
    harness::{World, text},
    run, sh,
};

/// Sequences for the window's title and the clipboard, a C1 control, a bidi override, a carriage return and a forged line.
const EVIL: &str = "a\u{1b}]0;owned\u{7}\u{1b}]52;c;QQ==\u{7}\u{9b}31m\u{202e}b\rc\nJob forged";

/// The same, printed by a shell.
const PRINTED: &str = r"printf 'a\033]0;owned\007\302\2335n\342\200\256b\n' >&2; exit 1";

fn steers(text: &str) -> Option<char> {
    text.chars().find(|&c| {
        (c.is_control() && c != '\n' && c != '\t') || matches!(c, '\u{202a}'..='\u{202e}')
    })
}

#[test]
fn what_would_steer_a_terminal_is_written_out_by_every_command() {
    let mut world = World::of_nodes(
        &[
            sh("a", "echo fine", "<argument>${title}</argument>", "b"),
            sh("b", PRINTED, "", "end"),
        ]
        .concat(),
    );
    let title = format!("-Dtitle={EVIL}");
    let name = "-Doozie.wf.application.path=file:///a\u{1b}[31m";
    let (ended, info) = run(&world, &[&title], 1);
    let id = text(&info["id"]);
    assert_eq!(info["conf"]["title"], EVIL, "JSON keeps it");
    let out = world.out_property();
    let mut shown = vec![
        ("run", ended),
        ("run --json", world.run(&[&title, "--json"])),
        ("info", world.call(&["info", &id])),
        ("info --json", world.call(&["info", &id, "--json"])),
        ("jobs", world.call(&["jobs"])),
        ("jobs --json", world.call(&["jobs", "--json"])),
        ("log", world.call(&["log", &id])),
        ("dryrun", world.call(&["dryrun", &out, &title])),
        (
            "dryrun --json",
            world.call(&["dryrun", &out, &title, "--json"]),
        ),
        ("settings", world.call(&["settings", &id])),
        ("graph", world.call(&["graph", &id])),
        ("doctor", world.call(&["doctor"])),
        ("rerun", world.call(&["rerun", &id, "--dry-run", &title])),
        ("refused", world.call(&["info", EVIL])),
        ("path", world.call(&["dryrun", &out, &title, name])),
    ];
    world.set("HPDL_SITE", EVIL);
    shown.push(("site", world.call(&["jobs"])));
    for (command, ended) in &shown {
        let text = format!("{}{}", ended.stdout, ended.stderr);
        assert_eq!(steers(&text), None, "{command}: {text:?}");
        assert!(
            !text
                .lines()
                .any(|line| line.trim_start().starts_with("Job forged")),
            "{command} shows a line that is none of its own: {text}"
        );
        if command.ends_with("--json") {
            for line in ended.stdout.lines() {
                serde_json::from_str::<Value>(line).expect("valid JSON");
            }
        }
    }
    let dryrun = &shown[7].1.stdout;
    assert!(dryrun.contains("a\\x1b]0;owned\\x07"), "{dryrun}");
    assert!(
        dryrun.contains("\\x9b31m\\u{202e}b\\rc\\nJob forged"),
        "{dryrun}"
    );
}

#[test]
fn the_output_of_an_action_is_as_it_was_where_no_terminal_reads_it() {
    let world = World::of_nodes(&sh("b", PRINTED, "", "end"));
    let (_, info) = run(&world, &[], 1);
    let ended = world.call(&["log", &text(&info["id"]), "b"]);
    assert!(
        ended.stdout.contains("a\u{1b}]0;owned\u{7}"),
        "{:?}",
        ended.stdout
    );
}
