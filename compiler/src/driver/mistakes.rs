//! The driver's own diagnostics about the user's input: files that are missing, too large or of an unsupported kind. One
//! file per message, as in every room.

use crate::diagnostics::{Code, Diagnostic, Level, Lint, Rule};

pub(crate) mod application_too_large;
pub(crate) mod byte_order_marks;
pub(crate) mod embedded_secrets;
pub(crate) mod endless_sub_workflows;
pub(crate) mod invalid_archive;
pub(crate) mod invalid_extension;
pub(crate) mod invalid_job_configuration;
pub(crate) mod invalid_properties_file;
pub(crate) mod invalid_rust;
pub(crate) mod invalid_settings;
pub(crate) mod missing_files;
pub(crate) mod no_application;
pub(crate) mod remote_application;
pub(crate) mod skipped_files;
pub(crate) mod suspicious_properties;
pub(crate) mod unknown_settings;
pub(crate) mod unlinked_functions;
pub(crate) mod unreadable_file;
pub(crate) mod unrendered_templates;
pub(crate) mod unresolved_includes;
pub(crate) mod unresolved_sub_workflows;
pub(crate) mod unresolved_workflows;

/// The codes about files as such.
pub static CODES: &[&Code] = &[
    &unreadable_file::CODE,
    &no_application::CODE,
    &remote_application::CODE,
    &application_too_large::CODE,
    &invalid_properties_file::CODE,
    &invalid_job_configuration::CODE,
    &invalid_settings::CODE,
    &invalid_archive::CODE,
    &invalid_rust::CODE,
    &invalid_extension::CODE,
];

/// `H0813`, for a registry in the order of numbers.
pub static FUNCTION_CODES: &[&Code] = &[&unlinked_functions::CODE];

pub static LINTS: &[&Lint] = &[
    &byte_order_marks::LINT,
    &embedded_secrets::LINT,
    &endless_sub_workflows::LINT,
    &missing_files::LINT,
    &skipped_files::LINT,
    &suspicious_properties::LINT,
    &unknown_settings::LINT,
    &unrendered_templates::LINT,
    &unresolved_includes::LINT,
    &unresolved_sub_workflows::LINT,
    &unresolved_workflows::LINT,
];

/// The exit code for sorted diagnostics: 0 without errors, 2 if a file could not be read or was no application at all, else
/// 1.
pub fn exit_code(diagnostics: &[Diagnostic]) -> u8 {
    let is_unreadable = |rule: Rule| {
        [
            &unreadable_file::CODE,
            &no_application::CODE,
            &remote_application::CODE,
        ]
        .into_iter()
        .any(|code| rule == Rule::Code(code))
    };
    diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.level == Level::Error)
        .map(|diagnostic| if is_unreadable(diagnostic.rule) { 2 } else { 1 })
        .max()
        .unwrap_or(0)
}
