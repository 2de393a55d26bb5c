//! An application, as the resource manager shows it.

use serde_json::Value;

/// An application, as reported by the resource manager.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct YarnApplication {
    pub id: String,
    /// The framework: `MAPREDUCE`, `TEZ`, `SPARK`; empty if unknown.
    pub framework: String,
    pub end: Option<ApplicationEnd>,
    /// It has not begun: it waits for its container.
    pub is_waiting: bool,
    /// The cluster's message about its end, or about what it waits for.
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

pub(super) fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

pub(super) fn has_tag(app: &Value, tag: &str) -> bool {
    let tags = app["applicationTags"].as_str().unwrap_or_default();
    tags.split(',').any(|known| known.trim() == tag)
}

pub(super) fn application(app: &Value) -> YarnApplication {
    const BEFORE_ITS_CONTAINER: [&str; 4] = ["NEW", "NEW_SAVING", "SUBMITTED", "ACCEPTED"];
    YarnApplication {
        id: text(app, "id"),
        framework: text(app, "applicationType"),
        end: end(
            app["state"].as_str().unwrap_or_default(),
            app["finalStatus"].as_str().unwrap_or_default(),
        ),
        is_waiting: BEFORE_ITS_CONTAINER.contains(&app["state"].as_str().unwrap_or_default()),
        diagnostics: text(app, "diagnostics"),
        url: text(app, "trackingUrl"),
    }
}

/// The result of state and final status; for a job of the history server, of its state alone.
pub(super) fn end(state: &str, status: &str) -> Option<ApplicationEnd> {
    match (state, status) {
        ("FINISHED", "SUCCEEDED") | ("SUCCEEDED", _) => Some(ApplicationEnd::Succeeded),
        ("KILLED", _) | ("FINISHED", "KILLED") => Some(ApplicationEnd::Killed),
        ("FAILED" | "ERROR", _) | ("FINISHED", _) => Some(ApplicationEnd::Failed),
        _ => None,
    }
}
