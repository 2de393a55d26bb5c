//! Reading jobs of all three kinds, from a store that has one of each.

use std::collections::{BTreeMap, BTreeSet};

use hpdlc_core::{
    coordinator::{CoordinatorStatus, machine::JobRecord},
    status::JobStatus,
};
use hpdlc_program::coordinator_texts::CoordinatorTexts;
use hpdlc_store::{
    ActionRow, JobRow, LogRow,
    coordinators::{self, BundleRow, CoordinatorRow, RevisionRow},
    query,
    sql::Connection,
};
use serde_json::Value;

use super::TestServer;

pub(crate) const WORKFLOW: &str = "0000001-261125093313444-hpdl-W";
pub(crate) const COORDINATOR: &str = "0000002-261125093313444-hpdl-C";
pub(crate) const BUNDLE: &str = "0000003-261125093313444-hpdl-B";
const CHILD: &str = "0000004-261125093313444-hpdl-W";
/// Wed, 25 Nov 2026 09:50:05 GMT.
const TIME: i64 = 1_795_600_205_000;
const HOUR: i64 = 3_600_000;

fn time(millis: i64) -> chrono::DateTime<chrono::Utc> {
    chrono::DateTime::from_timestamp_millis(millis).unwrap()
}

/// A workflow of ada's that runs, with a secret; a bundle with a coordinator with three actions, of which the first had a workflow.
pub(crate) fn server() -> TestServer {
    server_with(BTreeMap::new())
}

/// The same with settings of the site.
pub(crate) fn server_with(site: BTreeMap<String, String>) -> TestServer {
    let server = TestServer::with_site(site);
    let store = server.session.store().unwrap();
    let conf = r#"{"dbPassword":"hunter22","user.name":"ada","oozie.wf.external.id":"ext-1"}"#;
    let workflow = JobRow {
        app: "load".to_owned(),
        app_path: "hdfs://nn/load?password=hunter22".to_owned(),
        user: "root".to_owned(),
        status: JobStatus::Running,
        started: Some(TIME + 1000),
        conf: conf.to_owned(),
        ..JobRow::new(WORKFLOW, TIME)
    };
    let coordinator = JobRow {
        app: "nightly".to_owned(),
        status: JobStatus::Running,
        parent_id: Some(BUNDLE.to_owned()),
        parent_node: Some("nightly".to_owned()),
        ..JobRow::new(COORDINATOR, TIME + 2000)
    };
    let bundle = JobRow {
        app: "all".to_owned(),
        status: JobStatus::Running,
        ..JobRow::new(BUNDLE, TIME + 1000)
    };
    let child = JobRow {
        app: "load".to_owned(),
        status: JobStatus::Killed,
        parent_id: Some(format!("{COORDINATOR}@1")),
        ..JobRow::new(CHILD, TIME + 3000)
    };
    for job in [&workflow, &bundle, &coordinator, &child] {
        query::insert_job(&store, job).unwrap();
    }
    for (index, (name, kind)) in [(":start:", ":START:"), ("a", "shell"), ("b", "fs")]
        .iter()
        .enumerate()
    {
        let action = ActionRow::new(WORKFLOW, name, kind);
        let started = TIME + 1000 + i64::try_from(index).unwrap();
        store
            .execute(
                "INSERT INTO actions (job_id, name, type, status, retries, started, data, attempt, user_retries,
                     transient_retries, live_strands, canceling, error_message)
                 VALUES (?1, ?2, ?3, 'OK', 0, ?4, ?5, 1, 0, 0, 0, 0, ?6)",
                (&action.job_id, &action.name, &action.type_name, started, r#"{"k":"v","p":"hunter22"}"#,
                    "cannot log in with hunter22"),
            )
            .unwrap();
    }
    for (event, node, message) in [
        ("RUNNING", None, "load"),
        ("WARNING", Some("a"), "hunter22 is wrong"),
        ("OK", Some("a"), "-> b"),
    ] {
        let line = LogRow {
            job_id: WORKFLOW.to_owned(),
            time: TIME + 1000,
            node: node.map(str::to_owned),
            event: event.to_owned(),
            message: Some(message.to_owned()),
        };
        line.write(&store).unwrap();
    }
    write_scheduled(&store);
    let (start, end) = (TIME + 60_000, TIME + HOUR);
    store
        .execute(
            "INSERT INTO slas (job_id, node, nominal, expected_start, expected_end, expected_duration, silent, status,
                 actual_start, actual_end, start_event, start_event_time, is_over)
             VALUES (?1, '', ?2, ?3, ?4, 600000, 0, 'IN_PROCESS', ?5, ?6, 'START_MISS', ?3, 0)",
            (WORKFLOW, TIME, start, end, start + 120_000, end - 60_000),
        )
        .unwrap();
    server
}

