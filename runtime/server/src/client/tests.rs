//! The client against a server with one job of each kind, on a port of its own.

use std::collections::BTreeMap;

use super::*;
use crate::serve::tests::{
    kinds::{self, BUNDLE, COORDINATOR, WORKFLOW},
    served,
};

fn code(error: ClientError) -> Option<String> {
    match error {
        ClientError::Refused { code, .. } => code,
        other => panic!("{other:?}"),
    }
}

#[test]
fn jobs_of_all_kinds_are_read() {
    let server = served::start(&kinds::server());
    let client = server.client().with_user("ada");
    let workflows = client.workflows(&List::default()).unwrap();
    assert!(workflows.workflows.iter().any(|job| job.id == WORKFLOW));
    let running = List {
        filter: "status=RUNNING".to_owned(),
        len: 1,
        ..List::default()
    };
    let page = client.workflows(&running).unwrap();
    assert_eq!((page.total, page.len, page.workflows.len()), (1, 1, 1));
    let job = client.workflow(WORKFLOW).unwrap();
    assert_eq!((job.user.as_str(), job.actions.len()), ("ada", 3));
    let action = client.workflow_action(&format!("{WORKFLOW}@a")).unwrap();
    assert_eq!(
        (action.name.as_str(), action.type_name.as_str()),
        ("a", "shell")
    );
    let coordinators = client.coordinators(&List::default()).unwrap();
    assert_eq!(coordinators.coordinatorjobs[0].coord_job_id, COORDINATOR);
    let coordinator = client.coordinator(COORDINATOR, &List::default()).unwrap();
    assert_eq!((coordinator.total, coordinator.actions.len()), (3, 3));
    let first = client.coordinator_action(&format!("{COORDINATOR}@1"));
    assert_eq!(first.unwrap().action_number, 1);
    let bundle = client.bundle(BUNDLE).unwrap();
    assert_eq!(bundle.bundle_coord_jobs[0].coord_job_id, COORDINATOR);
    assert_eq!(client.bundles(&List::default()).unwrap().total, 1);
    assert_eq!(client.status(WORKFLOW).unwrap(), "RUNNING");
    assert!(client.log(WORKFLOW, "").unwrap().contains("RUNNING"));
    assert_eq!(client.error_log(WORKFLOW).unwrap().lines().count(), 1);
    let external = client.by_external_id("ext-1").unwrap();
    assert_eq!(external.as_deref(), Some(WORKFLOW));
    assert_eq!(client.by_external_id("none").unwrap(), None);
    let levels = client.service_levels(&format!("id={WORKFLOW}")).unwrap();
    assert_eq!(levels.sla_summary_list.len(), 1);
    assert_eq!(
        client
            .runs(&format!("{COORDINATOR}@1"))
            .unwrap()
            .workflows
            .len(),
        1
    );
}

#[test]
fn refusals_have_the_code_and_the_words_of_the_server() {
    let server = served::start(&kinds::server());
    let client = server.client();
    let none = "0009999-261125093313444-hpdl-W";
    let expected = ClientError::Refused {
        status: 400,
        code: Some("E0604".to_owned()),
        message: format!("E0604: Job does not exist [{none}]"),
    };
    assert_eq!(client.workflow(none).unwrap_err(), expected);
    let wrong = List {
        filter: "foo=1".to_owned(),
        ..List::default()
    };
    let code_of = |result: Result<_, ClientError>| code(result.unwrap_err());
    assert_eq!(
        code(client.workflows(&wrong).unwrap_err()).as_deref(),
        Some("E0420")
    );
    assert_eq!(code_of(client.kill(none)).as_deref(), Some("E0605"));
    assert_eq!(code_of(client.start(WORKFLOW)).as_deref(), Some("E0801"));
    assert_eq!(code_of(client.start("a/b?c d")).as_deref(), Some("E0301"));
    let empty = BTreeMap::new();
    assert_eq!(
        code(client.submit(&empty).unwrap_err()).as_deref(),
        Some("E1603")
    );
    // The API of 2009 has its words in the body.
    let missing = client.application("none").unwrap_err();
    match missing {
        ClientError::Refused {
            status: 404,
            code: None,
            message,
        } => {
            assert!(message.contains("none"), "{message}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_server_tells_of_itself() {
    let server = served::start(&kinds::server());
    let client = server.client().with_user("ada");
    assert_eq!(client.versions().unwrap(), [0, 1, 2]);
    assert_eq!(
        client.build_version().unwrap().build_version,
        env!("CARGO_PKG_VERSION")
    );
    client.set_system_mode("SAFEMODE").unwrap();
    assert_eq!(client.system_status().unwrap().system_mode, "SAFEMODE");
    client.set_system_mode("NORMAL").unwrap();
    assert!(
        client
            .configuration()
            .unwrap()
            .0
            .contains_key("oozie.base.url")
    );
    assert!(
        client
            .metrics()
            .unwrap()
            .gauges
            .contains_key("server.uptime.seconds")
    );
    assert!(client.queue().unwrap().queue_dump.is_empty());
    let zones = client.time_zones().unwrap().available_timezones;
    assert!(zones.iter().any(|zone| zone.timezone_id == "Europe/Berlin"));
    assert_eq!(client.applications(&List::default()).unwrap().offset, 1);
}

#[test]
fn a_command_has_its_output_and_its_exit_code() {
    let server = served::start(&kinds::server());
    let client = server.client();
    let request = CommandRequest {
        arguments: vec!["kill".to_owned(), "--help".to_owned()],
        ..CommandRequest::default()
    };
    for reads in [true, false] {
        let outputs: Vec<CommandOutput> = client
            .command(&request, reads)
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        let [CommandOutput::Out(text), CommandOutput::Exit(0)] = outputs.as_slice() else {
            panic!("{outputs:?}");
        };
        assert!(text.contains("Usage"), "{text}");
    }
    let refused = CommandRequest {
        arguments: vec!["serve".to_owned()],
        ..CommandRequest::default()
    };
    let error = client.command(&refused, true).unwrap_err();
    assert_eq!(code(error).as_deref(), Some("E0302"));
}

#[test]
fn what_is_no_server_is_said() {
    for url in [
        "",
        "localhost:11000",
        "ftp://x",
        "http://a b",
        "http://x/oozie?y",
    ] {
        assert!(
            matches!(Client::new(url), Err(ClientError::Url(_))),
            "{url}"
        );
    }
    let client = Client::new("http://127.0.0.1:1/oozie/").unwrap();
    assert!(matches!(
        client.versions(),
        Err(ClientError::Unreachable(_))
    ));
    assert_eq!(
        client.at_root("/hws/v1/jobs"),
        "http://127.0.0.1:1/hws/v1/jobs"
    );
    let debug = format!("{:?}", client.with_token("secret"));
    assert!(!debug.contains("secret"), "{debug}");
}
