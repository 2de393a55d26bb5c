//! What the pages of the administration share: their navigation.

use serde_json::{Value, json};

use crate::serve::{call::Call, console::page::Frame};

/// The section that the pages belong to.
const SECTION: &str = "console/about";
/// The pages: the last part of the path, and the name.
const PAGES: [(&str, &str); 5] = [
    ("about", "About"),
    ("settings", "Settings"),
    ("doctor", "Doctor"),
    ("audit", "Audit"),
    ("tokens", "Tokens"),
];

pub(crate) fn address(call: &Call, page: &str) -> String {
    format!("{}/console/{page}", call.server.base)
}

pub(crate) fn tabs(call: &Call, current: &str) -> Vec<Value> {
    PAGES
        .iter()
        .map(|(page, name)| {
            json!({
                "href": address(call, page),
                "name": name,
                "current": *page == current,
            })
        })
        .collect()
}

pub(crate) fn frame(call: &Call, title: &str) -> Frame {
    Frame::new(title, SECTION).below("Administration", address(call, "about"))
}
