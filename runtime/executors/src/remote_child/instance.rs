//! The other instance: requests of Oozie's Web Services API, version 1, and what is known after each.

use std::{collections::BTreeMap, fs, io, time::Duration};

use hpdlc_core::configuration;
use hpdlc_network::tls;
use hpdlc_program::failure::ActionError;
use serde_json::Value;
use ureq::{
    Agent, Body, Error, Timeout,
    http::{Request, Response, StatusCode, header},
};

use super::RemoteChild;
use crate::http;

/// The largest answer that is read, in bytes.
const MAX_ANSWER: u64 = 8 << 20;

/// An instance of Oozie or of `hpdl serve`.
pub(super) struct Instance {
    url: String,
    user: String,
    token: Option<String>,
    agent: Agent,
}

/// A child as its instance sees it.
pub(super) struct Child {
    pub(super) status: String,
}

impl Child {
    pub(super) fn is_over(&self) -> bool {
        matches!(self.status.as_str(), "SUCCEEDED" | "KILLED" | "FAILED")
    }
}

/// Why a request has no answer that helps.
pub(super) enum Trouble {
    /// It was sent, and what it did is not known.
    Unknown(String),
    /// It was not sent, or refused; `is_certain` if it surely did nothing.
    Failed {
        is_certain: bool,
        error: ActionError,
    },
}

impl Trouble {
    pub(super) fn message(&self) -> &str {
        match self {
            Trouble::Unknown(message) => message,
            Trouble::Failed { error, .. } => &error.message,
        }
    }

    fn refused(code: &str, problem: String) -> Trouble {
        Trouble::Failed {
            is_certain: true,
            error: ActionError::error(code, problem),
        }
    }
}

impl From<Trouble> for crate::worker_process::WorkError {
    /// Of a request that changes nothing.
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Unknown(message) => ActionError::transient("HTTP002", message).into(),
            Trouble::Failed { error, .. } => error.into(),
        }
    }
}

impl Instance {
    /// # Errors
    ///
    /// The token cannot be read.
    pub(super) fn of(child: &RemoteChild) -> Result<Instance, ActionError> {
        let patience = Some(Duration::from_secs(child.timeout.max(1)));
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .user_agent("hpdlc")
            .max_redirects(0)
            .timeout_resolve(patience)
            .timeout_connect(patience)
            .timeout_recv_response(patience)
            .timeout_recv_body(patience)
            .tls_config(tls::config())
            .build()
            .into();
        let token = match &child.token_file {
            None => None,
            Some(path) => Some(fs::read_to_string(path.trim()).map_err(|error| {
                ActionError::transient(
                    "HTTP007",
                    format!("hpdl.host.url.token.file: {path}: {error}"),
                )
            })?),
        };
        Ok(Instance {
            url: child.url.clone(),
            user: child.user.clone(),
            token: token.map(|token| token.trim().to_owned()),
            agent,
        })
    }

    /// The job with that external id.
    pub(super) fn find(&self, external_id: &str) -> Result<Option<String>, Trouble> {
        let query = [("jobtype", "wf"), ("external-id", external_id)];
        let answer = self.get("/v1/jobs", &query)?;
        let id = answer["id"].as_str().filter(|id| !id.is_empty());
        Ok(id.map(str::to_owned))
    }

    /// Submits and starts a job; its id.
    pub(super) fn submit(&self, conf: &BTreeMap<String, String>) -> Result<String, Trouble> {
        let body = configuration::write(conf).map_err(|error| {
            Trouble::refused("HTTP007", format!("the properties of the child: {error}"))
        })?;
        let answer = self.send("POST", "/v1/jobs", &[("action", "start")], &body)?;
        let id = answer["id"].as_str().filter(|id| !id.is_empty());
        let id =
            id.ok_or_else(|| Trouble::Unknown(format!("{}: the answer has no id", self.shown())))?;
        Ok(id.to_owned())
    }

    pub(super) fn look(&self, id: &str) -> Result<Child, Trouble> {
        let query = [("show", "info"), ("offset", "1"), ("len", "1")];
        let answer = self.get(&job_path(id), &query)?;
        match answer["status"].as_str() {
            Some(status) => Ok(Child {
                status: status.to_owned(),
            }),
            None => Err(Trouble::Unknown(format!(
                "{}: the answer has no status",
                self.shown()
            ))),
        }
    }

