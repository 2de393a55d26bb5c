//! The settings of the site: the value of each, where it comes from, and what it means.

use axum::http::Method;
use hpdlc_runtime::fleet;
use serde_json::{Value, json};

use crate::serve::{
    admin as api,
    call::Call,
    console::{admin, page},
    reply::Reply,
};

/// The choices of the filter for origins.
const ORIGINS: [(&str, &str); 3] = [
    ("", "all origins"),
    ("site", "site's file"),
    ("built-in", "built-in"),
];
/// Variables that hpdl and its executables read.
const VARIABLES: [&str; 10] = [
    "HPDL_HOME",
    "HPDL_SITE",
    "HPDL_URL",
    "HADOOP_CONF_DIR",
    "XDG_STATE_HOME",
    "PATH",
    "TZ",
    "NO_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
];

/// `settings?q=&origin=`
pub(crate) fn settings(call: &Call) -> Reply {
    call.expect_method(&[Method::GET, Method::HEAD])?;
    let text = |name: &str| call.parameters.filled(name).unwrap_or_default().trim();
    let (q, origin) = (text("q"), text("origin"));
    let all = fleet::settings_json(&call.server.session)?;
    let all = all.as_array().map(Vec::as_slice).unwrap_or_default();
    let words: Vec<String> = q.split_whitespace().map(str::to_lowercase).collect();
    let rows: Vec<Value> = all
        .iter()
        .filter(|it| fits(it, &words) && (origin.is_empty() || it["origin"] == *origin))
        .map(|it| {
            json!({
                "name": it["name"],
                "value": it["value"],
                "origin": it["origin"],
                "place": it["place"],
                "is_site": it["origin"] == "site",
                "built_in": (it["value"] != it["built_in"]).then(|| it["built_in"].clone()),
                "scope": scope(it["scope"].as_str().unwrap_or_default()),
                "meaning": it["meaning"],
                "has_no_effect": it["scope"] == "none",
            })
        })
        .collect();
    let given = |name: &str| all.iter().filter(|it| it["origin"] == *name).count();
    let environment = api::environment().0;
    let variables: Vec<Value> = VARIABLES
        .iter()
        .map(|name| json!({ "name": name, "value": environment.get(*name) }))
        .collect();
    let origins: Vec<Value> = ORIGINS
        .iter()
        .map(|(value, name)| json!({ "value": value, "name": name, "chosen": *value == origin }))
        .collect();
    let values = json!({
        "tabs": admin::tabs(call, "settings"),
        "action": admin::address(call, "settings"),
        "q": q,
        "origins": origins,
        "rows": rows,
        "n_all": all.len(),
        "n_site": given("site"),
        "is_filtered": !(q.is_empty() && origin.is_empty()),
        "variables": variables,
        "options": options(call),
    });
    page::html(call, admin::frame(call, "Settings"), "settings", &values)
}

/// Whether a setting has all words, in its name, its value or its meaning.
fn fits(setting: &Value, words: &[String]) -> bool {
    let parts = ["name", "value", "meaning"].map(|part| setting[part].as_str().unwrap_or_default());
    let all = parts.join(" ").to_lowercase();
    words.iter().all(|word| all.contains(word))
}

/// Who may set it.
fn scope(scope: &str) -> &'static str {
    match scope {
        "job" => "site and job",
        "job only" => "job only",
        "site only" => "site only",
        _ => "nobody",
    }
}

/// What the command line of this server decided.
fn options(call: &Call) -> Vec<Value> {
    let server = &call.server;
    [
        ("URL", server.url.clone()),
        ("--base", server.base.clone()),
        ("--auth", server.access.mode.name().to_owned()),
    ]
    .map(|(name, value)| json!({ "name": name, "value": value }))
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_searched_in_name_value_and_meaning() {
        let setting = json!({ "name": "hpdl.kill.grace", "value": "10", "meaning": "Seconds between signals" });
        for (words, expected) in [
            (&["kill", "seconds"][..], true),
            (&["10"], true),
            (&["kill", "minutes"], false),
            (&[], true),
        ] {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(fits(&setting, &words), expected, "{words:?}");
        }
    }
}
