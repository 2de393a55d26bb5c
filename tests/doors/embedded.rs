//! The macro: `examples/embedded`.

use std::{fs, path::Path, thread, time::Duration};

use crate::{
    copy::PackageCopy,
    program::{ProgramEnd, Workplace, until},
};

const WORKFLOW: &str = "workflow/workflow.xml";
const ORDERS: &str = "inbox/orders-2026-11-19.csv";

fn example(test: &str) -> PackageCopy {
    PackageCopy::of("embedded", "order-inbox", test)
}

/// Has the program import the order file of the example.
fn import(copy: &PackageCopy, workplace: &Workplace, program: &Path) -> ProgramEnd {
    fs::copy(copy.path(ORDERS), workplace.path("orders.csv")).expect("copies");
    workplace.run(program, &["import", "orders.csv", "archive"])
}

#[test]
fn program_follows_its_workflow() {
    let copy = example("follows");
    let workplace = Workplace::new();
    let ended = import(&copy, &workplace, &copy.program());
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    assert!(ended.stdout.contains(" SUCCEEDED"), "{ended:#?}");
    assert!(ended.stderr.contains("orders.csv: add-up OK"), "{ended:#?}");
    let accepted =
        fs::read_dir(workplace.path("archive/accepted")).expect("something was accepted");
    let folder = accepted
        .map(|entry| entry.expect("reads").path())
        .next()
        .expect("something was accepted");
    let totals = fs::read_to_string(folder.join("totals.tsv")).expect("reads");
    assert!(totals.starts_with("Werkstatt Nord\t475.20\n"), "{totals}");
    assert!(
        !workplace.path("orders.csv").exists(),
        "it was taken out of the inbox"
    );

    // A file of the application other than the XML.
    copy.replace(
        "workflow/scripts/check.sh",
        "print \"bad=\" bad + 0",
        "print \"bad=\" bad + 6",
    );
    let ended = import(&copy, &workplace, &copy.program());
    assert_eq!(ended.code, Some(1), "{ended:#?}");
    assert!(
        ended
            .stdout
            .contains(" KILLED orders.csv: 7 of 16 lines are no orders"),
        "{ended:#?}"
    );

    copy.replace(
        WORKFLOW,
        "lines are no orders</message>",
        "lines make no sense</message>",
    );
    let ended = import(&copy, &workplace, &copy.program());
    assert!(
        ended
            .stdout
            .contains(" KILLED orders.csv: 7 of 16 lines make no sense"),
        "{ended:#?}"
    );
}

#[test]
fn rustc_says_what_check_says() {
    let copy = example("mistakes");
    copy.replace(WORKFLOW, "<start to=\"claim\"/>", "<start to=\"clam\"/>");
    copy.replace(WORKFLOW, "<case to=\"reject\">", "<case to=\"refuse\">");
    copy.replace(
        WORKFLOW,
        "<message>${name}: ${wf:lastErrorNode()} failed",
        "<message>${name}: ${wf:lastErrorNod()} failed",
    );
    let checked = copy.checked("workflow");
    let errors = checked
        .iter()
        .filter(|line| line.contains(": error["))
        .cloned()
        .collect();
    let built = copy.build();
    assert!(!built.is_success);
    assert_eq!(
        built.first_lines("error", ""),
        errors,
        "{:#?}",
        built.messages
    );
    assert!(checked.len() >= 3, "{checked:#?}");
    let report = &built
        .messages
        .iter()
        .find(|message| message.text.contains("`clam`"))
        .expect("it is wrong")
        .text;
    assert!(
        report.contains("workflow/workflow.xml:31:16: error[H0301]"),
        "{report}"
    );
    assert!(
        report.contains("<start to=\"clam\"/>"),
        "the XML is shown: {report}"
    );
}

#[test]
fn lints_of_the_workflow_are_warnings_of_rustc() {
    let copy = example("lints");
    copy.replace(
        WORKFLOW,
        "<end name=\"end\"/>",
        "<kill name=\"lonely\"><message>-</message></kill>\n    <end name=\"end\"/>",
    );
    let built = copy.build();
    assert!(built.is_success, "{}", built.stderr);
    let prefix = "use of deprecated constant `order_import::_::LINT_OF_THE_WORKFLOW`: ";
    let checked = copy.checked("workflow");
    assert_eq!(
        built.first_lines("warning", prefix),
        checked,
        "{:#?}",
        built.messages
    );
    assert_eq!(checked.len(), 1);
}

