//! REST clients of the resource manager and of the history server of MapReduce jobs.
//!
//! With high availability, one of several resource managers is active. A standby says so or redirects to the active one.

use std::{collections::BTreeMap, io, sync::atomic::AtomicBool};

use hpdlc_files::{
    AccessSettings,
    error::Fault,
    hosts::Hosts,
    rest::{self, RestAnswer, RestRequest},
};
use serde_json::{Value, json};

mod addresses;

use self::addresses::{HistoryServer, managers};
use crate::tool::{cluster_settings::ClusterSettings, ids};

/// A request is only canceled by a signal to the process.
static NEVER_CANCELED: AtomicBool = AtomicBool::new(false);

/// Timeout of a request, in seconds.
const TIMEOUT: u64 = 30;
/// The same, if there may be nothing to query.
const SHORT_TIMEOUT: u64 = 5;

/// The resource manager's name for MapReduce jobs.
pub const MAP_REDUCE: &str = "MAPREDUCE";
/// That for the containers of our own programs, which have the tags of what the programs start.
pub const CONTAINER: &str = "HPDL";

/// An application, as reported by the resource manager.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct YarnApplication {
    pub id: String,
    /// The framework: `MAPREDUCE`, `TEZ`, `SPARK`; empty if unknown.
    pub framework: String,
    pub end: Option<ApplicationEnd>,
    /// The cluster's message about its end.
    pub diagnostics: String,
    /// Its tracking URL.
    pub url: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApplicationEnd {
    Succeeded,
    Failed,
    Killed,
}

/// The answer of the history server about a finished MapReduce job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RememberedJob {
    /// Groups by name, counters by name.
    Counters(Counters),
    /// It does not know the job; it may slightly later.
    Unknown,
    /// The answering server is not a history server, or fails.
    Strange(String),
}

/// The addresses of the services.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Yarn {
    /// Of resource managers, such as `http://host:8088`; one is active.
    managers: Vec<String>,
    history: HistoryServer,
    settings: AccessSettings,
    user: String,
}

impl Yarn {
    /// The services that Hadoop's own files and the action name.
    pub fn of(said: &ClusterSettings<'_>, site: &BTreeMap<String, String>) -> Yarn {
        Yarn {
            managers: managers(said, site),
            history: HistoryServer::of(said, site),
            settings: AccessSettings {
                timeout: Some(TIMEOUT),
                ..AccessSettings::default()
            },
            user: said.user.to_owned(),
        }
    }

    /// The same with a short timeout.
    pub fn in_short(mut self) -> Yarn {
        self.settings.timeout = Some(SHORT_TIMEOUT);
        self
    }

    /// Whether a resource manager is configured.
    pub fn is_known(&self) -> bool {
        !self.managers.is_empty()
    }

    /// The address of the resource manager, for messages.
    pub fn address(&self) -> &str {
        self.managers.first().map_or("-", String::as_str)
    }

    /// The applications with this tag, the oldest first.
    ///
    /// # Errors
    ///
    /// No resource manager answers.
    pub fn tagged(&self, tag: &str) -> io::Result<Vec<YarnApplication>> {
        let answer = self.ask_manager(&format!("apps?applicationTags={tag}"), RestRequest::Get)?;
        let apps = answer.body["apps"]["app"].as_array();
        let mut all: Vec<(i64, YarnApplication)> = apps
            .into_iter()
            .flatten()
            // Old resource managers ignore the tag in the query.
            .filter(|app| has_tag(app, tag))
            .map(|app| {
                (
                    app["startedTime"].as_i64().unwrap_or_default(),
                    application(app),
                )
            })
            .collect();
        all.sort_by(|(one, a), (other, b)| (one, &a.id).cmp(&(other, &b.id)));
        Ok(all.into_iter().map(|(_, app)| app).collect())
    }

    /// One application; `None` if the resource manager does not know it.
    ///
    /// # Errors
    ///
    /// No resource manager answers.
    pub fn application(&self, id: &str) -> io::Result<Option<YarnApplication>> {
        let answer = self.ask_manager(&format!("apps/{id}"), RestRequest::Get)?;
        let app = &answer.body["app"];
        Ok((answer.status != 404 && app.is_object()).then(|| application(app)))
    }