fn write_scheduled(store: &Connection) {
    let row = CoordinatorRow {
        job_id: COORDINATOR.to_owned(),
        record: JobRecord {
            status: CoordinatorStatus::Running,
            revision: 1,
            last_number: 3,
            next_time: Some(time(TIME + 3 * HOUR)),
            end: time(TIME + 9 * HOUR),
            pause_time: None,
            concurrency: Some(2),
            is_done: false,
        },
        frequency: "every hour".to_owned(),
        timezone: "UTC".to_owned(),
        start: time(TIME),
        clock: None,
    };
    coordinators::write(store, &row).unwrap();
    let texts = CoordinatorTexts {
        controls: [("execution", "LIFO"), ("timeout", "30")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        ..CoordinatorTexts::default()
    };
    let revision = RevisionRow {
        revision: 1,
        hash: String::new(),
        created: TIME,
        conf: "{}".to_owned(),
        texts: serde_json::to_string(&texts).unwrap(),
    };
    coordinators::add_revision(store, COORDINATOR, &revision).unwrap();
    for (number, status) in [(1, "KILLED"), (2, "RUNNING"), (3, "READY")] {
        store
            .execute(
                "INSERT INTO coordinator_actions (job_id, number, status, nominal_time, created, workflow_id, revision,
                     run, error_code, error_message, since, inputs, keeps_workflow)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, 0, NULL, NULL, ?5, ?7, 0)",
                (COORDINATOR, number, status, TIME + (number - 1) * HOUR, TIME + 2000,
                    (number == 1).then_some(CHILD), inputs()),
            )
            .unwrap();
    }
    let bundle = BundleRow {
        job_id: BUNDLE.to_owned(),
        status: CoordinatorStatus::RunningWithError,
        kick_off: Some(time(TIME)),
        pause_time: None,
        state: "{}".to_owned(),
    };
    coordinators::write_bundle(store, &bundle).unwrap();
}

/// The inputs of an action that has found nothing yet.
fn inputs() -> String {
    hpdlc_core::coordinator::machine::Inputs::default().to_json()
}

fn numbers(answer: &Value) -> Vec<i64> {
    let actions = answer["actions"].as_array().unwrap();
    actions
        .iter()
        .map(|it| it["actionNumber"].as_i64().unwrap())
        .collect()
}

#[test]
fn lists_have_each_kind_and_what_the_filter_takes() {
    let server = server();
    let total = |query: &str| server.get(&format!("/v1/jobs?{query}")).json()["total"].clone();
    for (query, expected) in [
        ("", 2),
        ("jobtype=coord", 1),
        ("jobtype=bundle", 1),
        ("filter=user%3Dada", 1),
        ("filter=user%3Dada%3Bstatus%3DKILLED", 0),
        ("filter=status%3DKILLED%3Bstatus%3DRUNNING", 2),
        ("filter=text%3Dada", 1),
        ("jobtype=bundle&filter=status%3DRUNNINGWITHERROR", 1),
        ("jobtype=coord&filter=frequency%3D1%3Bunit%3Dhours", 1),
        ("jobtype=coord&filter=frequency%3D2", 0),
        ("filter=startcreatedtime%3D2026-11-26T00:00Z", 0),
    ] {
        assert_eq!(total(query), expected, "{query}");
    }
    let page = server.get("/v2/jobs?offset=2&len=1").json();
    assert_eq!(page["workflows"][0]["id"], WORKFLOW);
    assert_eq!((&page["offset"], &page["len"]), (&2.into(), &1.into()));
    let listed = &page["workflows"][0];
    assert_eq!(
        (&listed["user"], &listed["conf"]),
        (&"ada".into(), &Value::Null)
    );
    assert_eq!(
        server.get("/v2/jobs?external-id=ext-1").json()["id"],
        WORKFLOW
    );
    assert_eq!(server.get("/v2/jobs?external-id=ext").json()["id"], "");
}

