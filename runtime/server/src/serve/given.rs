//! The properties in the body of a request: a Hadoop configuration.

use std::collections::BTreeMap;

use hpdlc_core::configuration;

use crate::serve::{call::Call, failure::Failure};

pub(crate) type Properties = BTreeMap<String, String>;

/// The properties, with the caller's name where the server knows it.
///
/// # Errors
///
/// 500 without a code if the body is no configuration, as `XConfiguration` makes Oozie answer.
pub(crate) fn properties(call: &Call) -> Result<Properties, Failure> {
    let text = std::str::from_utf8(&call.body)
        .map_err(|error| Failure::server(format!("the body is not UTF-8: {error}")))?;
    if text.contains("<!DOCTYPE") {
        return Err(Failure::server("a DOCTYPE is not allowed in the body"));
    }
    let parsed = configuration::parse(text)
        .map_err(|error| Failure::server(format!("the body is no configuration: {error}")))?;
    let trimmed = parsed.to_map().into_iter();
    let mut properties: Properties = trimmed
        .map(|(name, value)| (name, value.trim().to_owned()))
        .collect();
    if let Some(user) = &call.user {
        properties.insert("user.name".to_owned(), user.clone());
    }
    Ok(properties)
}
