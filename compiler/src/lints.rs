//! Lints: what Oozie accepts and the user should know all the same.
//!
//! One file a lint, with its default level and its explanation. The passes of [`analysis`](crate::analysis) find them.

use crate::diagnostics::Lint;

pub(crate) mod always_true_cases;
pub(crate) mod capped_controls;
pub(crate) mod cron_in_processing_zone;
pub(crate) mod day_long_minutes;
pub(crate) mod duplicate_datasets;
pub(crate) mod empty_property_values;
pub(crate) mod frequencies_below_limit;
pub(crate) mod ineligible_retries;
pub(crate) mod namespaced_datasets;
pub(crate) mod never_true_cases;
pub(crate) mod odd_cron_fields;
pub(crate) mod shared_branch_nodes;
pub(crate) mod shared_instance_uris;
pub(crate) mod three_letter_timezones;
pub(crate) mod undefined_node_references;
pub(crate) mod unpadded_dates;
pub(crate) mod unreachable_nodes;
pub(crate) mod unused_parameters;
pub(crate) mod utc_uri_templates;
pub(crate) mod week_year_patterns;
pub(crate) mod zero_concurrency;

/// All lints over the model, by name.
///
/// | lint | level |
/// |---|---|
/// | `always_true_cases` | warn |
/// | `capped_controls` | warn |
/// | `cron_in_processing_zone` | warn |
/// | `day_long_minutes` | warn |
/// | `duplicate_datasets` | warn |
/// | `empty_property_values` | warn |
/// | `frequencies_below_limit` | warn |
/// | `ineligible_retries` | warn |
/// | `namespaced_datasets` | warn |
/// | `never_true_cases` | warn |
/// | `odd_cron_fields` | warn |
/// | `shared_branch_nodes` | warn |
/// | `shared_instance_uris` | warn |
/// | `three_letter_timezones` | warn |
/// | `undefined_node_references` | warn |
/// | `unpadded_dates` | warn |
/// | `unreachable_nodes` | warn |
/// | `unused_parameters` | warn |
/// | `utc_uri_templates` | warn |
/// | `week_year_patterns` | warn |
/// | `zero_concurrency` | warn |
pub static LINTS: &[&Lint] = &[
    &always_true_cases::LINT,
    &capped_controls::LINT,
    &cron_in_processing_zone::LINT,
    &day_long_minutes::LINT,
    &duplicate_datasets::LINT,
    &empty_property_values::LINT,
    &frequencies_below_limit::LINT,
    &ineligible_retries::LINT,
    &namespaced_datasets::LINT,
    &never_true_cases::LINT,
    &odd_cron_fields::LINT,
    &shared_branch_nodes::LINT,
    &shared_instance_uris::LINT,
    &three_letter_timezones::LINT,
    &undefined_node_references::LINT,
    &unpadded_dates::LINT,
    &unreachable_nodes::LINT,
    &unused_parameters::LINT,
    &utc_uri_templates::LINT,
    &week_year_patterns::LINT,
    &zero_concurrency::LINT,
];
