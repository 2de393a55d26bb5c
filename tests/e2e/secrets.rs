//! Secret values are shown nowhere, though the processes get them.

use crate::{
    harness::{World, text},
    run, sh,
};

const SECRET: &str = "hunter22-and-more";

fn world() -> World {
    let more = "<argument>${wf:conf('db.password')}</argument><env-var>DB_PASSWORD=${wf:conf('db.password')}</env-var><capture-output/>";
    World::of_nodes(
        &[
            sh(
                "a",
                r#"test "$DB_PASSWORD" = "$0" && echo "login=me:$0""#,
                more,
                "b",
            ),
            sh(
                "b",
                r#"echo "cannot log in as $0" >&2; exit 1"#,
                "<argument>${wf:actionData('a')['login']}</argument>",
                "end",
            ),
        ]
        .concat(),
    )
}

#[test]
fn a_secret_is_masked_wherever_it_would_be_shown() {
    let world = world();
    let secret = format!("-Ddb.password={SECRET}");
    let url = format!("-Durl=db://me:{SECRET}@host");
    let (ended, info) = run(&world, &[&secret, &url], 1);
    let id = text(&info["id"]);
    let out = world.out_property();
    let shown = [
        ("run", ended),
        ("run --json", world.run(&[&secret, &url, "--json"])),
        ("info", world.call(&["info", &id])),
        ("info --json", world.call(&["info", &id, "--json"])),
        ("jobs --json", world.call(&["jobs", "--json"])),
        ("jobs", world.call(&["jobs"])),
        ("log", world.call(&["log", &id])),
        ("log a", world.call(&["log", &id, "a"])),
        ("log b", world.call(&["log", &id, "b"])),
        ("dryrun", world.call(&["dryrun", &out, &secret, &url])),
        (
            "dryrun --json",
            world.call(&["dryrun", &out, &secret, &url, "--json"]),
        ),
        ("recover", world.call(&["recover", &id])),
    ];
    for (command, ended) in &shown {
        let text = format!("{}{}", ended.stdout, ended.stderr);
        assert!(
            !text.contains("hunter22"),
            "{command} shows the secret: {text}"
        );
        assert!(
            *command == "jobs" || text.contains("********"),
            "{command} masks nothing: {text}"
        );
    }
    assert_eq!(info["conf"]["db.password"], "********");
    assert_eq!(info["conf"]["url"], "db://me:********@host");
}
