//! A state folder with jobs of all kinds in every state, and the list of the pages that the console has about them.

use hpdlc_core::{
    coordinator::{CoordinatorActionStatus, CoordinatorStatus},
    status::{ActionStatus, JobStatus},
};
use hpdlc_store::JobRow;

use crate::state::{HOUR, Program, State, job, node};

const DOCUMENT: &str = r#"<workflow-app name="nightly-load" xmlns="uri:oozie:workflow:1.0">
  <start to="prepare"/>
  <action name="prepare"><fs><mkdir path="${out}"/></fs><ok to="load"/><error to="failed"/></action>
  <action name="load">
    <shell xmlns="uri:oozie:shell-action:1.0"><exec>load.sh</exec><argument>${day}</argument></shell>
    <ok to="end"/><error to="failed"/>
  </action>
  <kill name="failed"><message>it failed</message></kill>
  <end name="end"/>
</workflow-app>"#;

pub struct Jobs {
    pub state: State,
    /// One for each state, and then those that the pages below have by name.
    workflows: Vec<String>,
    coordinators: Vec<String>,
    bundles: Vec<String>,
    /// It failed after one that worked.
    pub failed: String,
    pub running: String,
    /// It waits for its start.
    pub prep: String,
}

/// A page of the console.
pub struct Page {
    /// Of its screenshots.
    pub name: String,
    /// Below the base.
    pub path: String,
    /// Whether it differs from another one only by the state of its job, and is that of a coordinator or a bundle.
    pub is_further: bool,
}

impl Jobs {
    pub fn new() -> Jobs {
        let state = State::new();
        let program = Program {
            nodes: vec![("prepare", "fs"), ("load", "shell"), ("end", "end")],
            document: DOCUMENT,
            values: vec![["load", "argument", "${day}", "2026-11-28"]],
            parameters: vec![
                ["day", "", "The day that is loaded"],
                ["out", "/data", "Where it is written"],
            ],
        };
        state.keep("feed1", "nightly-load", &program);
        let changed = DOCUMENT.replace("load.sh", "load-all.sh");
        let program = Program {
            document: &changed,
            nodes: vec![
                ("prepare", "fs"),
                ("load", "shell"),
                ("check", "shell"),
                ("end", "end"),
            ],
            ..program
        };
        state.keep("feed2", "nightly-load", &program);
        let program = Program {
            nodes: vec![("hourly-load", "coordinator")],
            document: "<coordinator-app name=\"hourly-load\"/>",
            ..Program::default()
        };
        state.keep("feed3", "hourly-load", &program);
        let mut jobs = Jobs {
            workflows: Vec::new(),
            coordinators: Vec::new(),
            bundles: Vec::new(),
            failed: String::new(),
            running: String::new(),
            prep: String::new(),
            state,
        };
        for day in 20..24 {
            jobs.workflow(JobStatus::Succeeded, day);
        }
        for status in JobStatus::ALL {
            let id = jobs.workflow(status, 28);
            match status {
                JobStatus::Killed => jobs.failed.clone_from(&id),
                JobStatus::Prep => jobs.prep.clone_from(&id),
                JobStatus::Running => jobs.running.clone_from(&id),
                _ => {}
            }
            jobs.workflows.push(id);
        }
        jobs.state.late(&jobs.running);
        let of_first = jobs.failed.clone();
        for status in CoordinatorStatus::ALL {
            let row = scheduled(&jobs.state, 'C', "hourly-load", status);
            let actions = CoordinatorActionStatus::ALL;
            let id = jobs
                .state
                .coordinator(row, status, &actions, Some(&of_first));
            jobs.coordinators.push(id);
        }
        for status in CoordinatorStatus::ALL {
            let row = scheduled(&jobs.state, 'B', "weather", status);
            let of_it = JobRow {
                parent_id: Some(row.id.clone()),
                parent_node: Some("hourly".to_owned()),
                ..scheduled(&jobs.state, 'C', "hourly", status)
            };
            let id = jobs.state.bundle(row, status, &of_it.id);
            jobs.state.coordinator(of_it, status, &[], None);
            jobs.bundles.push(id);
        }
        jobs
    }

