//! Lints: what Oozie accepts and the user should know all the same.
//!
//! One file a lint, with its default level and its explanation. The passes of [`analysis`](crate::analysis) find them.

use crate::diagnostics::Lint;

pub mod allow_comments;
pub(crate) mod always_true_cases;
pub(crate) mod empty_property_values;
pub(crate) mod ineligible_retries;
pub(crate) mod never_true_cases;
pub(crate) mod shared_branch_nodes;
pub(crate) mod undefined_node_references;
pub(crate) mod unreachable_nodes;
pub(crate) mod unused_parameters;

/// All lints over the model, by name.
///
/// | lint | level |
/// |---|---|
/// | `always_true_cases` | warn |
/// | `empty_property_values` | warn |
/// | `ineligible_retries` | warn |
/// | `invalid_lint_comments` | warn |
/// | `never_true_cases` | warn |
/// | `shared_branch_nodes` | warn |
/// | `undefined_node_references` | warn |
/// | `unknown_lints` | warn |
/// | `unreachable_nodes` | warn |
/// | `unused_parameters` | warn |
/// | `useless_allows` | warn |
pub static LINTS: &[&Lint] = &[
    &always_true_cases::LINT,
    &empty_property_values::LINT,
    &ineligible_retries::LINT,
    &allow_comments::invalid_lint_comments::LINT,
    &never_true_cases::LINT,
    &shared_branch_nodes::LINT,
    &undefined_node_references::LINT,
    &allow_comments::unknown_lints::LINT,
    &unreachable_nodes::LINT,
    &unused_parameters::LINT,
    &allow_comments::useless_allows::LINT,
];
