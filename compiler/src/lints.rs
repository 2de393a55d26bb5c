//! Lints: what Oozie accepts and the user should know all the same.
//!
//! One file a lint, with its default level and its explanation. The passes of [`analysis`](crate::analysis) find them.

use crate::diagnostics::Lint;

pub(crate) mod actions_without_cluster;
pub mod allow_comments;
pub(crate) mod always_true_cases;
pub(crate) mod capped_retries;
pub(crate) mod empty_property_values;
pub(crate) mod empty_text_comparisons;
pub(crate) mod hash_braces;
pub(crate) mod ignored_credentials;
pub(crate) mod impossible_transitions;
pub(crate) mod ineligible_retries;
pub(crate) mod misread_sqoop_commands;
pub(crate) mod never_true_cases;
pub(crate) mod nodes_without_data;
pub(crate) mod shared_branch_nodes;
pub(crate) mod text_order_comparisons;
pub(crate) mod unavailable_node_references;
pub(crate) mod uncertain_node_references;
pub(crate) mod undefined_node_references;
pub(crate) mod unknown_alert_events;
pub(crate) mod unreachable_nodes;
pub(crate) mod unused_map_reduce_classes;
pub(crate) mod unused_parameters;

/// All lints over the model, by name.
///
/// | lint | level |
/// |---|---|
/// | `actions_without_cluster` | allow |
/// | `always_true_cases` | warn |
/// | `capped_retries` | warn |
/// | `empty_property_values` | warn |
/// | `empty_text_comparisons` | warn |
/// | `hash_braces` | warn |
/// | `ignored_credentials` | warn |
/// | `impossible_transitions` | warn |
/// | `ineligible_retries` | warn |
/// | `invalid_lint_comments` | warn |
/// | `misread_sqoop_commands` | warn |
/// | `never_true_cases` | warn |
/// | `nodes_without_data` | warn |
/// | `shared_branch_nodes` | warn |
/// | `text_order_comparisons` | warn |
/// | `unavailable_node_references` | warn |
/// | `uncertain_node_references` | warn |
/// | `undefined_node_references` | warn |
/// | `unknown_lints` | warn |
/// | `unknown_alert_events` | warn |
/// | `unreachable_nodes` | warn |
/// | `unused_map_reduce_classes` | warn |
/// | `unused_parameters` | warn |
/// | `useless_allows` | warn |
pub static LINTS: &[&Lint] = &[
    &actions_without_cluster::LINT,
    &always_true_cases::LINT,
    &capped_retries::LINT,
    &empty_property_values::LINT,
    &empty_text_comparisons::LINT,
    &hash_braces::LINT,
    &ignored_credentials::LINT,
    &impossible_transitions::LINT,
    &ineligible_retries::LINT,
    &allow_comments::invalid_lint_comments::LINT,
    &misread_sqoop_commands::LINT,
    &never_true_cases::LINT,
    &nodes_without_data::LINT,
    &shared_branch_nodes::LINT,
    &text_order_comparisons::LINT,
    &unavailable_node_references::LINT,
    &uncertain_node_references::LINT,
    &undefined_node_references::LINT,
    &allow_comments::unknown_lints::LINT,
    &unknown_alert_events::LINT,
    &unreachable_nodes::LINT,
    &unused_map_reduce_classes::LINT,
    &unused_parameters::LINT,
    &allow_comments::useless_allows::LINT,
];