    /// Ends an application. An application that has already ended is no error.
    ///
    /// # Errors
    ///
    /// No resource manager answers, or it refuses.
    pub fn kill(&self, id: &str) -> io::Result<()> {
        let state = json!({ "state": "KILLED" });
        let answer = self.ask_manager(&format!("apps/{id}/state"), RestRequest::Put(&state))?;
        match answer.status {
            200..300 | 404 => Ok(()),
            status => Err(io::Error::other(format!(
                "the resource manager does not end {id}: {status} {}",
                refusal(&answer)
            ))),
        }
    }

    /// The id of a new application, which is not submitted yet.
    ///
    /// # Errors
    ///
    /// No resource manager answers, or it refuses.
    pub fn new_application(&self) -> io::Result<String> {
        let answer = self.ask_manager("apps/new-application", RestRequest::Post(None))?;
        match answer.body["application-id"].as_str() {
            Some(id) => Ok(id.to_owned()),
            None => Err(io::Error::other(format!(
                "the resource manager gives no application id: {} {}",
                answer.status,
                refusal(&answer)
            ))),
        }
    }

    /// Submits an application. To submit one with the same id again changes nothing.
    ///
    /// # Errors
    ///
    /// It is refused, as `InvalidInput`; or no resource manager answers, and whether it was submitted is unknown.
    pub fn submit(&self, application: &Value) -> io::Result<()> {
        let answer = self.ask_manager("apps", RestRequest::Post(Some(application)))?;
        match answer.status {
            200..300 => Ok(()),
            status => Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!(
                    "the resource manager refuses the application: {status} {}",
                    refusal(&answer)
                ),
            )),
        }
    }

    /// The addresses of the schedulers of the resource managers, each a host and a port, as they see themselves.
    ///
    /// # Errors
    ///
    /// No resource manager answers.
    pub fn schedulers(&self) -> io::Result<Vec<String>> {
        const PROPERTY: &str = "yarn.resourcemanager.scheduler.address";
        let mut all = Vec::new();
        let mut problem = None;
        for base in &self.managers {
            let path = format!("/conf?format=json&name={PROPERTY}");
            match self.ask(base, &path, RestRequest::Get) {
                Ok(answer) => {
                    if let Some(address) = answer.body["property"]["value"].as_str() {
                        let address = addresses::reachable(address, base);
                        if !all.contains(&address) {
                            all.push(address);
                        }
                    }
                }
                // One that does not answer now may be the active one later; its address is not known then.
                Err(error) => {
                    problem.get_or_insert(error);
                }
            }
        }
        match problem {
            Some(problem) if all.is_empty() => Err(problem),
            Some(_) | None => Ok(all),
        }
    }

    /// How a MapReduce job has ended, from the history server; `None` if that does not know it.
    ///
    /// # Errors
    ///
    /// The history server does not answer.
    pub fn job_end(&self, job: &str) -> io::Result<Option<YarnApplication>> {
        let path = format!("/ws/v1/history/mapreduce/jobs/{job}");
        let answer = self.ask(&self.history.address, &path, RestRequest::Get)?;
        let job = &answer.body["job"];
        if answer.status == 404 || !job.is_object() {
            return Ok(None);
        }
        Ok(Some(YarnApplication {
            id: ids::application(job["id"].as_str().unwrap_or_default()),
            framework: MAP_REDUCE.to_owned(),
            end: end(job["state"].as_str().unwrap_or_default(), ""),
            diagnostics: text(job, "diagnostics"),
            url: String::new(),
        }))
    }

    /// The counters of a MapReduce job that has ended.
    ///
    /// # Errors
    ///
    /// The history server does not answer.
    pub fn counters(&self, job: &str) -> io::Result<RememberedJob> {
        let path = format!("/ws/v1/history/mapreduce/jobs/{job}/counters");
        let history = &self.history;
        let answer = self.ask(&history.address, &path, RestRequest::Get)?;
        if let Some(counters) = answer.body["jobCounters"].as_object() {
            let groups = counters.get("counterGroup").and_then(Value::as_array);
            let groups = groups.into_iter().flatten();
            return Ok(RememberedJob::Counters(groups.map(group).collect()));
        }
        // Any server may answer 404; this is Hadoop's form of it. If the address of the history server is a guess, it may belong to
        // another cluster.
        let is_of_hadoop = answer.body["RemoteException"].is_object();
        Ok(match answer.status {
            404 if is_of_hadoop && !history.is_guess => RememberedJob::Unknown,
            status => {
                RememberedJob::Strange(format!("{} answers {status} for {job}", history.address))
            }
        })
    }

    /// The address of the history server, for messages.
    pub fn history(&self) -> &str {
        &self.history.address
    }

    fn ask_manager(&self, path: &str, what: RestRequest<'_>) -> io::Result<RestAnswer> {
        let mut problem = None;
        for base in &self.managers {
            match self.ask(base, &format!("/ws/v1/cluster/{path}"), what) {
                Ok(answer)
                    if answer.status < 500
                        && (!answer.body.is_null() || [202, 404].contains(&answer.status)) =>
                {
                    return Ok(answer);
                }
                // A standby answers with a page, as does one that requires authentication.
                Ok(answer) => {
                    let message = match answer.status {
                        401 | 403 => format!(
                            "{base} requires authentication ({}); REST is only used with clusters that need none",
                            answer.status
                        ),
                        status => {
                            format!("{base} answers {status}, and no active resource manager does")
                        }
                    };
                    problem.get_or_insert(Fault::Unreachable.error(message));
                }
                Err(error) => {
                    problem.get_or_insert(error);
                }
            }
        }
        Err(problem.unwrap_or_else(|| {
            Fault::Unreachable.error("no resource manager is known: neither yarn-site.xml nor hpdl.yarn.webapp.address names one")
        }))
    }

    fn ask(&self, base: &str, path: &str, what: RestRequest<'_>) -> io::Result<RestAnswer> {
        let hosts = Hosts::new(&self.settings, &NEVER_CANCELED);
        let url = format!("{base}{path}");
        rest::ask(&hosts, &url, &[("user.name", &self.user)], what).map_err(
            |error| match Fault::of(&error) {
                Some(fault) => fault.clone().error(format!("{base}: {error}")),
                None => io::Error::new(error.kind(), format!("{base}: {error}")),
            },
        )
    }
}