#[test]
fn a_workflow_has_its_actions_and_no_secrets() {
    let server = server();
    let answer = server.get(&format!(
        "/v2/job/{WORKFLOW}?offset=2&len=1&timezone=Asia/Tokyo"
    ));
    assert!(!answer.body.contains("hunter22"), "{}", answer.body);
    let job = answer.json();
    assert_eq!(job["createdTime"], "Wed, 25 Nov 2026 18:50:05 JST");
    assert_eq!(
        job["toString"],
        format!("Workflow id[{WORKFLOW}] status[RUNNING]")
    );
    assert_eq!(job["actions"].as_array().unwrap().len(), 1);
    assert_eq!(job["actions"][0]["name"], "a");
    assert_eq!(job["actions"][0]["data"], "k=v\np=********\n");
    for version in ["v1", "v2"] {
        let action = server.get(&format!("/{version}/job/{WORKFLOW}%40a")).json();
        assert_eq!(action["id"], format!("{WORKFLOW}@a"));
    }
    assert_eq!(
        server.get(&format!("/v0/job/{WORKFLOW}@a")).code(),
        Some("E0604")
    );
    assert_eq!(
        server.get(&format!("/v2/job/{WORKFLOW}@z")).code(),
        Some("E0605")
    );
    assert_eq!(
        server.get(&format!("/v2/job/{WORKFLOW}?len=x")).code(),
        Some("E1603")
    );
    let status = server.get(&format!("/v2/job/{WORKFLOW}?show=status"));
    assert_eq!(status.body, r#"{"status":"RUNNING"}"#);
    assert_eq!(
        server
            .get(&format!("/v2/job/{WORKFLOW}@a?show=status"))
            .status,
        500
    );
}

#[test]
fn the_log_is_filtered_and_masked() {
    let server = server();
    let log = |query: &str| {
        let answer = server.get(&format!("/v2/job/{WORKFLOW}?show=log&{query}"));
        assert!(!answer.body.contains("hunter22"), "{}", answer.body);
        answer.body.lines().count()
    };
    assert_eq!(log(""), 3);
    assert_eq!(log("logfilter=loglevel%3DWARN"), 1);
    assert_eq!(log("logfilter=limit%3D2"), 2);
    assert_eq!(log("logfilter=text%3D-%3E%20b"), 1);
    let errors = server
        .get(&format!("/v2/job/{WORKFLOW}?show=errorlog"))
        .body;
    let expected = format!(
        "2026-11-25 09:50:06,000  WARN Engine:0 - SERVER[localhost] USER[ada] GROUP[-] TOKEN[] APP[load] JOB[{WORKFLOW}] ACTION[{WORKFLOW}@a] WARNING: ******** is wrong\n"
    );
    assert_eq!(errors, expected);
    let unknown = server.get("/v2/job/0009999-1-hpdl-W?show=log");
    assert_eq!(unknown.code(), Some("E0307"));
}

#[test]
fn a_coordinator_shows_as_many_actions_as_its_version_says() {
    let server = server();
    let shown = |path: &str| numbers(&server.get(path).json());
    let id = COORDINATOR;
    assert_eq!(shown(&format!("/v1/job/{id}")), [1, 2, 3]);
    assert_eq!(shown(&format!("/v1/job/{id}?len=0")), [1, 2, 3]);
    assert!(shown(&format!("/v2/job/{id}")).is_empty());
    assert!(shown(&format!("/v2/job/{id}?len=0")).is_empty());
    assert_eq!(
        shown(&format!("/v2/job/{id}?offset=-1&len=-1&order=DESC")),
        [3, 2, 1]
    );
    assert_eq!(shown(&format!("/v2/job/{id}?offset=2&len=1")), [2]);
    assert_eq!(
        shown(&format!("/v2/job/{id}?len=9&filter=status!%3DKILLED")),
        [2, 3]
    );
    let nominal = "nominaltime%3E2026-11-25T10:00Z";
    assert_eq!(
        shown(&format!("/v2/job/{id}?len=9&filter={nominal}")),
        [2, 3]
    );
    let job = server
        .get(&format!("/v2/job/{id}?len=1&filter=status%3DREADY"))
        .json();
    for (key, expected) in [
        ("total", Value::from(1)),
        ("frequency", "60".into()),
        ("timeUnit", "MINUTE".into()),
        ("timeOut", 30.into()),
        ("executionPolicy", "LIFO".into()),
        ("concurrency", 2.into()),
        ("bundleId", BUNDLE.into()),
        (
            "nextMaterializedTime",
            "Wed, 25 Nov 2026 12:50:05 GMT".into(),
        ),
    ] {
        assert_eq!(job[key], expected, "{key}");
    }
    let action = server.get(&format!("/v2/job/{id}@1")).json();
    assert_eq!(action["externalId"], CHILD);
    let runs = server.get(&format!("/v2/job/{id}@1?show=allruns")).json();
    assert_eq!(runs["workflows"][0]["id"], CHILD);
    let by_scope = server
        .get(&format!("/v2/job/{id}?show=allruns&type=action&scope=1-3"))
        .json();
    assert_eq!(by_scope, runs);
    let status = server.get(&format!("/v2/job/{id}@2?show=status")).json();
    assert_eq!(status["status"], "RUNNING");
    assert_eq!(server.get(&format!("/v2/job/{id}@9")).code(), Some("E0605"));
    assert_eq!(server.get(&format!("/v0/job/{id}")).code(), Some("E0604"));
}

#[test]
fn a_bundle_has_its_coordinators_and_bulk_their_actions() {
    let server = server();
    let bundle = server.get(&format!("/v2/job/{BUNDLE}")).json();
    assert_eq!(bundle["status"], "RUNNINGWITHERROR");
    assert_eq!(bundle["bundleCoordJobs"][0]["coordJobId"], COORDINATOR);
    let failed = server.get("/v2/jobs?bulk=bundle%3Dall").json();
    assert_eq!(failed["total"], 1);
    let response = &failed["bulkresponses"][0];
    assert_eq!(response["bulkaction"]["id"], format!("{COORDINATOR}@1"));
    assert_eq!(response["bulkcoord"]["coordJobName"], "nightly");
    assert_eq!(response["bulkbundle"]["user"], Value::Null);
    let running = format!("/v2/jobs?bulk=bundle%3D{BUNDLE}%3Bactionstatus%3DRUNNING,READY");
    assert_eq!(server.get(&running).json()["total"], 2);
}

#[test]
fn commands_that_mean_nothing_in_a_state_change_nothing() {
    let server = server();
    // Neither has an executable: an owner cannot be started, and is not needed.
    for (id, action) in [
        (CHILD, "kill"),
        (CHILD, "suspend"),
        (CHILD, "resume"),
        (CHILD, "start"),
    ] {
        let answer = server.put(&format!("/v2/job/{id}?action={action}"));
        assert_eq!(
            (answer.status.as_u16(), answer.body.as_str()),
            (200, ""),
            "{action}"
        );
    }
    let xml = [("Content-Type".to_owned(), "application/xml".to_owned())];
    let rerun = format!("/oozie/v2/job/{BUNDLE}?action=bundle-rerun&date-scope=nonsense");
    let answer = server.send("PUT", &rerun, &xml, "");
    assert_eq!((answer.status.as_u16(), answer.body.as_str()), (200, ""));
    let running = server.put(&format!("/v2/job/{WORKFLOW}?action=start"));
    assert_eq!(running.code(), Some("E0801"));
    assert_eq!(running.body, "");
    for (path, code) in [
        (format!("{COORDINATOR}?action=start"), "E0303"),
        (
            format!("{COORDINATOR}?action=kill&type=action&scope=x"),
            "E0302",
        ),
        (
            format!("{COORDINATOR}?action=kill&type=foo&scope=1"),
            "E0607",
        ),
        (format!("{COORDINATOR}?action=change"), "E1603"),
        (
            format!("{WORKFLOW}?action=change&value=concurrency%3D1"),
            "E0604",
        ),
        (format!("{WORKFLOW}?action=ignore"), "E0302"),
        (format!("{BUNDLE}?action=ignore"), "E0302"),
        (format!("{WORKFLOW}?action=rerun"), "E0300"),
        (format!("{WORKFLOW}?action=sing"), "E0303"),
        (WORKFLOW.to_owned(), "E0305"),
    ] {
        let answer = server.put(&format!("/v2/job/{path}"));
        assert_eq!(answer.code(), Some(code), "{path}");
    }
    let none = server
        .put("/v2/jobs?action=kill&jobtype=wf&filter=name%3Dnope")
        .json();
    assert_eq!(
        (&none["total"], &none["ids"]),
        (&0.into(), &Value::Array(Vec::new()))
    );
}

#[test]
fn service_levels_are_listed_by_what_they_are() {
    let server = server();
    let found = |filter: &str| {
        let answer = server.get(&format!("/v2/sla?filter={filter}")).json();
        answer["slaSummaryList"].as_array().unwrap().len()
    };
    for (filter, expected) in [
        (format!("id%3D{WORKFLOW}"), 1),
        ("app_name%3Dload%3Bapp_type%3DWORKFLOW_JOB".to_owned(), 1),
        ("event_status%3DSTART_MISS,END_MISS".to_owned(), 1),
        ("event_status%3DEND_MISS".to_owned(), 0),
        ("sla_status%3DMISS".to_owned(), 0),
        ("nominal_after%3D2026-11-26T00:00Z".to_owned(), 0),
        ("user_name%3Dada%3Bactual_duration_min%3D1".to_owned(), 1),
    ] {
        assert_eq!(found(&filter), expected, "{filter}");
    }
    let path = format!("/v2/sla?timezone=GMT&filter=id%3D{WORKFLOW}");
    let level = &server.get(&path).json()["slaSummaryList"][0];
    assert_eq!(level["nominalTime"], "Wed, 25 Nov 2026 09:50:05 GMT");
    assert_eq!(
        (&level["startDelay"], &level["endDelay"]),
        (&2.into(), &(-1).into())
    );
    assert_eq!(level["eventStatus"], "START_MISS");
}

/// The keys that every object of a kind has, as recorded.
#[test]
fn objects_have_the_keys_of_oozie() {
    let Some(folder) = super::replay::recordings() else {
        println!("skipped: the recordings of Oozie are not here");
        return;
    };
    let server = server();
    let keys = |value: &Value| -> BTreeSet<String> {
        value
            .as_object()
            .into_iter()
            .flat_map(|it| it.keys().cloned())
            .collect()
    };
    let compare = |file: &str, step: &str, path: &str, pointers: &[&str]| {
        let recorded = super::replay::recorded(&folder, file, step);
        let ours = server.get(path).json();
        for pointer in pointers {
            let (expected, ours) = (recorded.pointer(pointer), ours.pointer(pointer));
            let (expected, ours) = (keys(expected.unwrap()), keys(ours.unwrap()));
            assert_eq!(ours, expected, "{step} {pointer}");
        }
    };
    let workflow = format!("/v2/job/{WORKFLOW}");
    compare("job-http", "v2 wf", &workflow, &["", "/actions/0"]);
    let coordinator = format!("/v2/job/{COORDINATOR}?len=1");
    compare(
        "job-http",
        "v2 coord ?len=1",
        &coordinator,
        &["", "/actions/0"],
    );
    compare(
        "jobs-http",
        "v2 jobs ?len=1",
        "/v2/jobs?len=1",
        &["", "/workflows/0"],
    );
    let list = "/v2/jobs?jobtype=coord&len=1";
    compare(
        "jobs-http",
        "v2 jobs ?jobtype=coord&len=1",
        list,
        &["", "/coordinatorjobs/0"],
    );
    let list = "/v2/jobs?jobtype=bundle&len=1";
    let step = "v2 jobs ?jobtype=bundle&len=1";
    compare("jobs-http", step, list, &["", "/bundlejobs/0"]);
    let level = format!("/v2/sla?filter=id%3D{WORKFLOW}");
    let step = "v2 id=0000174-261125093313444-oozie-root-W";
    compare("sla-http", step, &level, &["", "/slaSummaryList/0"]);
}
