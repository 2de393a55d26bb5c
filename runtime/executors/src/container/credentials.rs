//! The tokens that a container gets where Kerberos proves who its user is: for the file system and for the resource manager.
//!
//! They are made at submission and stored nowhere. The resource manager renews them, and cancels them at the end of the application.

use std::io;

use hpdlc_files::{AccessSettings, hosts::Hosts, kerberos};
use serde_json::{Value, json};

use super::{NEVER_CANCELED, staging::Staging};
use crate::tool::yarn::{Yarn, delegation};

/// The application with the tokens of its container, if its cluster asks for any.
///
/// # Errors
///
/// The resource manager or the file system gives none.
pub(super) fn with_tokens(
    application: &Value,
    yarn: &Yarn,
    staging: &Staging<'_>,
    access: &AccessSettings,
) -> io::Result<Value> {
    let mut application = application.clone();
    if !kerberos::is_asked_by(access) {
        return Ok(application);
    }
    let renewer = yarn.principal()?;
    let hosts = Hosts::new(access, &NEVER_CANCELED);
    let mut tokens = delegation::of_hdfs(&hosts, staging.system_name(), &renewer)?;
    tokens.push(yarn.token(&renewer)?);
    put(&mut application, tokens);
    Ok(application)
}

/// Adds tokens, each with its service, which distinguishes it from the others.
fn put(application: &mut Value, tokens: Vec<(String, String)>) {
    let tokens = tokens.into_iter();
    let entries: Vec<Value> = tokens
        .map(|(service, text)| json!({ "key": service, "value": text }))
        .collect();
    application["am-container-spec"]["credentials"] = json!({
        "tokens": { "entry": entries },
        "secrets": { "entry": [] },
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cluster_that_asks_for_nothing_gives_no_tokens() {
        let access = AccessSettings {
            properties: [("hadoop.security.authentication", "simple")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            ..AccessSettings::default()
        };
        assert!(!kerberos::is_asked_by(&access));
        let mut application = json!({ "am-container-spec": { "commands": {} } });
        put(&mut application, vec![("ip:1".to_owned(), "x".to_owned())]);
        let spec = &application["am-container-spec"];
        assert!(spec["commands"].is_object());
        let entry = &spec["credentials"]["tokens"]["entry"][0];
        assert_eq!(*entry, json!({ "key": "ip:1", "value": "x" }));
    }
}
