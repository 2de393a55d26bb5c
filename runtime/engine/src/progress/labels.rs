//! Labels of nodes in a job tree: `report/write` is a node of the sub-workflow that `report` runs, `ingest@6/clean` one of the workflow of
//! action 6 of the coordinator `ingest`.

use std::collections::HashMap;

use hpdlc_host::{
    home::Home,
    job_id::{self, JobKind},
};
use hpdlc_store::{self as store, query, sql::Connection};

/// The limit for following jobs upwards: deeper than any tree.
const DEPTH: usize = 200;

/// The names of the nodes of a job tree, relative to the job at its top.
pub struct Labels {
    home: Option<Home>,
    /// Opened for the first job that is not the one at the top.
    connection: Option<Connection>,
    top: Option<String>,
    /// The prefixes of node names, by job.
    prefixes: HashMap<String, String>,
}

impl Labels {
    /// The first job that is named is the one at the top. Without a state folder names stay as they are.
    pub fn new(home: Option<Home>) -> Labels {
        Labels {
            home,
            connection: None,
            top: None,
            prefixes: HashMap::new(),
        }
    }

    /// Sets the job at the top, if it may not be the first that is named.
    pub fn set_top(&mut self, job: &str) {
        self.top = Some(job.to_owned());
    }

    /// The name of a node of a job, with its prefix.
    pub fn name(&mut self, job: &str, node: &str) -> String {
        if self.top.is_none() {
            self.top = Some(job.to_owned());
        }
        if !self.prefixes.contains_key(job) {
            let prefix = self.prefix(job).unwrap_or_default();
            self.prefixes.insert(job.to_owned(), prefix);
        }
        let prefix = self.prefixes.get(job).map_or("", String::as_str);
        // A label from a bundle's line already includes the coordinator.
        if JobKind::of(job) == JobKind::Coordinator && !node.starts_with('@') {
            return node.to_owned();
        }
        format!("{prefix}{node}")
    }

    fn prefix(&mut self, job: &str) -> Option<String> {
        let is_top = self.top.as_deref() == Some(job);
        match JobKind::of(job) {
            JobKind::Workflow if is_top => return None,
            JobKind::Bundle => return None,
            JobKind::Workflow | JobKind::Coordinator => {}
        }
        if self.connection.is_none() {
            self.connection = store::look(self.home.as_ref()?).ok();
        }
        let connection = self.connection.as_ref()?;
        let mut names: Vec<String> = Vec::new();
        let mut id = job.to_owned();
        for _ in 0..DEPTH {
            let row = query::job(connection, &id).ok()??;
            if JobKind::of(&id) == JobKind::Coordinator {
                let name = row.parent_node.unwrap_or(row.app);
                let separator = if names.is_empty() { "" } else { "@" };
                names.reverse();
                return Some(format!("{name}{separator}{}", names.concat()));
            }
            if self.top.as_deref() == Some(&id) {
                break;
            }
            let parent = row.parent_id?;
            if let Some((coordinator, number)) = job_id::coordinator_action(&parent) {
                names.push(format!("{number}/"));
                id = coordinator.to_owned();
            } else {
                names.push(format!("{}/", row.parent_node?));
                id = parent;
            }
        }
        names.reverse();
        Some(names.concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpdlc_store::JobRow;

    #[test]
    fn a_node_is_named_with_what_runs_its_job() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open_at(folder.path().join("home")).unwrap();
        let connection = store::open(&home).unwrap();
        let [c, w, s] = [("1", "C"), ("2", "W"), ("3", "W")]
            .map(|(number, kind)| format!("000000{number}-261120093000123-hpdl-{kind}"));
        let row = |id: &str, app: &str, parent: Option<&str>, node: Option<&str>| JobRow {
            app: app.to_owned(),
            parent_id: parent.map(str::to_owned),
            parent_node: node.map(str::to_owned),
            ..JobRow::new(id, 0)
        };
        let action = format!("{c}@6");
        for job in [
            row(&c, "ingest", None, None),
            row(&w, "load", Some(&action), None),
            row(&s, "sub", Some(&w), Some("report")),
        ] {
            query::insert_job(&connection, &job).unwrap();
        }
        let labels = || Labels::new(Some(home.clone()));
        let mut of_coordinator = labels();
        assert_eq!(of_coordinator.name(&c, "@6"), "ingest@6");
        assert_eq!(of_coordinator.name(&c, "nightly@6"), "nightly@6");
        assert_eq!(of_coordinator.name(&w, "clean"), "ingest@6/clean");
        assert_eq!(of_coordinator.name(&s, "write"), "ingest@6/report/write");
        let mut of_workflow = labels();
        assert_eq!(of_workflow.name(&w, "clean"), "clean");
        assert_eq!(of_workflow.name(&s, "write"), "report/write");
        let mut alone = Labels::new(None);
        assert_eq!(alone.name(&w, "clean"), "clean");
        assert_eq!(alone.name(&s, "write"), "write");
    }
}
