//! Reruns by the forms of the console: the plan, the command that is given, and what became of it.

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

use serde_json::json;

use super::{
    form, header, proof,
    store::{FAILED, with_failure},
};
use crate::serve::tests::{
    TestServer,
    kinds::{BUNDLE, COORDINATOR, WORKFLOW},
};

/// A program that plans as `hpdl` does, and writes down what it was asked to do.
fn with_commands() -> (TestServer, PathBuf) {
    let server = with_failure();
    let root = server.session.home.root();
    let (script, asked) = (root.join("commands"), root.join("asked"));
    let plan = json!({ "id": FAILED, "app": "nightly-load", "run": 1, "choice": "without what ended OK", "nodes": [
        { "name": "load", "what": "run", "why": "ERROR in run 0: disk <full>, password hunter22" },
        { "name": "other", "what": "skip", "why": "OK in run 0" },
    ]});
    let text = format!(
        "#!/bin/sh\ncase \"$*\" in *--dry-run*) ;; *) echo \"$@\" >> {asked}; exit 0;; esac\n\
         case $2 in\n\
         *-W) echo '{plan}';;\n\
         *) echo 'rerun of coordinator, which is RUNNING then: 1 action'\n\
         echo '  action 3  2026-11-28T12:00Z  SUCCEEDED: gets a new workflow'\n\
         echo '    delete   file:///out/<3>';;\n\
         esac\n",
        asked = asked.display()
    );
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    (server.with_program(&script), asked)
}

#[test]
fn a_form_shows_the_plan_then_runs_it_and_says_what_became_of_it() {
    for (id, chosen, shown, asked) in [
        (
            FAILED,
            "nodes=failed",
            &[
                ">load</a></th><td><span class=\"mark running\">",
                "ERROR in run 0: disk &lt;full&gt;, password ********",
                "mark good\"><svg class=\"sign good\" aria-hidden=\"true\" width=\"16\" height=\"16\"><use href=\"#s-good\"/></svg>skipped",
                " s-running\">",
                "Run 1: without what ended OK.",
            ][..],
            "--failed",
        ),
        (
            FAILED,
            "nodes=skip&skip=load",
            &[
                "name=\"skip\" value=\"load\" checked",
                "value=\"skip\" checked",
            ],
            "-Doozie.wf.rerun.skip.nodes=load",
        ),
        (FAILED, "nodes=all", &["value=\"all\" checked"], ""),
        (
            COORDINATOR,
            "action=3&action=4&nocleanup=on",
            &["gets a new workflow", "delete   file:///out/&lt;3&gt;"],
            "--action=3,4 --nocleanup",
        ),
        (
            COORDINATOR,
            "from=2026-11-28T12%3A00Z&to=2026-11-28T14%3A00Z",
            &["value=\"2026-11-28T12:00Z\""],
            "--date=2026-11-28T12:00Z::2026-11-28T14:00Z",
        ),
        (
            BUNDLE,
            "coordinator=a&from=2026-11-28T12%3A00Z&refresh=on",
            &["gets a new workflow"],
            "--coordinator=a --date=2026-11-28T12:00Z --refresh",
        ),
    ] {
        let (server, file) = with_commands();
        let path = format!("/oozie/console/job/{id}/command/rerun");
        let page = server.send("GET", &format!("{path}?{chosen}"), &[], "");
        assert_eq!(page.status, 200, "{}", page.body);
        for part in shown {
            assert!(page.body.contains(part), "{part}: {}", page.body);
        }
        assert!(!page.body.contains("hunter22"));
        assert!(!file.exists(), "a plan does nothing");
        // The form that carries it out has what was chosen.
        let mut sent = form_urlencoded::Serializer::new(String::new());
        let own = page.body.split("class=\"do\"").nth(1).unwrap();
        for field in own.split("<input type=\"hidden\" name=\"").skip(1) {
            let mut parts = field.split('"');
            let (name, value) = (parts.next().unwrap(), parts.nth(1).unwrap());
            sent.append_pair(name, value);
        }
        let done = form(&server, &path, &sent.finish(), &[]);
        assert_eq!(done.status, 303, "{chosen}: {}", done.body);
        let line = fs::read_to_string(&file).unwrap();
        assert_eq!(line.trim_end(), format!("rerun {id} {asked}").trim_end());
        let after = server.send("GET", &header(&done, "location"), &[], "");
        assert!(
            after.body.contains("<b>rerun</b> was carried out"),
            "{}",
            after.body
        );
    }
}

#[test]
fn without_a_choice_of_actions_nothing_can_be_run_again() {
    let (server, _) = with_commands();
    for id in [COORDINATOR, BUNDLE] {
        let path = format!("/oozie/console/job/{id}/command/rerun");
        for chosen in ["", "?action=&from=&to=", "?coordinator="] {
            let page = server.send("GET", &format!("{path}{chosen}"), &[], "");
            assert!(!page.body.contains("class=\"do\""), "{id} {chosen}");
        }
    }
}

#[test]
fn what_is_refused_is_said_on_the_page_of_the_plan() {
    let server = with_failure();
    // Its commands are run by `/bin/false`.
    let path = format!("/oozie/console/job/{FAILED}/command/rerun");
    let page = server.send("GET", &path, &[], "");
    assert!(page.body.contains("It would be refused"), "{}", page.body);
    assert!(!page.body.contains("class=\"do\""));
    let other = server.get(&format!("/console/job/{WORKFLOW}/command/suspend"));
    let sent = format!("proof={}", proof(&other.body));
    let refused = form(&server, &path, &sent, &[]);
    assert!(refused.body.contains("Not carried out"), "{}", refused.body);
}

#[test]
fn a_coordinator_that_runs_is_not_ignored_as_a_whole() {
    let server = with_failure();
    let path = format!("/console/job/{COORDINATOR}/command/ignore");
    let page = server.get(&path).body;
    assert!(page.contains("choose actions that failed") && !page.contains("class=\"do\""));
    let page = server.get(&format!("{path}?action=1")).body;
    assert!(page.contains("class=\"do\""), "{page}");
}