#[test]
fn params_are_typed() {
    let copy = example("typed");
    let source = copy.read("src/main.rs");
    for (old, new, code, text) in [
        (
            "name: name.clone(),",
            "",
            "E0063",
            "missing field `name` in initializer of `Params`",
        ),
        ("Some(10.0)", "Some(\"ten\")", "E0308", "mismatched types"),
        (
            "Some(10.0)",
            "None, maxBadPercent: 5",
            "E0560",
            "struct `Params` has no field named `maxBadPercent`",
        ),
    ] {
        copy.write("src/main.rs", &source);
        copy.replace("src/main.rs", old, new);
        let built = copy.build();
        assert!(!built.is_success, "{new}");
        let is_said = built
            .messages
            .iter()
            .any(|message| message.code.as_deref() == Some(code) && message.text.contains(text));
        assert!(is_said, "{code}: {:#?}", built.messages);
    }
}

/// `check` writes its process id and waits; `add-up` writes a line.
#[test]
fn killed_program_recovers_its_job() {
    let copy = example("recovers");
    let workplace = Workplace::new();
    let here = workplace.path("");
    let here = here
        .to_str()
        .expect("temporary folders have simple names")
        .trim_end_matches('/');
    // A process that is left behind exits when the folder is removed.
    copy.replace(
        "workflow/scripts/check.sh",
        "set -eu\n",
        &format!(
            "set -eu\necho $$ >> '{here}/check'\n\
             while [ ! -e '{here}/gate' ]; do [ -d '{here}' ] || exit 1; sleep 0.05; done\n"
        ),
    );
    copy.replace(
        "workflow/scripts/add-up.sh",
        "set -eu\n",
        &format!("set -eu\necho $$ >> '{here}/add-up'\n"),
    );
    fs::copy(copy.path(ORDERS), workplace.path("orders.csv")).expect("copies");
    let program = copy.program();

    let service = workplace.start(&program, &["import", "orders.csv", "archive"]);
    let status_of = |name: &str| {
        let job = workplace.only_job(&program);
        let actions = job["actions"].as_array().cloned().unwrap_or_default();
        actions
            .iter()
            .find(|action| action["name"] == name)
            .map(|action| action["status"].clone())
    };
    until("both actions have begun", || {
        workplace.path("check").exists() && workplace.path("add-up").exists()
    });
    until("one action is done", || {
        status_of("add-up").is_some_and(|status| status == "OK")
    });
    service.kill();

    let id = workplace.only_job(&program)["id"]
        .as_str()
        .expect("it has an id")
        .to_owned();
    assert!(!workplace.is_owned(&id), "its owner is dead");
    let process = fs::read_to_string(workplace.path("check")).expect("reads");
    let process = Path::new("/proc").join(process.trim());
    assert!(
        process.exists(),
        "the action's process has outlived the program"
    );

    let mut recovering = workplace.start(&program, &["recover"]);
    until("the job has an owner again", || workplace.is_owned(&id));
    // Time for an error to show: starting the process again, or giving it up.
    thread::sleep(Duration::from_millis(500));
    assert!(
        recovering.is_running() && process.exists(),
        "it waits for the process that runs"
    );
    fs::write(workplace.path("gate"), "").expect("writes");
    let ended = recovering.finish();

    assert_eq!(
        (ended.code, ended.stdout),
        (Some(0), format!("job {id} SUCCEEDED \n"))
    );
    for action in ["check", "add-up"] {
        let starts = fs::read_to_string(workplace.path(action)).expect("reads");
        assert_eq!(starts.lines().count(), 1, "{action}: {starts}");
    }
    let job = workplace.only_job(&program);
    assert_eq!(job["status"], "SUCCEEDED");
    for action in job["actions"].as_array().expect("a list") {
        assert_eq!(
            (&action["status"], &action["retries"]),
            (&"OK".into(), &0.into()),
            "{action}"
        );
    }
    assert!(
        workplace
            .path(&format!("archive/accepted/orders.csv-{id}/totals.tsv"))
            .exists()
    );
    let again = workplace.run(&program, &["recover"]);
    assert_eq!(
        (again.code, again.stdout.as_str()),
        (Some(0), ""),
        "nothing is left to recover"
    );
}
