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
use hpdlc_yarn::credentials::Token;
use serde_json::{Value, json};

mod addresses;
mod answers;
mod application;
pub mod delegation;
mod managers;

pub use self::application::{ApplicationEnd, YarnApplication};
use self::{
    addresses::{HistoryServer, managers, schedulers, services},
    answers::{Answer, NoAnswer},
    application::{application, end, has_tag, text},
    managers::Managers,
};
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
    managers: Managers,
    /// The addresses of their schedulers that Hadoop's own files name for high availability.
    schedulers: Vec<String>,
    /// The addresses by which clients submit applications to them.
    services: Vec<String>,
    history: HistoryServer,
    settings: AccessSettings,
    user: String,
}

impl Yarn {
    /// The services that Hadoop's own files and the action name.
    pub fn of(said: &ClusterSettings<'_>, site: &BTreeMap<String, String>) -> Yarn {
        Yarn {
            managers: Managers::of(managers(said, site)),
            schedulers: schedulers(said, site),
            services: services(said, site),
            history: HistoryServer::of(said, site),
            settings: AccessSettings {
                user: said.proxied().map(str::to_owned),
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
        !self.managers.all().is_empty()
    }

    /// The address of the resource manager, for messages: of several, of the one that has answered.
    pub fn address(&self) -> &str {
        self.managers.last().unwrap_or("-")
    }

    /// Whether another resource manager takes over from one that fails.
    pub fn has_several(&self) -> bool {
        self.managers.all().len() > 1
    }

    /// The applications with this tag, the oldest first.
    ///
    /// # Errors
    ///
    /// No resource manager answers.
    pub fn tagged(&self, tag: &str) -> io::Result<Vec<YarnApplication>> {
        let path = format!("apps?applicationTags={tag}");
        let Answer::Known(answer) = self.ask_manager(&path, RestRequest::Get)? else {
            return Err(self.odd("it knows no applications"));
        };
        // Without any it is `null`.
        let Some(apps) = answer.get("apps") else {
            return Err(self.odd("a list of applications is missing"));
        };
        let apps = apps["app"].as_array();
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
        match self.ask_manager(&format!("apps/{id}"), RestRequest::Get)? {
            Answer::Known(answer) if answer["app"].is_object() => {
                Ok(Some(application(&answer["app"])))
            }
            Answer::Known(_) => Err(self.odd("the application is missing")),
            Answer::Unknown => Ok(None),
        }
    }

    /// Ends an application. An application that has already ended is no error.
    ///
    /// # Errors
    ///
    /// No resource manager answers, or it refuses.
    pub fn kill(&self, id: &str) -> io::Result<()> {
        let state = json!({ "state": "KILLED" });
        let path = format!("apps/{id}/state");
        self.ask_manager(&path, RestRequest::Put(&state))
            .map(drop)
            .map_err(|problem| {
                let error = io::Error::from(problem);
                with_text(&error, &format!("{id} is not ended: {error}"))
            })
    }

    /// The id of a new application, which is not submitted yet.
    ///
    /// # Errors
    ///
    /// No resource manager answers, or it refuses.
    pub fn new_application(&self) -> io::Result<String> {
        match self.ask_manager("apps/new-application", RestRequest::Post(None))? {
            Answer::Known(answer) => match answer["application-id"].as_str() {
                Some(id) => Ok(id.to_owned()),
                None => Err(self.odd("the id of a new application is missing")),
            },
            Answer::Unknown => Err(self.odd("it gives no ids of applications")),
        }
    }

    /// Submits an application. To submit one with the same id again changes nothing.
    ///
    /// # Errors
    ///
    /// It is refused, as `InvalidInput`; or no resource manager answers, and whether it was submitted is unknown.
    pub fn submit(&self, application: &Value) -> io::Result<()> {
        match self.ask_manager("apps", RestRequest::Post(Some(application))) {
            Ok(Answer::Known(_)) => Ok(()),
            Ok(Answer::Unknown) => Err(self.odd("it takes no applications")),
            Err(NoAnswer::Refused { message, .. }) => Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("the resource manager refuses the application: {message}"),
            )),
            Err(problem @ NoAnswer::Unavailable(_)) => Err(problem.into()),
        }
    }

    /// The addresses of the schedulers of the resource managers, each a host and a port: as those that answer see themselves, and as
    /// Hadoop's own files name the others, of which one may take over.
    ///
    /// # Errors
    ///
    /// No resource manager answers.
    pub fn schedulers(&self) -> io::Result<Vec<String>> {
        let found = self.configured("yarn.resourcemanager.scheduler.address")?;
        let mut all = Vec::new();
        for (base, address) in found {
            let address = addresses::reachable(&address, base);
            if !all.contains(&address) {
                all.push(address);
            }
        }
        for address in &self.schedulers {
            if !all.contains(address) {
                all.push(address.clone());
            }
        }
        Ok(all)
    }

    /// The principal of the resource manager, who renews tokens: `rm/_HOST@SITE` is one.
    ///
    /// # Errors
    ///
    /// No resource manager answers, or it has none.
    pub fn principal(&self) -> io::Result<String> {
        const PROPERTY: &str = "yarn.resourcemanager.principal";
        let found = self.configured(PROPERTY)?.into_iter().next();
        found.map(|(_, principal)| principal).ok_or_else(|| {
            io::Error::other(format!("{} does not say its {PROPERTY}", self.address()))
        })
    }

