//! Sends requests, and reads answers.

use std::{
    fmt::{self, Display},
    io::{BufRead, BufReader, Lines, Read},
    time::Duration,
};

use form_urlencoded::Serializer;
use hpdlc_network::tls;
use serde::de::DeserializeOwned;
use ureq::{
    Agent, Body,
    http::{Method, Request, Response},
};

use crate::{
    api::{
        command::{self, CommandOutput, CommandRequest},
        job::ErrorAnswer,
    },
    client::ClientError,
};

/// How long a connection and the head of an answer may take. The body may take as long as it likes.
const PATIENCE: Duration = Duration::from_secs(30);

/// The longest text of an error that is read.
const MOST_OF_ERROR: u64 = 64 << 10;

/// The longest other answer that is read as a whole.
const MOST_BYTES: u64 = 256 << 20;

/// A server of jobs, and who calls it.
#[derive(Clone)]
pub struct Client {
    agent: Agent,
    url: String,
    token: Option<String>,
    user: Option<String>,
}

impl fmt::Debug for Client {
    /// Without the token.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("url", &self.url)
            .field("user", &self.user)
            .field("has_token", &self.token.is_some())
            .finish_non_exhaustive()
    }
}

/// The body of a request, and its type.
pub(super) type Sent<'a> = Option<(&'a str, String)>;

impl Client {
    /// A client of the server at a URL with its base, such as `http://localhost:11000/oozie`. Nothing is sent yet.
    ///
    /// # Errors
    ///
    /// [`ClientError::Url`] if it is not one of HTTP.
    pub fn new(url: &str) -> Result<Client, ClientError> {
        let url = url.trim().trim_end_matches('/');
        let is_http = url.starts_with("http://") || url.starts_with("https://");
        if !is_http || url.contains(['?', '#']) || url.parse::<ureq::http::Uri>().is_err() {
            return Err(ClientError::Url(url.to_owned()));
        }
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .user_agent("hpdl")
            .timeout_connect(Some(PATIENCE))
            .timeout_recv_response(Some(PATIENCE))
            .tls_config(tls::config())
            .build();
        Ok(Client {
            agent: agent.into(),
            url: url.to_owned(),
            token: None,
            user: None,
        })
    }

    /// Sends a token of `hpdl token new` with all requests.
    #[must_use]
    pub fn with_token(self, token: impl Into<String>) -> Client {
        Client {
            token: Some(token.into()),
            ..self
        }
    }

    /// Says who calls, for servers with simple authentication; a token says it itself.
    #[must_use]
    pub fn with_user(self, user: impl Into<String>) -> Client {
        Client {
            user: Some(user.into()),
            ..self
        }
    }

    /// The URL of the server, without a slash at its end.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Has the server run a command of `hpdl` on its state folder. With `reads` it is a GET, for commands that change nothing; then there may
    /// be neither files nor properties.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] if the server does not run it. How the command ends is the last of its outputs.
    pub fn command(&self, request: &CommandRequest, reads: bool) -> Result<Output, ClientError> {
        let is_short = request.files.is_empty() && request.properties.is_empty();
        let answer = if reads && is_short {
            let color = request.color.to_string();
            let arguments = request.arguments.iter();
            let mut query: Vec<(&str, &str)> =
                arguments.map(|word| ("arg", word.as_str())).collect();
            query.push(("color", &color));
            query.extend(request.time_zone.as_deref().map(|zone| ("tz", zone)));
            self.send(&Method::GET, &self.below(command::PATH), &query, None)?
        } else {
            let body = serde_json::to_string(request)
                .map_err(|error| ClientError::Unreadable(error.to_string()))?;
            let body = Some(("application/json", body));
            self.send(&Method::POST, &self.below(command::PATH), &[], body)?
        };
        Ok(Output {
            lines: BufReader::new(Box::new(answer.into_body().into_reader()) as Box<dyn Read>)
                .lines(),
            has_ended: false,
        })
    }

