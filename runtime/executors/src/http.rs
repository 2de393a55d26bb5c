//! The `http` action of the proposal of 2009 and of the workflow schema 0.1: one request. Oozie has none; the rules are those
//! of the proposal's section 3.2.7, the codes are hpdlc's:
//!
//! | code | class | the request |
//! |---|---|---|
//! | `HTTP001` | transient | was not sent: unknown host |
//! | `HTTP002` | transient | was not sent: no connection |
//! | `HTTP003` | error | was answered with another status than 2xx |
//! | `HTTP004` | error | was answered, or the callback made, with something that cannot be captured |
//! | `HTTP005` | error | was followed by a callback other than `OK` |
//! | `HTTP006` | error | was followed by no callback in time |
//! | `HTTP007` | error | cannot be made: no URL, an untrusted certificate |
//! | `HPDL_LOST` | | was sent, and no answer came |
//! | `HPDL_TIMEOUT` | error | exceeded the action's time limit |

use std::{
    fs, io, thread,
    time::{Duration, Instant},
};

use hpdlc_launcher::TimeLimit;
use hpdlc_network::tls;
use hpdlc_program::{failure::ActionError, table};
use serde::{Deserialize, Serialize};
use ureq::{
    Agent, Error, Timeout,
    http::{Response, header::CONTENT_TYPE},
};

use crate::{
    Evaluate, Evaluation, Executor, RunsIn, Work,
    callbacks::{self, Callback},
    process_end, time_limit,
    worker_process::{WorkContext, WorkError, WorkResult},
};

/// The type of an answer that can be captured.
const PROPERTIES: &str = "x-application/java-properties";

/// Polling interval for the callback.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// Maximum bytes of an answer that are logged if none are captured.
const MAX_ANSWER: u64 = 1024 * 1024;

/// An http action with every expression evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Http {
    pub url: String,
    /// Content type and body; `None` for a GET.
    pub post: Option<(String, String)>,
    pub waits_for_callback: bool,
    pub capture_output: bool,
    /// Maximum bytes of captured output.
    pub max_output: u64,
    /// Timeout in seconds for connecting, and again for the answer (`hpdl.http.timeout`).
    pub timeout: u64,
    /// Timeout in seconds for the callback (`hpdl.http.callback.timeout`).
    pub callback_timeout: u64,
    /// Time limit of the whole action.
    #[serde(default)]
    pub limit: Option<TimeLimit>,
}

/// Makes the request of an `http` action; `None` where the work is of another type.
pub fn carrier(work: &Work, context: &WorkContext<'_>) -> Option<Result<WorkResult, WorkError>> {
    match work {
        Work::Http(http) => Some(http.request(context)),
        _ => None,
    }
}

/// [`carrier`] does the work: not every program contains an HTTP client.
impl Executor for Http {
    fn runs_in(&self) -> RunsIn {
        RunsIn::Worker
    }

    fn worker_limit(&self) -> Option<TimeLimit> {
        self.limit
    }
}

impl Evaluate for table::Http {
    fn evaluate(&'static self, cx: &Evaluation<'_>) -> Result<Work, ActionError> {
        Ok(Work::Http(Http::evaluate(cx, self)?))
    }
}

impl Http {
    pub fn evaluate(cx: &Evaluation<'_>, def: &'static table::Http) -> Result<Http, ActionError> {
        let seconds = |name: &str| cx.setting(name).and_then(|text| text.trim().parse().ok());
        let post = match &def.post {
            Some(post) => Some((
                post.content_type.evaluate(cx.scope)?,
                post.body.evaluate(cx.scope)?,
            )),
            None => None,
        };
        let waits_for_callback = match &def.mode {
            None => def.waits_for_callback,
            Some(mode) => match mode.evaluate(cx.scope)?.trim() {
                "WAIT" => true,
                "CONTINUE" => false,
                other => {
                    let problem = format!("mode is `{other}`; it may be CONTINUE or WAIT");
                    return Err(ActionError::error("HTTP007", problem));
                }
            },
        };
        Ok(Http {
            url: def.url.evaluate(cx.scope)?.trim().to_owned(),
            post,
            waits_for_callback,
            capture_output: def.capture_output,
            max_output: cx.max_output(),
            timeout: seconds("hpdl.http.timeout").unwrap_or(60),
            callback_timeout: seconds("hpdl.http.callback.timeout").unwrap_or(24 * 60 * 60),
            limit: time_limit::time_limit(&|name| cx.setting(name))?,
        })
    }

