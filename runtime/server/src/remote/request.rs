//! Sends a command to a server, and prints its answer as it arrives.

use std::{
    io::{self, BufRead, BufReader, Write},
    time::Duration,
};

use form_urlencoded::Serializer;
use hpdlc_host::{exit::RunError, user};
use hpdlc_network::tls;
use ureq::{Agent, Body, http::Response};

use crate::remote::exchange::{CommandOutput, CommandRequest, PATH};

/// How long a connection and the head of an answer may take. The command itself may take as long as it likes.
const PATIENCE: Duration = Duration::from_secs(30);

/// The longest text of an error that is shown.
const MOST_BYTES: u64 = 64 << 10;

/// A server.
#[derive(Debug)]
pub(crate) struct Client {
    agent: Agent,
    url: String,
    token: Option<String>,
}

impl Client {
    /// # Errors
    ///
    /// Exit 2 if `url` is not one of HTTP.
    pub(crate) fn new(url: &str, token: Option<String>) -> Result<Client, RunError> {
        let url = url.trim().trim_end_matches('/');
        if !url.starts_with("http://") && !url.starts_with("https://") {
            return Err(RunError::usage(format!("{url} is not the URL of a server"))
                .with_help("such as http://localhost:11000/oozie, which `hpdl serve` prints"));
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
            token,
        })
    }

    /// Prints what the command prints; its exit code.
    ///
    /// # Errors
    ///
    /// Exit 2 if the server refuses it, exit 5 if it cannot be reached, fails, or its answer breaks off.
    pub(crate) fn run(&self, request: &CommandRequest, reads: bool) -> Result<u8, RunError> {
        let answer = self.send(request, reads)?;
        if answer.status().as_u16() != 200 {
            return Err(self.refused(answer));
        }
        let lines = BufReader::new(answer.into_body().into_reader()).lines();
        for line in lines {
            let broken = |error: &dyn std::fmt::Display| {
                RunError::machine(format!("{}: the answer broke off: {error}", self.url))
            };
            let line = line.map_err(|error| broken(&error))?;
            let output = serde_json::from_str(&line).map_err(|error| broken(&error))?;
            let printed = match output {
                CommandOutput::Out(text) => write(&mut io::stdout().lock(), &text),
                CommandOutput::Err(text) => write(&mut io::stderr().lock(), &text),
                CommandOutput::Exit(code) => return Ok(code),
            };
            // Nobody reads any more.
            if printed.is_err() {
                return Ok(0);
            }
        }
        Err(RunError::machine(format!(
            "{}: the answer broke off; whether the command was carried out, `hpdl info` and `hpdl audit` say",
            self.url
        )))
    }

    fn send(&self, request: &CommandRequest, reads: bool) -> Result<Response<Body>, RunError> {
        let mut query = Serializer::new(String::new());
        if self.token.is_none() {
            query.append_pair("user.name", &user::name());
        }
        let is_short = request.files.is_empty() && request.properties.is_empty();
        let authorization = self.token.as_ref().map(|token| format!("Bearer {token}"));
        let answer = if reads && is_short {
            for argument in &request.arguments {
                query.append_pair("arg", argument);
            }
            query.append_pair("color", &request.color.to_string());
            if let Some(zone) = &request.time_zone {
                query.append_pair("tz", zone);
            }
            let mut call = self.agent.get(self.at(&query.finish()));
            if let Some(authorization) = authorization {
                call = call.header("Authorization", authorization);
            }
            call.call()
        } else {
            let body = serde_json::to_string(request)
                .map_err(|error| RunError::machine(error.to_string()))?;
            let mut call = self.agent.post(self.at(&query.finish()));
            if let Some(authorization) = authorization {
                call = call.header("Authorization", authorization);
            }
            call.header("Content-Type", "application/json").send(body)
        };
        answer.map_err(|error| {
            RunError::machine(format!("{}: {error}", self.url))
                .with_help("`hpdl serve` starts a server, and prints its URL")
        })
    }

    fn at(&self, query: &str) -> String {
        format!("{}{PATH}?{query}", self.url)
    }

    /// The message of an answer without the output of a command.
    fn refused(&self, answer: Response<Body>) -> RunError {
        let status = answer.status();
        let header = answer.headers().get("oozie-error-message");
        let message = header.map(|it| String::from_utf8_lossy(it.as_bytes()).into_owned());
        let message = message.unwrap_or_else(|| {
            let body = answer.into_body().into_with_config().limit(MOST_BYTES);
            let text = body.read_to_string().unwrap_or_default();
            let json: Option<serde_json::Value> = serde_json::from_str(&text).ok();
            let of_json = json.and_then(|json| Some(json["message"].as_str()?.to_owned()));
            of_json.unwrap_or_else(|| status.to_string())
        });
        let message = format!("{}: {message}", self.url);
        match status.as_u16() {
            401 | 403 => {
                RunError::usage(message).with_help("a token is given in the variable HPDL_TOKEN")
            }
            404 => RunError::usage(message)
                .with_help("the URL ends with the base of the server, such as /oozie"),
            400..500 => RunError::usage(message),
            _ => RunError::machine(message),
        }
    }
}

fn write(to: &mut dyn Write, text: &str) -> io::Result<()> {
    to.write_all(text.as_bytes())?;
    to.flush()
}