/// Hadoop's message about a request that it refuses.
fn refusal(answer: &RestAnswer) -> &str {
    let exception = &answer.body["RemoteException"];
    exception["message"].as_str().unwrap_or_default()
}

/// Counters by group.
pub type Counters = BTreeMap<String, BTreeMap<String, i64>>;

fn group(group: &Value) -> (String, BTreeMap<String, i64>) {
    let counters = group["counter"].as_array().into_iter().flatten();
    let counters = counters.map(|counter| {
        let value = counter["totalCounterValue"].as_i64().unwrap_or_default();
        (text(counter, "name"), value)
    });
    (text(group, "counterGroupName"), counters.collect())
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

fn has_tag(app: &Value, tag: &str) -> bool {
    let tags = app["applicationTags"].as_str().unwrap_or_default();
    tags.split(',').any(|known| known.trim() == tag)
}

fn application(app: &Value) -> YarnApplication {
    YarnApplication {
        id: text(app, "id"),
        framework: text(app, "applicationType"),
        end: end(
            app["state"].as_str().unwrap_or_default(),
            app["finalStatus"].as_str().unwrap_or_default(),
        ),
        diagnostics: text(app, "diagnostics"),
        url: text(app, "trackingUrl"),
    }
}

/// The result of state and final status; for a job of the history server, of its state alone.
fn end(state: &str, status: &str) -> Option<ApplicationEnd> {
    match (state, status) {
        ("FINISHED", "SUCCEEDED") | ("SUCCEEDED", _) => Some(ApplicationEnd::Succeeded),
        ("KILLED", _) | ("FINISHED", "KILLED") => Some(ApplicationEnd::Killed),
        ("FAILED" | "ERROR", _) | ("FINISHED", _) => Some(ApplicationEnd::Failed),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ToolKind;
    use crate::tool::call::testing::{map, tool};
    use crate::tool::configuration;

    #[test]
    fn resource_managers_are_those_of_the_files_or_of_the_action() {
        let of = |manager: Option<&str>, site: BTreeMap<String, String>| {
            let mut tool = tool(ToolKind::Distcp, []);
            tool.resource_manager = manager.map(str::to_owned);
            let found = managers(&tool.said(), &site);
            // The configuration of a `shell` action repeats it.
            let address = manager.map(|manager| (configuration::RESOURCE_MANAGER, manager));
            tool.configuration = address.map(|it| map([it])).unwrap_or_default();
            assert_eq!(managers(&tool.said(), &site), found);
            found
        };
        let plain = map([
            ("yarn.resourcemanager.address", "a:8032"),
            ("yarn.resourcemanager.webapp.address", "a:18088"),
        ]);
        assert_eq!(of(None, plain.clone()), ["http://a:18088"]);
        assert_eq!(of(Some("a:8032"), plain.clone()), ["http://a:18088"]);
        assert_eq!(of(Some("b:8032"), plain), ["http://b:8088"]);
        assert_eq!(of(Some("b:8032"), map([])), ["http://b:8088"]);
        assert_eq!(of(Some("logical"), map([])), [""; 0]);
        let host = map([("yarn.resourcemanager.hostname", "a")]);
        assert_eq!(of(Some("a:8032"), host), ["http://a:8088"]);
        let tls = map([
            ("yarn.http.policy", "HTTPS_ONLY"),
            ("yarn.resourcemanager.hostname", "a"),
        ]);
        assert_eq!(of(None, tls), ["https://a:8090"]);
        let two = map([
            ("yarn.resourcemanager.ha.enabled", "true"),
            ("yarn.resourcemanager.ha.rm-ids", "x, y"),
            ("yarn.resourcemanager.hostname.x", "a"),
            ("yarn.resourcemanager.webapp.address.y", "b:18088"),
        ]);
        assert_eq!(
            of(Some("cluster"), two.clone()),
            ["http://a:8088", "http://b:18088"]
        );
        let mut named = tool(ToolKind::Distcp, []);
        named.settings = map([("hpdl.yarn.webapp.address", "c:1, https://d:2/")]);
        assert_eq!(managers(&named.said(), &two), ["http://c:1", "https://d:2"]);
    }

    #[test]
    fn a_service_that_listens_everywhere_is_on_the_host_of_the_pages() {
        for (address, expected) in [("0.0.0.0:8030", "rm:8030"), ("rm1:8030", "rm1:8030")] {
            assert_eq!(addresses::reachable(address, "http://rm:8088"), expected);
        }
    }

    #[test]
    fn the_history_is_where_the_files_say_or_beside_the_resource_manager() {
        let tool = tool(ToolKind::Distcp, []);
        let of = |site: BTreeMap<String, String>| HistoryServer::of(&tool.said(), &site);
        let at = |address: &str, is_guess| HistoryServer {
            address: address.to_owned(),
            is_guess,
        };
        assert_eq!(of(map([])), at("http://rm:19888", true));
        let site = map([("mapreduce.jobhistory.address", "h:10020")]);
        assert_eq!(of(site), at("http://h:19888", false));
        let site = map([("mapreduce.jobhistory.webapp.address", "h:1")]);
        assert_eq!(of(site), at("http://h:1", false));
    }

    #[test]
    fn an_end_is_told_by_two_states() {
        use ApplicationEnd::{Failed, Killed, Succeeded};
        for (state, status, expected) in [
            ("NEW", "UNDEFINED", None),
            ("ACCEPTED", "UNDEFINED", None),
            ("RUNNING", "UNDEFINED", None),
            ("FINISHED", "SUCCEEDED", Some(Succeeded)),
            ("FINISHED", "FAILED", Some(Failed)),
            ("FINISHED", "KILLED", Some(Killed)),
            ("FINISHED", "UNDEFINED", Some(Failed)),
            ("FAILED", "FAILED", Some(Failed)),
            ("KILLED", "KILLED", Some(Killed)),
            ("SUCCEEDED", "", Some(Succeeded)),
            ("ERROR", "", Some(Failed)),
        ] {
            assert_eq!(end(state, status), expected, "{state} {status}");
        }
    }

    #[test]
    fn tags_are_whole_words() {
        let app = json!({ "applicationTags": "hpdl-1, oozie-2" });
        assert!(has_tag(&app, "hpdl-1") && has_tag(&app, "oozie-2"));
        assert!(!has_tag(&app, "hpdl") && !has_tag(&json!({}), "hpdl-1"));
    }
}
