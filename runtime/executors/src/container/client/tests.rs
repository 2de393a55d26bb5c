use std::{
    collections::BTreeMap,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use hpdlc_host::home::Home;

use super::*;
use crate::{
    ToolKind,
    container::client_process::with_client,
    process::leave_none,
    tool::testing::{map, tool},
};

static NEVER: AtomicBool = AtomicBool::new(false);

fn place<'a>(attempt: &'a Attempt, app: &'a Path) -> AttemptPlace<'a> {
    AttemptPlace {
        job_id: "0-W",
        node: "act",
        attempt,
        app_folder: app,
        app_path: "hdfs://nn:8020/apps/x",
        home: app,
        is_canceled: &NEVER,
    }
}

/// A program that leaves a file with what it was given.
fn program(folder: &Path, name: &str) -> PathBuf {
    let file = folder.join(name);
    let script =
        "#!/bin/sh\n{ echo \"$@\"; pwd; echo $PIG_CONF_DIR; cat id.pig renamed; } > said\n";
    fs::write(&file, script).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    file
}

fn pig(settings: BTreeMap<String, String>) -> Tool {
    let mut pig = tool(
        ToolKind::Pig,
        [
            ("script", "id.pig"),
            ("file", "words.txt#renamed"),
            ("param", "a=b"),
        ],
    );
    pig.settings = settings;
    // No connection is made for it.
    pig.name_node = None;
    pig
}

#[test]
fn what_the_owner_packs_runs_on_a_node_that_has_the_tool() {
    let root = tempfile::tempdir().unwrap();
    let (app, node) = (root.path().join("app"), root.path().join("node"));
    for folder in [&app, &node] {
        fs::create_dir(folder).unwrap();
    }
    fs::write(app.join("id.pig"), "the script\n").unwrap();
    fs::write(app.join("words.txt"), "the words\n").unwrap();
    let own = program(&node, "own-pig").display().to_string();
    let settings = map([
        ("hpdl.tool.pig", &own),
        ("oozie.launcher.env", "A=1:HADOOP_CLIENT_OPTS=-Dx"),
    ]);
    let pig = pig(settings);
    let attempt = Attempt::new(root.path().join("w/1"));
    let call = pig
        .container_call(&place(&attempt, &app), &mut leave_none)
        .unwrap();
    assert_eq!(call.program, ContainerProgram::Client(ToolKind::Pig));
    assert_eq!(call.env, [("A".to_owned(), "1".to_owned())]);
    let mode = fs::metadata(attempt.folder().join(ORDER)).unwrap();
    assert_eq!(mode.permissions().mode() & 0o777, 0o600);
    let here = root.path().join("container");
    fs::rename(attempt.folder(), &here).unwrap();
    fs::remove_dir_all(&app).unwrap();
    let ended = with_client(&here, |client| client.start().unwrap().wait().unwrap());
    assert!(ended.unwrap().success());
    let said = fs::read_to_string(here.join("said")).unwrap();
    let shown = here.display();
    let expected = format!(
        "-file id.pig -param a=b -log4jconf {shown}/piglog4j.properties -logfile pig-0-W.log\n\
         {shown}\n{shown}\nthe script\nthe words\n"
    );
    assert_eq!(said, expected);
    let properties = fs::read(here.join("pig.properties")).unwrap();
    let properties = hpdlc_core::properties::parse(&properties).unwrap().to_map();
    let tags = pig.both_tags(&place(&attempt, &here)).join(",");
    assert_eq!(properties["mapreduce.job.tags"], tags);
    // Tasks get the files from the container.
    let sent = format!("file://{shown}/.hpdl-files/0/words.txt#renamed");
    assert_eq!(properties["tmpfiles"].split(',').next(), Some(&*sent));
    assert!(here.join("action.xml").exists() && !here.join(ORDER).exists());
}

#[test]
fn a_node_without_the_tool_is_named() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("id.pig"), "").unwrap();
    fs::write(root.path().join("words.txt"), "").unwrap();
    let pig = pig(map([("hpdl.tool.pig", "/no/such/pig")]));
    let attempt = Attempt::new(root.path().join("w/1"));
    pig.container_call(&place(&attempt, root.path()), &mut leave_none)
        .unwrap();
    let error = with_client(attempt.folder(), |_| ()).unwrap_err();
    assert_eq!(error.code, "JA018");
    let start = "there is no program /no/such/pig on the node ";
    assert!(error.message.starts_with(start), "{}", error.message);
}

#[test]
fn a_client_is_judged_by_what_it_has_left() {
    let root = tempfile::tempdir().unwrap();
    let mut pig = pig(map([]));
    // There is nothing to be asked.
    pig.resource_manager = Some("local".to_owned());
    let attempt = Attempt::new(root.path().join("w/1"));
    fs::create_dir_all(attempt.folder()).unwrap();
    fs::write(attempt.stderr(), "ERROR 1000: wrong\n").unwrap();
    let context = WorkContext {
        place: place(&attempt, root.path()),
        home: Home::open_at(root.path().join("home")).unwrap(),
    };
    let record = |code: Option<i32>, signal: Option<i32>, exceeded: Option<u64>| ExitRecord {
        code,
        signal,
        error: None,
        exceeded,
        ended: 0,
    };
    let judge = |record: ExitRecord| match pig.judge(&context, &record).unwrap() {
        Ok(result) => result.external_status,
        Err(WorkError::Known(error, _)) => format!("{} {}", error.code, error.message),
        Err(error) => format!("{error:?}"),
    };
    for (record, expected) in [
        (record(Some(0), None, None), "SUCCEEDED"),
        (
            record(Some(2), None, None),
            "2 Main Class [org.apache.oozie.action.hadoop.PigMain], exit code [2]: ERROR 1000: wrong",
        ),
        (
            record(None, Some(9), None),
            "JA018 the tool was ended by a signal",
        ),
        (record(None, None, None), "JA018 it left no exit status"),
    ] {
        assert_eq!(judge(record), expected);
    }
    let exceeded = judge(record(None, Some(15), Some(3)));
    assert!(exceeded.starts_with("HPDL_TIMEOUT"), "{exceeded}");
    let error = StoredError::from(ActionError::transient("JA009", "the disk"));
    let text = serde_json::to_vec(&error).unwrap();
    fs::write(attempt.folder().join(FAILURE), text).unwrap();
    assert_eq!(judge(record(Some(71), None, None)), "JA009 the disk");
}