    /// The last message of an error in a job, if there is one.
    pub(super) fn message_of(&self, id: &str) -> Option<String> {
        let answer = self.get(&job_path(id), &[("show", "info")]).ok()?;
        let actions = answer["actions"].as_array()?;
        let mut messages = actions
            .iter()
            .rev()
            .filter_map(|it| it["errorMessage"].as_str());
        messages
            .find(|message| !message.is_empty())
            .map(str::to_owned)
    }

    pub(super) fn command(&self, id: &str, action: &str) -> Result<(), Trouble> {
        self.send("PUT", &job_path(id), &[("action", action)], "")
            .map(drop)
    }

    fn get(&self, path: &str, query: &[(&str, &str)]) -> Result<Value, Trouble> {
        self.send("GET", path, query, "")
    }

    /// What a request is answered with; null for an empty body.
    fn send(
        &self,
        method: &str,
        path: &str,
        query: &[(&str, &str)],
        body: &str,
    ) -> Result<Value, Trouble> {
        let mut pairs = form_urlencoded::Serializer::new(String::new());
        pairs.append_pair("user.name", &self.user);
        pairs.extend_pairs(query);
        let mut request = Request::builder()
            .method(method)
            .uri(format!("{}{path}?{}", self.url, pairs.finish()))
            .header(header::CONTENT_TYPE, "application/xml;charset=UTF-8");
        if let Some(token) = &self.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let problem = |error: &dyn std::fmt::Display| format!("{}: {error}", self.shown());
        let answer = match method {
            "GET" => {
                let request = request.body(());
                let request = request.map_err(|it| Trouble::refused("HTTP007", problem(&it)))?;
                self.agent.run(request)
            }
            _ => {
                let request = request.body(body.to_owned());
                let request = request.map_err(|it| Trouble::refused("HTTP007", problem(&it)))?;
                self.agent.run(request)
            }
        };
        let mut answer = answer.map_err(|error| self.trouble(&error))?;
        if !answer.status().is_success() {
            return Err(self.refusal(&answer));
        }
        let text = answer
            .body_mut()
            .with_config()
            .limit(MAX_ANSWER)
            .read_to_string();
        let text = text.map_err(|error| Trouble::Unknown(problem(&error)))?;
        match text.trim() {
            "" => Ok(Value::Null),
            text => serde_json::from_str(text).map_err(|error| {
                Trouble::Unknown(format!("{}: the answer is no JSON: {error}", self.shown()))
            }),
        }
    }

    fn refusal(&self, answer: &Response<Body>) -> Trouble {
        let status = answer.status();
        let header = |name: &str| answer.headers().get(name).and_then(|it| it.to_str().ok());
        let words = header("oozie-error-message").unwrap_or_default();
        let problem = match words {
            "" => format!("{}: the answer is {status}", self.shown()),
            words => format!("{}: {words}", self.shown()),
        };
        let code = header("oozie-error-code").unwrap_or("HTTP003");
        let is_busy = matches!(
            status,
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS
        );
        Trouble::Failed {
            is_certain: is_busy || status.is_client_error() || status.is_redirection(),
            error: match is_busy {
                true => ActionError::transient("HTTP002", problem),
                false => ActionError::error(code, problem),
            },
        }
    }

    /// Maps an error by whether the request may have been sent.
    fn trouble(&self, error: &Error) -> Trouble {
        let problem = format!("{}: {error}", self.shown());
        let not_sent = |code: &str| Trouble::Failed {
            is_certain: true,
            error: ActionError::transient(code, problem.clone()),
        };
        let is_unknown = |error: &io::Error| error.to_string().contains("failed to lookup address");
        match error {
            Error::HostNotFound | Error::Timeout(Timeout::Resolve) => not_sent("HTTP001"),
            Error::Io(error) if is_unknown(error) => not_sent("HTTP001"),
            Error::ConnectionFailed
            | Error::ConnectProxyFailed(_)
            | Error::Timeout(Timeout::Connect) => not_sent("HTTP002"),
            Error::Io(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::ConnectionRefused
                        | io::ErrorKind::HostUnreachable
                        | io::ErrorKind::NetworkUnreachable
                        | io::ErrorKind::AddrNotAvailable
                ) =>
            {
                not_sent("HTTP002")
            }
            Error::Io(_) | Error::Timeout(_) | Error::Protocol(_) => Trouble::Unknown(problem),
            _ => Trouble::refused("HTTP007", problem),
        }
    }

    fn shown(&self) -> String {
        http::shown(&self.url)
    }
}

/// Ids are the instance's own words: what would be another path is encoded.
fn job_path(id: &str) -> String {
    let encoded: String = form_urlencoded::byte_serialize(id.as_bytes()).collect();
    format!("/v1/job/{encoded}")
}