    /// A new token for the resource manager, which `renewer` may renew: its service, and its text.
    ///
    /// # Errors
    ///
    /// No resource manager answers, or it gives none.
    pub fn token(&self, renewer: &str) -> io::Result<(String, String)> {
        let body = json!({ "renewer": renewer });
        let answer = self.ask_manager("delegation-token", RestRequest::Post(Some(&body)))?;
        let token = match answer {
            Answer::Known(answer) => answer["token"].as_str().and_then(Token::of_url_text),
            Answer::Unknown => None,
        };
        let token = token.ok_or_else(|| self.odd("a token is missing"))?;
        // Clients look for it by all addresses at once.
        let addresses = self
            .services
            .iter()
            .filter_map(|it| delegation::resolved(it));
        let addresses: Vec<String> = addresses.map(|it| it.to_string()).collect();
        let service = addresses.join(",");
        let text = token.url_text_for(&service);
        Ok((service, text))
    }

    /// The values of a property of the resource managers that answer, each with the address of its pages.
    fn configured(&self, property: &str) -> io::Result<Vec<(&str, String)>> {
        let mut all = Vec::new();
        let mut problem = None;
        for base in self.managers.all() {
            let path = format!("/conf?format=json&name={property}");
            let answer = self.ask(base, &path, RestRequest::Get);
            let judged = answer.and_then(|answer| Ok(answers::judge(base, answer)?));
            match judged {
                Ok(Answer::Unknown) => {}
                Ok(Answer::Known(answer)) => {
                    let value = answer["property"]["value"].as_str();
                    all.extend(value.map(|value| (base.as_str(), value.to_owned())));
                }
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
        let address = &self.history.address;
        let answer = self.ask(address, &path, RestRequest::Get)?;
        let Answer::Known(answer) = answers::judge(address, answer)? else {
            return Ok(None);
        };
        let job = &answer["job"];
        if !job.is_object() {
            return Err(Fault::Interrupted.error(format!("{address}: the answer has no job")));
        }
        Ok(Some(YarnApplication {
            id: ids::application(job["id"].as_str().unwrap_or_default()),
            framework: MAP_REDUCE.to_owned(),
            end: end(job["state"].as_str().unwrap_or_default(), ""),
            is_waiting: false,
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
        let status = answer.status;
        let strange = format!("{} answers {status} for {job}", history.address);
        Ok(match answers::judge(&history.address, answer) {
            Ok(Answer::Known(answer)) => match answer["jobCounters"].as_object() {
                Some(counters) => {
                    let groups = counters.get("counterGroup").and_then(Value::as_array);
                    let groups = groups.into_iter().flatten();
                    RememberedJob::Counters(groups.map(group).collect())
                }
                None => RememberedJob::Strange(strange),
            },
            // If the address of the history server is a guess, it may belong to another cluster.
            Ok(Answer::Unknown) if history.is_guess => RememberedJob::Strange(strange),
            Ok(Answer::Unknown) => RememberedJob::Unknown,
            Err(problem) => {
                let problem = io::Error::from(problem);
                RememberedJob::Strange(format!("{problem} (for {job})"))
            }
        })
    }

    /// The address of the history server, for messages.
    pub fn history(&self) -> &str {
        &self.history.address
    }

    /// The answer of the active resource manager.
    fn ask_manager(&self, path: &str, what: RestRequest<'_>) -> Result<Answer, NoAnswer> {
        let mut problem: Option<io::Error> = None;
        for (number, base) in self.managers.in_turn() {
            let answer = self.ask(base, &format!("/ws/v1/cluster/{path}"), what);
            let judged = answer
                .map_err(NoAnswer::Unavailable)
                .and_then(|answer| answers::judge(base, answer));
            match judged {
                Err(NoAnswer::Unavailable(error)) => {
                    problem = Some(match problem {
                        Some(first) => with_text(&first, &format!("{first}; {error}")),
                        None => error,
                    });
                }
                judged => {
                    self.managers.answered(number);
                    return judged;
                }
            }
        }
        Err(NoAnswer::Unavailable(problem.unwrap_or_else(|| {
            Fault::Unreachable.error("no resource manager is known: neither yarn-site.xml nor hpdl.yarn.webapp.address names one")
        })))
    }

    /// An answer that makes no sense.
    fn odd(&self, why: &str) -> io::Error {
        Fault::Interrupted.error(format!("{}: the answer is odd: {why}", self.address()))
    }

    fn ask(&self, base: &str, path: &str, what: RestRequest<'_>) -> io::Result<RestAnswer> {
        let hosts = Hosts::new(&self.settings, &NEVER_CANCELED);
        let url = format!("{base}{path}");
        rest::ask(&hosts, &url, &[("user.name", &self.user)], what)
            .map_err(|error| with_text(&error, &format!("{base}: {error}")))
    }
}

/// The error with another message.
fn with_text(error: &io::Error, text: &str) -> io::Error {
    match Fault::of(error) {
        Some(fault) => fault.clone().error(text),
        None => io::Error::new(error.kind(), text.to_owned()),
    }
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

#[cfg(test)]
mod tests;
