//! Credentials: which of them an action gets, and names that nothing defines.
//!
//! Like `JavaActionExecutor`: names are compared case-insensitively, a name that is missing from the `credentials` section
//! is an error when the action starts, and without any section `cred` has no effect (trap T59 of the semantics reference).
//! Types without a launcher ignore `cred`.

use crate::{
    analysis::similar_names::SimilarNames,
    diagnostics::{Code, Sink, nearest},
    lints::{
        ignored_credentials::{IgnoredBecause, IgnoredCredentials},
        misspelt_credential_types::MisspeltCredentialType,
    },
    model::{Action, Credential, Property, WorkflowApp},
};

mod undefined_credential;

use self::undefined_credential::UndefinedCredential;

pub static CODES: &[&Code] = &[&undefined_credential::CODE];

/// The property by which a job, a workflow or an action opts out of credentials.
const SKIP: &str = "oozie.credentials.skip";

/// Reports names in `cred` that are not defined, and those that are ignored.
pub(crate) fn check(app: &WorkflowApp, sink: &mut Sink) {
    let sections = app.credentials.iter();
    for credential in sections.flat_map(|credentials| &credentials.list) {
        if let Some(found) = misspelt_type(credential) {
            sink.emit(found);
        }
    }
    let mut similar_names = SimilarNames::default();
    for (node, action) in app.actions() {
        let (Some(first), Some(last)) = (action.credentials.first(), action.credentials.last())
        else {
            continue;
        };
        let ignored_because = if !action.kind.has_launcher() {
            Some(IgnoredBecause::Type(action.kind.name().to_owned()))
        } else if app.credentials.is_none() {
            Some(IgnoredBecause::NoSection)
        } else {
            None
        };
        if let Some(because) = ignored_because {
            sink.emit(IgnoredCredentials {
                action: node.name.value.clone(),
                because,
                place: first.span.to(last.span),
            });
            continue;
        }
        if is_skipped(app, action) {
            continue;
        }
        let Some(credentials) = &app.credentials else {
            continue;
        };
        for name in &action.credentials {
            if credentials.named(&name.value).is_none() {
                let names = credentials
                    .list
                    .iter()
                    .map(|credential| credential.name.value.as_str());
                sink.emit(UndefinedCredential {
                    similar: similar_names.nearest(name.value.trim(), names.clone()),
                    trimmed: credentials
                        .named(name.value.trim())
                        .map(|credential| credential.name.value.clone()),
                    section: credentials.span,
                    name: name.clone(),
                });
            }
        }
    }
}

/// The type, if the properties are those of another one with nearly the same name, or if it is a known one with a slip.
fn misspelt_type(credential: &Credential) -> Option<MisspeltCredentialType> {
    /// The types that Oozie has providers for, and how the names of their properties begin.
    const TYPES: [(&str, &str); 6] = [
        ("hcat", "hcat."),
        ("hive2", "hive2."),
        ("hbase", "hbase."),
        ("filesystem", "filesystem."),
        ("yarnRM", ""),
        ("jhs", ""),
    ];
    let written = credential.r#type.value.as_str();
    if written.is_empty() || TYPES.iter().any(|(name, _)| *name == written) {
        return None;
    }
    let has_properties = |prefix: &str| {
        let mut names = credential
            .properties
            .iter()
            .filter_map(|property| property.name.literal());
        !prefix.is_empty() && names.any(|name| name.trim().starts_with(prefix))
    };
    let folded = written.to_ascii_lowercase();
    let is_near = |name: &str| {
        // `hive` and `cbhcat` may be types of the site's own.
        let is_slip = written != "hive"
            && written.as_bytes().first() == name.as_bytes().first()
            && written.len().abs_diff(name.len()) < 2
            && nearest(written, [name]).is_some();
        written.eq_ignore_ascii_case(name) || is_slip
    };
    let begins_alike = |name: &str| {
        let length = name.len().min(4);
        folded.get(..length) == name.to_ascii_lowercase().get(..length)
    };
    let (meant, _) = TYPES
        .into_iter()
        .find(|(name, prefix)| is_near(name) || has_properties(prefix) && begins_alike(name))?;
    Some(MisspeltCredentialType {
        written: written.to_owned(),
        place: credential.r#type.span,
        meant,
    })
}

/// The credentials that `action` uses: Oozie sets their properties in its configuration and fetches tokens with them.
pub(crate) fn wanted<'a>(app: &'a WorkflowApp, action: &Action) -> Vec<&'a Credential> {
    let Some(credentials) = &app.credentials else {
        return Vec::new();
    };
    if !action.kind.has_launcher() || is_skipped(app, action) {
        return Vec::new();
    }
    action
        .credentials
        .iter()
        .filter_map(|name| credentials.named(&name.value))
        .collect()
}

/// Whether the action's configuration opts out of credentials. The properties of one job are not considered: those of the
/// next may differ.
fn is_skipped(app: &WorkflowApp, action: &Action) -> bool {
    let own = action
        .kind
        .settings()
        .map_or(&[][..], |settings| &settings.configuration.properties);
    let global = app
        .global
        .as_ref()
        .map_or(&[][..], |global| &global.configuration.properties);
    let layers: [&[Property]; 3] = [&app.config_default, global, own];
    layers
        .into_iter()
        .flatten()
        .rfind(|property| property.name.literal() == Some(SKIP))
        .is_some_and(|property| property.value.literal().map(str::trim) == Some("true"))
}

#[cfg(test)]
mod tests;
