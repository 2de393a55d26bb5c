//! The WebDriver protocol (W3C), as far as these tests need it: JSON over HTTP to chromedriver.
//!
//! The crates for it change other programs of this workspace, or bring a second HTTP client: thirtyfour has objects of `serde_json` keep
//! their order, for the server under test, too, and users' servers do not.

use std::{fmt, time::Duration};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use ureq::Agent;

/// Longer than chromedriver lets a page load or a script run.
const MOST: Duration = Duration::from_secs(330);
/// The member that an element has in JSON.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// What chromedriver says instead of a value.
#[derive(Debug)]
pub struct Refused(String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

pub type Answer = Result<Value, Refused>;

/// A browser that chromedriver has started.
#[derive(Debug)]
pub struct Session {
    agent: Agent,
    /// Its URL.
    url: String,
}

/// An element of the current page.
#[derive(Clone, Debug)]
pub struct Element(String);

/// A tab.
#[derive(Clone, Debug)]
pub struct Tab(String);

impl Session {
    /// Starts a browser with these capabilities.
    pub fn start(port: u16, capabilities: &Value) -> Result<Session, Refused> {
        let agent = Agent::config_builder()
            .timeout_global(Some(MOST))
            .http_status_as_error(false)
            .build()
            .new_agent();
        let driver = format!("http://127.0.0.1:{port}/session");
        let wanted = json!({ "capabilities": { "alwaysMatch": capabilities } });
        let started = post(&agent, &driver, &wanted)?;
        let id = started["sessionId"].as_str().unwrap_or_default();
        Ok(Session {
            url: format!("{driver}/{id}"),
            agent,
        })
    }

    /// Ends the browser.
    pub fn quit(&self) {
        // It may have died, which the test says.
        drop(self.agent.delete(&self.url).call());
    }

    /// A command without an answer that matters, or with one.
    pub fn post(&self, command: &str, body: &Value) -> Answer {
        post(&self.agent, &format!("{}/{command}", self.url), body)
    }

    pub fn get(&self, command: &str) -> Answer {
        let url = format!("{}/{command}", self.url);
        value(self.agent.get(&url).call())
    }

    /// What a body of a function returns, or gives to its last argument if it is `async`.
    pub fn execute(&self, kind: &str, body: &str, arguments: &[Value]) -> Answer {
        let script = json!({ "script": body, "args": arguments });
        self.post(&format!("execute/{kind}"), &script)
    }

    pub fn find_all(&self, selector: &str) -> Result<Vec<Element>, Refused> {
        let using = json!({ "using": "css selector", "value": selector });
        let found = self.post("elements", &using)?;
        let found = found.as_array().into_iter().flatten();
        let ids = found.filter_map(|element| element[ELEMENT].as_str());
        Ok(ids.map(|id| Element(id.to_owned())).collect())
    }

    pub fn find(&self, selector: &str) -> Result<Element, Refused> {
        let first = self.find_all(selector)?.into_iter().next();
        first.ok_or_else(|| Refused(format!("there is no {selector}")))
    }

    pub fn text(&self, element: &Element) -> Result<String, Refused> {
        let text = self.get(&format!("element/{}/text", element.0))?;
        Ok(text.as_str().unwrap_or_default().to_owned())
    }

    /// Whether it belongs to the page that is shown.
    pub fn is_shown(&self, element: &Element) -> bool {
        self.get(&format!("element/{}/name", element.0)).is_ok()
    }

    /// `click`, `clear`, or `value` with keys.
    pub fn act(&self, element: &Element, what: &str, body: &Value) -> Result<(), Refused> {
        self.post(&format!("element/{}/{what}", element.0), body)
            .map(drop)
    }

    /// The messages of a log of chromedriver since the last call.
    pub fn log(&self, kind: &str) -> Result<Vec<Value>, Refused> {
        let entries = self.post("se/log", &json!({ "type": kind }))?;
        Ok(entries.as_array().cloned().unwrap_or_default())
    }

    /// A command of the protocol of the developer tools.
    pub fn tools(&self, command: &str, parameters: &Value) -> Answer {
        let call = json!({ "cmd": command, "params": parameters });
        self.post("goog/cdp/execute", &call)
    }

    /// What is seen, as PNG.
    pub fn screenshot(&self) -> Result<Vec<u8>, Refused> {
        let text = self.get("screenshot")?;
        let bytes = BASE64_STANDARD.decode(text.as_str().unwrap_or_default());
        bytes.map_err(|error| Refused(error.to_string()))
    }

    pub fn new_tab(&self) -> Result<Tab, Refused> {
        let tab = self.post("window/new", &json!({ "type": "tab" }))?;
        Ok(Tab(tab["handle"].as_str().unwrap_or_default().to_owned()))
    }

    pub fn switch(&self, tab: &Tab) -> Result<(), Refused> {
        self.post("window", &json!({ "handle": tab.0 })).map(drop)
    }
}

fn post(agent: &Agent, url: &str, body: &Value) -> Answer {
    let call = agent.post(url).header("content-type", "application/json");
    value(call.send(body.to_string()))
}

fn value(answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Answer {
    let failed = |error: ureq::Error| Refused(error.to_string());
    let mut answer = answer.map_err(failed)?;
    let is_done = answer.status().is_success();
    let body = answer.body_mut().with_config().limit(1 << 30);
    let text = body.read_to_string().map_err(failed)?;
    let mut answer: Value =
        serde_json::from_str(&text).map_err(|error| Refused(format!("{error}: {text}")))?;
    let value = answer["value"].take();
    match is_done {
        true => Ok(value),
        false => Err(Refused(format!(
            "{}: {}",
            value["error"].as_str().unwrap_or_default(),
            value["message"].as_str().unwrap_or_default()
        ))),
    }
}
