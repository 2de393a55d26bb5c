//! The properties that an application reads: its executable tells them.

use hpdlc_core::secrets::{MASK, is_secret_name};
use hpdlc_engine::owner::Session;
use hpdlc_store::query::DefinitionRow;

use crate::{
    api::hws::ApplicationParameter,
    serve::{failure::Failure, program},
};

/// The parameters of a definition; the defaults of secrets are masked.
///
/// # Errors
///
/// The executable is gone, is a program of somebody's own, or is older than this server.
pub(crate) fn of(
    session: &Session,
    definition: &DefinitionRow,
) -> Result<Vec<ApplicationParameter>, Failure> {
    let words = program::words(["params", "--json"]);
    let printed = program::of_definition(session, definition, &words)?;
    let read: Result<Vec<ApplicationParameter>, _> = serde_json::from_slice(&printed);
    let mut all = read.map_err(|error| {
        Failure::server(format!("the parameters of {}: {error}", definition.app))
    })?;
    for parameter in &mut all {
        if parameter.default.is_some() && is_secret_name(&parameter.name) {
            parameter.default = Some(MASK.to_owned());
        }
    }
    Ok(all)
}