    fn workflow(&self, status: JobStatus, day: i64) -> String {
        let is_new = day == 28;
        let mut row = job(&self.state, 'W', "nightly-load", status);
        row.hash = if is_new { "feed2" } else { "feed1" }.to_owned();
        row.conf = format!(
            r#"{{"day":"2026-11-{day}","out":"/data/${{day}}","dbPassword":"hunter22","oozie.wf.application.path":"hdfs://nn/apps/nightly-load"}}"#
        );
        if !is_new {
            let ago = HOUR * 24 * (28 - day);
            row.created -= ago;
            row.started = row.started.map(|it| it - ago);
            row.ended = row.ended.map(|it| it - ago);
        }
        let load = match status {
            JobStatus::Prep => None,
            JobStatus::Running => Some(ActionStatus::Running),
            JobStatus::Suspended => Some(ActionStatus::StartManual),
            JobStatus::Succeeded => Some(ActionStatus::Ok),
            JobStatus::Killed => Some(ActionStatus::Error),
            JobStatus::Failed => Some(ActionStatus::Failed),
        };
        let mut nodes = Vec::new();
        if let Some(load) = load {
            nodes.push(node(&row, ":start:", ":START:", ActionStatus::Ok));
            nodes.push(node(&row, "prepare", "fs", ActionStatus::Ok));
            let mut it = node(&row, "load", "shell", load);
            it.data = Some(r#"{"rows":"1200"}"#.to_owned());
            if matches!(load, ActionStatus::Error | ActionStatus::Failed) {
                it.error_code = Some("JA018".to_owned());
                it.error_message = Some("Main class [ShellMain], exit code [1]".to_owned());
                row.error_message = Some("it failed".to_owned());
                row.last_error_node = Some("load".to_owned());
            }
            nodes.push(it);
            if load == ActionStatus::Ok {
                nodes.push(node(&row, "end", ":END:", ActionStatus::Ok));
            }
        }
        let id = self.state.workflow(row, &nodes);
        if load.is_some() {
            let lines: Vec<String> = (0..400).map(|n| format!("row {n} of table t\n")).collect();
            self.state.output(&id, "load", "out", &lines.concat());
            let err = "\u{1b}[31mdisk full\u{1b}[0m, password hunter22\n";
            self.state.output(&id, "load", "err", err);
        }
        id
    }

    /// Every page of the console: a new one is a line here.
    pub fn pages(&self) -> Vec<Page> {
        let first = |ids: &[String]| ids.get(1).cloned().unwrap_or_default();
        let (failed, running) = (&self.failed, &self.running);
        let (coordinator, bundle) = (first(&self.coordinators), first(&self.bundles));
        let named = [
            ("overview", String::new()),
            ("overview-filtered", "?app=nightly&state=bad".to_owned()),
            ("overview-nothing", "?app=no-such".to_owned()),
            ("jobs", "console/jobs".to_owned()),
            (
                "jobs-filtered",
                "console/jobs?q=load&status=KILLED&days=400".to_owned(),
            ),
            ("jobs-nothing", "console/jobs?q=no-such".to_owned()),
            ("late", "console/late".to_owned()),
            ("apps", "console/apps".to_owned()),
            ("app", "console/app/nightly-load".to_owned()),
            (
                "app-version",
                "console/app/nightly-load?version=feed1".to_owned(),
            ),
            ("sla", "console/sla".to_owned()),
            ("about", "console/about".to_owned()),
            ("settings", "console/settings".to_owned()),
            ("doctor", "console/doctor".to_owned()),
            ("audit", "console/audit".to_owned()),
            ("tokens", "console/tokens".to_owned()),
            ("node", format!("console/job/{failed}/node/load")),
            ("node-running", format!("console/job/{running}/node/load")),
            (
                "output",
                format!("console/job/{failed}/output/load?stream=err&attempt=1"),
            ),
            ("timeline", format!("console/job/{failed}/timeline")),
            ("events", format!("console/job/{failed}/events")),
            ("definition", format!("console/job/{failed}/definition")),
            ("properties", format!("console/job/{failed}/properties")),
            ("compare", format!("console/job/{failed}/compare")),
            ("report", format!("console/job/{failed}/report.html")),
            (
                "command-kill",
                format!("console/job/{running}/command/kill"),
            ),
            (
                "command-suspend",
                format!("console/job/{running}/command/suspend"),
            ),
            (
                "command-rerun",
                format!("console/job/{failed}/command/rerun"),
            ),
            (
                "coordinator-timeline",
                format!("console/job/{coordinator}/timeline"),
            ),
            (
                "coordinator-events",
                format!("console/job/{coordinator}/events"),
            ),
            (
                "coordinator-properties",
                format!("console/job/{coordinator}/properties"),
            ),
            (
                "coordinator-rerun",
                format!("console/job/{coordinator}/command/rerun"),
            ),
            (
                "coordinator-change",
                format!("console/job/{coordinator}/command/change"),
            ),
            ("bundle-events", format!("console/job/{bundle}/events")),
            (
                "coordinator-forecast",
                format!("console/job/{coordinator}/forecast"),
            ),
            (
                "calendar-month",
                format!("console/job/{coordinator}/timeline?view=month"),
            ),
            (
                "calendar-week",
                format!("console/job/{coordinator}/timeline?view=week"),
            ),
            (
                "calendar-hour",
                format!("console/job/{coordinator}/timeline?view=hour"),
            ),
            ("apps", "console/apps".to_owned()),
            ("apps-nothing", "console/apps?q=no-such".to_owned()),
            ("app", "console/app/nightly-load".to_owned()),
            ("sla", "console/sla".to_owned()),
            ("about", "console/about".to_owned()),
            ("settings", "console/settings".to_owned()),
            ("doctor", "console/doctor".to_owned()),
            ("audit", "console/audit".to_owned()),
            ("tokens", "console/tokens".to_owned()),
            (
                "not-found",
                "console/job/0009999-261125093313444-hpdl-W".to_owned(),
            ),
        ];
        let mut pages: Vec<Page> = named
            .into_iter()
            .map(|(name, path)| Page {
                name: name.to_owned(),
                path: format!("/{path}"),
                is_further: false,
            })
            .collect();
        let of_states = [
            (
                "job",
                &self.workflows,
                names(JobStatus::ALL.map(JobStatus::name)),
            ),
            (
                "coordinator",
                &self.coordinators,
                names(CoordinatorStatus::ALL.map(CoordinatorStatus::name)),
            ),
            (
                "bundle",
                &self.bundles,
                names(CoordinatorStatus::ALL.map(CoordinatorStatus::name)),
            ),
        ];
        for (kind, ids, states) in of_states {
            pages.extend(ids.iter().zip(states).map(|(id, state)| Page {
                is_further: kind != "job" && state != "running",
                name: format!("{kind}-{state}"),
                path: format!("/console/job/{id}"),
            }));
        }
        pages
    }
}

fn names<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_lowercase).into()
}

/// A coordinator or a bundle; its row of `jobs` has the nearest state that a workflow can have.
fn scheduled(state: &State, kind: char, app: &str, status: CoordinatorStatus) -> JobRow {
    let of_workflow = match status.name() {
        "PREP" => JobStatus::Prep,
        "SUCCEEDED" => JobStatus::Succeeded,
        "KILLED" | "DONEWITHERROR" | "IGNORED" => JobStatus::Killed,
        "FAILED" => JobStatus::Failed,
        name if name.contains("SUSPENDED") => JobStatus::Suspended,
        _ => JobStatus::Running,
    };
    JobRow {
        hash: "feed3".to_owned(),
        ..job(state, kind, app, of_workflow)
    }
}