    /// Makes the request, and waits for the callback if the action does.
    ///
    /// # Errors
    ///
    /// As listed above.
    fn request(&self, context: &WorkContext<'_>) -> Result<WorkResult, WorkError> {
        if self.waits_for_callback {
            // The server may call back before it answers.
            callbacks::ensure(&context.home).map_err(|problem| {
                ActionError::transient(
                    "HTTP002",
                    format!("callbacks cannot be listened for: {problem}"),
                )
            })?;
        }
        let begun = Instant::now();
        let mut answer = self.ask()?;
        let status = answer.status();
        let content_type = answer
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
            .to_owned();
        // One byte more shows that the limit is exceeded.
        let wanted = self.max_output.saturating_add(1).max(MAX_ANSWER);
        let body = answer.body_mut().as_reader();
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut io::Read::take(body, wanted), &mut bytes).map_err(|error| {
            WorkError::Lost(format!("{}: the answer broke off: {error}", self.shown()))
        })?;
        if !status.is_success() {
            let problem = format!("{}: the answer is {status}", self.shown());
            return Err(ActionError::error("HTTP003", problem).into());
        }
        if self.waits_for_callback {
            let callback = self.await_callback(context, begun)?;
            return self.called_back(context, &callback);
        }
        self.captured(context, "the answer", &content_type, &bytes)
    }

    fn ask(&self) -> Result<Response<ureq::Body>, WorkError> {
        let patience = Some(Duration::from_secs(self.timeout.max(1)));
        let agent: Agent = Agent::config_builder()
            .http_status_as_error(false)
            .user_agent("hpdlc")
            .timeout_resolve(patience)
            .timeout_connect(patience)
            .timeout_recv_response(patience)
            .timeout_recv_body(patience)
            .tls_config(tls::config())
            .build()
            .into();
        let answer = match &self.post {
            Some((content_type, body)) => agent
                .post(&self.url)
                .header(CONTENT_TYPE, content_type.trim())
                .send(body.as_bytes()),
            None => agent.get(&self.url).call(),
        };
        answer.map_err(|error| self.trouble(&error))
    }

    /// Maps an error by whether the request may have been sent.
    fn trouble(&self, error: &Error) -> WorkError {
        let problem = format!("{}: {error}", self.shown());
        let not_sent = |error: &io::Error| {
            matches!(
                error.kind(),
                io::ErrorKind::ConnectionRefused
                    | io::ErrorKind::HostUnreachable
                    | io::ErrorKind::NetworkUnreachable
                    | io::ErrorKind::AddrNotAvailable
            )
        };
        // The resolver's error has no kind of its own.
        let is_unknown = |error: &io::Error| error.to_string().contains("failed to lookup address");
        match error {
            Error::HostNotFound | Error::Timeout(Timeout::Resolve) => {
                ActionError::transient("HTTP001", problem).into()
            }
            Error::ConnectionFailed
            | Error::ConnectProxyFailed(_)
            | Error::Timeout(Timeout::Connect) => ActionError::transient("HTTP002", problem).into(),
            Error::Io(error) if is_unknown(error) => {
                ActionError::transient("HTTP001", problem).into()
            }
            Error::Io(error) if not_sent(error) => {
                ActionError::transient("HTTP002", problem).into()
            }
            Error::Io(_) | Error::Timeout(_) | Error::Protocol(_) => WorkError::Lost(format!(
                "{problem}; the request was sent, and its effect is not known"
            )),
            _ => ActionError::error("HTTP007", problem).into(),
        }
    }

    fn await_callback(
        &self,
        context: &WorkContext<'_>,
        begun: Instant,
    ) -> Result<Callback, WorkError> {
        let patience = Duration::from_secs(self.callback_timeout);
        loop {
            match Callback::of(context.attempt()) {
                Ok(Some(callback)) => return Ok(callback),
                Ok(None) if begun.elapsed() < patience => thread::sleep(LOOK_AGAIN),
                Ok(None) => {
                    let problem = format!(
                        "{}: its callback did not come in {} seconds (hpdl.http.callback.timeout)",
                        self.shown(),
                        self.callback_timeout
                    );
                    return Err(ActionError::error("HTTP006", problem).into());
                }
                Err(error) => return Err(WorkError::Lost(format!("the callback: {error}"))),
            }
        }
    }

    fn called_back(
        &self,
        context: &WorkContext<'_>,
        callback: &Callback,
    ) -> Result<WorkResult, WorkError> {
        if callback.state != "OK" {
            let problem = format!("{}: the callback says `{}`", self.shown(), callback.state);
            return Err(ActionError::error("HTTP005", problem).into());
        }
        let content_type = callback.content_type.as_deref().unwrap_or_default();
        if callback.body.is_empty() && content_type.is_empty() {
            // A GET has nothing to capture.
            return Ok(WorkResult::default());
        }
        self.captured(
            context,
            "the callback",
            content_type,
            callback.body.as_bytes(),
        )
    }

    fn captured(
        &self,
        context: &WorkContext<'_>,
        what: &str,
        content_type: &str,
        body: &[u8],
    ) -> Result<WorkResult, WorkError> {
        let output = context.attempt().stdout();
        let unreadable =
            |error: io::Error| WorkError::Lost(format!("{}: {error}", output.display()));
        fs::write(&output, body).map_err(unreadable)?;
        if !self.capture_output {
            return Ok(WorkResult::default());
        }
        let kind = content_type.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case(PROPERTIES) {
            let problem = format!(
                "{}: {what} cannot be captured: its content type is `{kind}` and not `{PROPERTIES}`",
                self.shown()
            );
            return Err(ActionError::error("HTTP004", problem).into());
        }
        let (data, warnings) = process_end::captured(context.attempt(), &output, self.max_output)
            .map_err(unreadable)??;
        Ok(WorkResult {
            data,
            warnings,
            ..WorkResult::default()
        })
    }

    /// The URL without its query, which may hold tokens, and without a password.
    fn shown(&self) -> String {
        shown(&self.url)
    }
}

/// A URL as messages may show it.
pub(super) fn shown(url: &str) -> String {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    match url.split_once("://") {
        Some((scheme, rest)) => {
            let end = rest.find('/').unwrap_or(rest.len());
            let (authority, path) = rest.split_at(end);
            let host = authority.rsplit('@').next().unwrap_or_default();
            format!("{scheme}://{host}{path}")
        }
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn messages_show_neither_passwords_nor_queries() {
        for (url, expected) in [
            ("http://ann:secret@host:81/a?token=x#y", "http://host:81/a"),
            ("https://host", "https://host"),
            ("nothing", "nothing"),
        ] {
            assert_eq!(shown(url), expected);
        }
    }
}