    /// The URL of a path below the base.
    pub(super) fn below(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    /// The URL of a path of the server, whatever its base is.
    pub(super) fn at_root(&self, path: &str) -> String {
        let after_scheme = self.url.find("://").map_or(0, |at| at + 3);
        let end = self.url[after_scheme..].find('/');
        let end = end.map_or(self.url.len(), |at| after_scheme + at);
        format!("{}{path}", &self.url[..end])
    }

    /// Sends a request.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] unless the status is below 300.
    pub(super) fn send(
        &self,
        method: &Method,
        url: &str,
        query: &[(&str, &str)],
        body: Sent<'_>,
    ) -> Result<Response<Body>, ClientError> {
        let failed =
            |error: &dyn Display| ClientError::Unreachable(format!("{}: {error}", self.url));
        let mut written = Serializer::new(String::new());
        if let Some(user) = self.user.as_ref().filter(|_| self.token.is_none()) {
            written.append_pair("user.name", user);
        }
        for (name, value) in query {
            written.append_pair(name, value);
        }
        let written = written.finish();
        let url = match written.as_str() {
            "" => url.to_owned(),
            written => format!("{url}?{written}"),
        };
        let mut request = Request::builder().method(method).uri(url);
        if let Some(token) = &self.token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        let answer = match body {
            Some((content_type, body)) => {
                let request = request.header("Content-Type", content_type).body(body);
                self.agent.run(request.map_err(|error| failed(&error))?)
            }
            None => {
                let request = request.body(());
                self.agent.run(request.map_err(|error| failed(&error))?)
            }
        };
        let answer = answer.map_err(|error| failed(&error))?;
        match answer.status().as_u16() {
            ..300 => Ok(answer),
            _ => Err(refused(answer)),
        }
    }

    /// The text of an answer.
    pub(super) fn text(
        &self,
        method: &Method,
        url: &str,
        query: &[(&str, &str)],
        body: Sent<'_>,
    ) -> Result<String, ClientError> {
        let answer = self.send(method, url, query, body)?;
        let body = answer.into_body().into_with_config().limit(MOST_BYTES);
        body.read_to_string()
            .map_err(|error| ClientError::Unreachable(format!("{}: {error}", self.url)))
    }

    /// The object of an answer.
    pub(super) fn json<T: DeserializeOwned>(
        &self,
        method: &Method,
        url: &str,
        query: &[(&str, &str)],
        body: Sent<'_>,
    ) -> Result<T, ClientError> {
        let text = self.text(method, url, query, body)?;
        serde_json::from_str(&text)
            .map_err(|error| ClientError::Unreadable(format!("{}: {error}", self.url)))
    }

    /// The object at a path of version 2.
    pub(super) fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, &str)],
    ) -> Result<T, ClientError> {
        self.json(
            &Method::GET,
            &self.below(&format!("/v2{path}")),
            query,
            None,
        )
    }
}

/// What a server says of a request that it does not do.
fn refused(answer: Response<Body>) -> ClientError {
    let status = answer.status();
    let header = |name: &str| {
        let value = answer.headers().get(name)?;
        Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
    };
    let (code, message) = (header("oozie-error-code"), header("oozie-error-message"));
    let message = message.unwrap_or_else(|| {
        let body = answer.into_body().into_with_config().limit(MOST_OF_ERROR);
        let text = body.read_to_string().unwrap_or_default();
        said(&text).unwrap_or_else(|| status.to_string())
    });
    ClientError::Refused {
        status: status.as_u16(),
        code,
        message,
    }
}

/// The message in the body of a failure, of either API.
fn said(text: &str) -> Option<String> {
    let of_oozie = serde_json::from_str::<ErrorAnswer>(text);
    let of_hws = || serde_json::from_str::<crate::api::hws::HwsProblem>(text);
    match of_oozie {
        Ok(answer) => Some(answer.error_message),
        Err(_) => of_hws().ok().map(|problem| problem.error.message),
    }
}

/// What a command prints, as it prints it. The last one is [`CommandOutput::Exit`].
pub struct Output {
    lines: Lines<BufReader<Box<dyn Read>>>,
    has_ended: bool,
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output")
            .field("has_ended", &self.has_ended)
            .finish_non_exhaustive()
    }
}

impl Iterator for Output {
    type Item = Result<CommandOutput, ClientError>;

    /// An answer that ends without an exit code has broken off, which is [`ClientError::Unreachable`].
    fn next(&mut self) -> Option<Result<CommandOutput, ClientError>> {
        if self.has_ended {
            return None;
        }
        let broken =
            |why: &dyn Display| ClientError::Unreachable(format!("the answer broke off: {why}"));
        let output = match self.lines.next() {
            None => Err(broken(&"its end is missing")),
            Some(Err(error)) => Err(broken(&error)),
            Some(Ok(line)) => serde_json::from_str(&line).map_err(|error| broken(&error)),
        };
        self.has_ended = matches!(output, Err(_) | Ok(CommandOutput::Exit(_)));
        Some(output)
    }
}

/// An id as a part of a path.
pub(super) fn segment(text: &str) -> String {
    // A blank of a query is a plus.
    form_urlencoded::byte_serialize(text.as_bytes())
        .collect::<String>()
        .replace('+', "%20")
}
