//! Secret values are shown nowhere, though the processes get them.

use crate::{
    coordinators,
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

/// Whether a text is in a file of the job store.
fn is_stored(world: &World, secret: &str) -> bool {
    ["jobs.db", "jobs.db-wal"].iter().any(|name| {
        let bytes = std::fs::read(world.home().join(name)).unwrap_or_default();
        bytes
            .windows(secret.len())
            .any(|it| it == secret.as_bytes())
    })
}

/// An action prints what it was given, and the next one gets it from there. Their lines, which are stored, have the secret in two pieces.
fn world_of_references() -> World {
    let child = "<sub-workflow><app-path>${wf:appPath()}/child</app-path><propagate-configuration/></sub-workflow>";
    let nodes = [
        sh(
            "a",
            r#"test "$0" = "db://me:hunter22"-and-more@host && echo "url=$0""#,
            "<argument>db://me:${dbSecret}@host</argument><capture-output/>",
            "b",
        ),
        sh(
            "b",
            r#"test "$0" = "db://me:hunter22"-and-more@host && echo "it is $0" >&2"#,
            "<argument>${wf:actionData('a')['url']}</argument>",
            "c",
        ),
        crate::harness::action("c", child, "end"),
    ]
    .concat();
    let inner = sh(
        "d",
        r#"test "$0" = "hunter22"-and-more"#,
        "<argument>${wf:conf('dbSecret')}</argument>",
        "end",
    );
    World::of(&[
        ("workflow.xml", &crate::harness::workflow(&nodes)),
        ("child/workflow.xml", &crate::harness::workflow(&inner)),
    ])
}

#[test]
fn a_secret_that_a_property_refers_to_reaches_the_actions_and_not_the_store() {
    let mut world = world_of_references();
    let file = world.path("db-secret");
    std::fs::write(&file, format!("{SECRET}\n")).unwrap();
    world.set("DB_PASSWORD", SECRET);
    for reference in [
        format!("${{file:{}}}", file.display()),
        "${env:DB_PASSWORD}".to_owned(),
    ] {
        world.afresh();
        let given = format!("-DdbSecret={reference}");
        let (ended, info) = run(&world, &[&given], 0);
        let id = text(&info["id"]);
        assert_eq!(text(&info["conf"]["dbSecret"]), reference);
        assert!(!is_stored(&world, SECRET), "{reference}");
        let log = world.call(&["log", &id, "b"]);
        assert!(
            log.stdout.contains("it is db://me:********@host"),
            "{}",
            log.stdout
        );
        for shown in [
            ended.stdout,
            ended.stderr,
            world.call(&["info", &id]).stdout,
        ] {
            assert!(!shown.contains(SECRET), "{shown}");
        }
    }
}

#[test]
fn a_secret_that_cannot_be_read_suspends_the_job_until_it_can() {
    let world = world_of_references();
    let file = world.path("db-secret");
    let given = format!("-DdbSecret=${{file:{}}}", file.display());
    let (ended, info) = run(&world, &[&given], 4);
    let id = text(&info["id"]);
    let said = format!("{}{}", ended.stdout, ended.stderr);
    assert!(
        said.contains("E0803") && said.contains("No such file"),
        "{said}"
    );
    std::fs::write(&file, SECRET).unwrap();
    world.call(&["resume", &id]).expect(0);
    world.await_status(&id, "SUCCEEDED");
}

#[test]
fn a_coordinator_passes_references_on() {
    let coordinator = coordinators::coordinator(10, "00:10", "").replace(
        "<configuration>",
        "<configuration><property><name>db</name><value>${secret}</value></property>",
    );
    let check = sh(
        "a",
        r#"test "$0" = "hunter22"-and-more"#,
        "<argument>${db}</argument>",
        "end",
    );
    let mut world = World::of(&[
        ("coordinator.xml", &coordinator),
        ("wf/workflow.xml", &crate::harness::workflow(&check)),
    ]);
    world.set("DB_PASSWORD", SECRET);
    world.run(&["-Dsecret=${env:DB_PASSWORD}"]).expect(0);
    assert!(!is_stored(&world, SECRET));
}

#[test]
fn encrypt_store_needs_a_key_and_a_store_and_encrypts_what_is_there() {
    let mut world = world();
    let encrypt = |world: &World| world.call_other(&hpdlc_tests::hpdl(), &["encrypt-store"]);
    let refused = encrypt(&world).expect(2);
    assert!(
        refused.stderr.contains("names no key"),
        "{}",
        refused.stderr
    );
    let key = "0a".repeat(32);
    world.set("HPDL_STORE_KEY", &key);
    let refused = encrypt(&world).expect(2);
    assert!(
        refused.stderr.contains("there is no job store"),
        "{}",
        refused.stderr
    );
    world.set("HPDL_STORE_KEY", "");
    let (_, info) = run(&world, &[&format!("-Ddb.password={SECRET}")], 1);
    let id = text(&info["id"]);
    assert!(is_stored(&world, SECRET));
    world.set("HPDL_STORE_KEY", &key);
    let done = encrypt(&world).expect(0);
    let said = format!("{}{}", done.stdout, done.stderr);
    assert!(said.contains("values in"), "{said}");
    assert!(!is_stored(&world, SECRET));
    assert_eq!(world.info(&id), info);
    let doctor = world.call(&["doctor"]).expect(0);
    assert!(
        !doctor.stdout.contains("encrypt-store"),
        "{}",
        doctor.stdout
    );
}

#[test]
fn an_encrypted_store_is_read_by_those_who_have_the_key() {
    let mut world = world();
    let given = format!("-Ddb.password={SECRET}");
    let (_, info) = run(&world, &[&given], 1);
    let id = text(&info["id"]);
    assert!(is_stored(&world, SECRET));

    world.set("HPDL_STORE_KEY", &"0a".repeat(32));
    let doctor = world.call(&["doctor"]);
    assert!(
        doctor.stdout.contains("hpdl encrypt-store"),
        "{}",
        doctor.stdout
    );
    world.afresh();
    let (_, info) = run(&world, &[&given], 1);
    let newer = text(&info["id"]);
    assert_ne!(text(&info["user"]), "");
    assert!(!is_stored(&world, SECRET));
    assert!(world.log(&newer).contains("cannot log in"));
    assert_ne!(id, newer);

    world.set("HPDL_STORE_KEY", "");
    let refused = world.call(&["info", &newer]).expect(2);
    assert!(
        refused.stderr.contains("hpdl.store.key is not set"),
        "{}",
        refused.stderr
    );
    world.set("HPDL_STORE_KEY", &"0b".repeat(32));
    let refused = world.call(&["kill", &newer]).expect(2);
    assert!(
        refused.stderr.contains("cannot be decrypted"),
        "{}",
        refused.stderr
    );
    world.set("HPDL_STORE_KEY", "secret");
    let refused = world.call(&["info", &newer]).expect(2);
    assert!(
        refused.stderr.contains("openssl rand -hex 32"),
        "{}",
        refused.stderr
    );
}
