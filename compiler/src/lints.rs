//! Lints: what Oozie accepts and the user should know about nevertheless.
//!
//! One file per lint, with its default level and its explanation. The passes of [`analysis`](crate::analysis) report them.

use crate::diagnostics::Lint;

pub(crate) mod actions_without_cluster;
pub mod allow_comments;
pub(crate) mod always_true_cases;
pub(crate) mod capped_controls;
pub(crate) mod capped_retries;
pub(crate) mod cron_in_processing_zone;
pub(crate) mod day_long_minutes;
pub(crate) mod deleted_inputs;
pub(crate) mod divided_numbers;
pub(crate) mod duplicate_datasets;
pub(crate) mod empty_actions;
pub(crate) mod empty_path_parts;
pub(crate) mod empty_property_values;
pub(crate) mod empty_text_comparisons;
pub(crate) mod engine_differences;
pub(crate) mod escaped_operators;
pub(crate) mod exposed_secrets;
pub(crate) mod extended_dates;
pub(crate) mod fork_path_conflicts;
pub(crate) mod frequencies_below_limit;
pub(crate) mod fs_paths_without_scheme;
pub(crate) mod halved_clusters;
pub(crate) mod hash_braces;
pub(crate) mod hiveconf_parameters;
pub(crate) mod ignored_credentials;
pub(crate) mod impossible_error_comparisons;
pub(crate) mod impossible_transitions;
pub(crate) mod ineligible_retries;
pub(crate) mod joined_addresses;
pub(crate) mod joined_arguments;
pub(crate) mod late_initial_instances;
pub(crate) mod malformed_addresses;
pub(crate) mod malformed_class_names;
pub(crate) mod malformed_defaults;
pub(crate) mod malformed_fs_values;
pub(crate) mod malformed_retries;
pub(crate) mod malformed_settings;
pub(crate) mod map_comparisons;
pub(crate) mod map_reduce_without_directories;
pub(crate) mod misread_assignments;
pub(crate) mod misread_date_patterns;
pub(crate) mod misread_java_options;
pub(crate) mod misread_spark_options;
pub(crate) mod misread_sqoop_commands;
pub(crate) mod missing_script_parameters;
pub(crate) mod misspelt_constants;
pub(crate) mod misspelt_credential_types;
pub(crate) mod misspelt_data_keys;
pub(crate) mod misspelt_done_flags;
pub(crate) mod misspelt_settings;
pub(crate) mod moves_between_file_systems;
pub(crate) mod namespaced_datasets;
pub(crate) mod nested_expressions;
pub(crate) mod never_true_cases;
pub(crate) mod nodes_without_data;
pub(crate) mod numbered_weekdays;
pub(crate) mod odd_cron_fields;
pub(crate) mod other_processing_time_zones;
pub(crate) mod own_output_inputs;
pub(crate) mod quoted_arguments;
pub(crate) mod refused_spark_options;
pub(crate) mod refused_sqoop_commands;
pub(crate) mod repeated_joins;
pub(crate) mod retry_intervals_without_retries;
pub(crate) mod root_deletions;
pub(crate) mod rust_actions;
pub(crate) mod shadowed_cases;
pub(crate) mod shared_branch_nodes;
pub(crate) mod shared_instance_uris;
pub(crate) mod shell_operators;
pub(crate) mod similar_properties;
pub(crate) mod sqoop_queries_without_conditions;
pub(crate) mod text_order_comparisons;
pub(crate) mod three_letter_timezones;
pub(crate) mod typographic_dashes;
pub(crate) mod unavailable_node_references;
pub(crate) mod unbalanced_quotes;
pub(crate) mod unbraced_properties;
pub(crate) mod uncertain_node_references;
pub(crate) mod undefined_listed_nodes;
pub(crate) mod undefined_node_references;
pub(crate) mod unknown_alert_events;
pub(crate) mod unknown_data_keys;
pub(crate) mod unpadded_dates;
pub(crate) mod unquoted_names;
pub(crate) mod unreachable_defaults;
pub(crate) mod unreachable_mistakes;
pub(crate) mod unreachable_nodes;
pub(crate) mod unread_launcher_numbers;
pub(crate) mod unset_properties;
pub(crate) mod unshipped_scripts;
pub(crate) mod unsupported_file_operations;
pub(crate) mod unused_map_reduce_classes;
pub(crate) mod unused_parameters;
pub(crate) mod unused_script_parameters;
pub(crate) mod utc_uri_templates;
pub(crate) mod week_year_patterns;
pub(crate) mod zero_concurrency;

/// All lints over the model, by name.
///
/// | lint | level |
/// |---|---|
/// | `actions_without_cluster` | allow |
/// | `always_true_cases` | warn |
/// | `capped_controls` | warn |
/// | `capped_retries` | warn |
/// | `cron_in_processing_zone` | warn |
/// | `day_long_minutes` | warn |
/// | `deleted_inputs` | warn |
/// | `divided_numbers` | warn |
/// | `duplicate_datasets` | warn |
/// | `empty_actions` | warn |
/// | `empty_path_parts` | deny |
/// | `empty_property_values` | warn |
/// | `empty_text_comparisons` | warn |
/// | `engine_differences` | warn |
/// | `escaped_operators` | warn |
/// | `exposed_secrets` | warn |
/// | `extended_dates` | warn |
/// | `fork_path_conflicts` | warn |
/// | `frequencies_below_limit` | warn |
/// | `fs_paths_without_scheme` | warn |
/// | `halved_clusters` | warn |
/// | `hash_braces` | warn |
/// | `hiveconf_parameters` | warn |
/// | `ignored_credentials` | warn |
/// | `impossible_error_comparisons` | warn |
/// | `impossible_transitions` | warn |
/// | `ineligible_retries` | warn |
/// | `invalid_lint_comments` | warn |
/// | `joined_addresses` | warn |
/// | `joined_arguments` | warn |
/// | `late_initial_instances` | warn |
/// | `malformed_addresses` | warn |
/// | `malformed_class_names` | warn |
/// | `malformed_defaults` | warn |
/// | `malformed_fs_values` | deny |
/// | `malformed_retries` | deny |
/// | `malformed_settings` | warn |
/// | `map_comparisons` | warn |
/// | `map_reduce_without_directories` | warn |
/// | `misread_assignments` | warn |
/// | `misread_date_patterns` | warn |
/// | `misread_java_options` | warn |
/// | `misread_spark_options` | warn |
/// | `misread_sqoop_commands` | warn |
/// | `missing_script_parameters` | warn |
/// | `misspelt_constants` | warn |
/// | `misspelt_credential_types` | warn |
/// | `misspelt_data_keys` | warn |
/// | `misspelt_done_flags` | warn |
/// | `misspelt_settings` | warn |
/// | `moves_between_file_systems` | warn |
/// | `namespaced_datasets` | warn |
/// | `nested_expressions` | warn |
/// | `never_true_cases` | warn |
/// | `nodes_without_data` | warn |
/// | `numbered_weekdays` | warn |
/// | `odd_cron_fields` | warn |
/// | `other_processing_time_zones` | warn |
/// | `own_output_inputs` | warn |
/// | `quoted_arguments` | warn |
/// | `refused_spark_options` | warn |
/// | `refused_sqoop_commands` | warn |
/// | `repeated_joins` | warn |
/// | `retry_intervals_without_retries` | warn |
/// | `root_deletions` | warn |
/// | `rust_actions` | allow |
/// | `shadowed_cases` | warn |
/// | `shared_branch_nodes` | warn |
/// | `shared_instance_uris` | warn |
/// | `shell_operators` | warn |
/// | `similar_properties` | warn |
/// | `sqoop_queries_without_conditions` | warn |
/// | `text_order_comparisons` | warn |
/// | `three_letter_timezones` | warn |
/// | `typographic_dashes` | warn |
/// | `unavailable_node_references` | warn |
/// | `unbalanced_quotes` | warn |
/// | `unbraced_properties` | warn |
/// | `uncertain_node_references` | warn |
/// | `undefined_listed_nodes` | warn |
/// | `undefined_node_references` | warn |
/// | `unknown_alert_events` | warn |
/// | `unknown_data_keys` | warn |
/// | `unknown_lints` | warn |
/// | `unpadded_dates` | warn |
/// | `unquoted_names` | warn |
/// | `unreachable_defaults` | warn |
/// | `unreachable_mistakes` | warn |
/// | `unreachable_nodes` | warn |
/// | `unread_launcher_numbers` | allow |
/// | `unset_properties` | warn |
/// | `unshipped_scripts` | warn |
/// | `unsupported_file_operations` | warn |
/// | `unused_map_reduce_classes` | warn |
/// | `unused_parameters` | warn |
/// | `unused_script_parameters` | warn |
/// | `useless_allows` | warn |
/// | `utc_uri_templates` | warn |
/// | `week_year_patterns` | warn |
/// | `zero_concurrency` | warn |
pub static LINTS: &[&Lint] = &[
    &actions_without_cluster::LINT,
    &always_true_cases::LINT,
    &capped_controls::LINT,
    &capped_retries::LINT,
    &cron_in_processing_zone::LINT,
    &day_long_minutes::LINT,
    &deleted_inputs::LINT,
    &divided_numbers::LINT,
    &duplicate_datasets::LINT,
    &empty_actions::LINT,
    &empty_path_parts::LINT,
    &empty_property_values::LINT,
    &empty_text_comparisons::LINT,
    &engine_differences::LINT,
    &escaped_operators::LINT,
    &exposed_secrets::LINT,
    &extended_dates::LINT,
    &fork_path_conflicts::LINT,
    &frequencies_below_limit::LINT,
    &fs_paths_without_scheme::LINT,
    &halved_clusters::LINT,
    &hash_braces::LINT,
    &hiveconf_parameters::LINT,
    &ignored_credentials::LINT,
    &impossible_error_comparisons::LINT,
    &impossible_transitions::LINT,
    &ineligible_retries::LINT,
    &allow_comments::invalid_lint_comments::LINT,
    &joined_addresses::LINT,
    &joined_arguments::LINT,
    &late_initial_instances::LINT,
    &malformed_addresses::LINT,
    &malformed_class_names::LINT,
    &malformed_defaults::LINT,
    &malformed_fs_values::LINT,
    &malformed_retries::LINT,
    &malformed_settings::LINT,
    &map_comparisons::LINT,
    &map_reduce_without_directories::LINT,
    &misread_assignments::LINT,
    &misread_date_patterns::LINT,
    &misread_java_options::LINT,
    &misread_spark_options::LINT,
    &misread_sqoop_commands::LINT,
    &missing_script_parameters::LINT,
    &misspelt_constants::LINT,
    &misspelt_credential_types::LINT,
    &misspelt_data_keys::LINT,
    &misspelt_done_flags::LINT,
    &misspelt_settings::LINT,
    &moves_between_file_systems::LINT,
    &namespaced_datasets::LINT,
    &nested_expressions::LINT,
    &never_true_cases::LINT,
    &nodes_without_data::LINT,
    &numbered_weekdays::LINT,
    &odd_cron_fields::LINT,
    &other_processing_time_zones::LINT,
    &own_output_inputs::LINT,
    &quoted_arguments::LINT,
    &refused_spark_options::LINT,
    &refused_sqoop_commands::LINT,
    &repeated_joins::LINT,
    &retry_intervals_without_retries::LINT,
    &root_deletions::LINT,
    &rust_actions::LINT,
    &shadowed_cases::LINT,
    &shared_branch_nodes::LINT,
    &shared_instance_uris::LINT,
    &shell_operators::LINT,
    &similar_properties::LINT,
    &sqoop_queries_without_conditions::LINT,
    &text_order_comparisons::LINT,
    &three_letter_timezones::LINT,
    &typographic_dashes::LINT,
    &unavailable_node_references::LINT,
    &unbalanced_quotes::LINT,
    &unbraced_properties::LINT,
    &uncertain_node_references::LINT,
    &undefined_listed_nodes::LINT,
    &undefined_node_references::LINT,
    &unknown_alert_events::LINT,
    &unknown_data_keys::LINT,
    &allow_comments::unknown_lints::LINT,
    &unpadded_dates::LINT,
    &unquoted_names::LINT,
    &unreachable_defaults::LINT,
    &unreachable_mistakes::LINT,
    &unreachable_nodes::LINT,
    &unread_launcher_numbers::LINT,
    &unset_properties::LINT,
    &unshipped_scripts::LINT,
    &unsupported_file_operations::LINT,
    &unused_map_reduce_classes::LINT,
    &unused_parameters::LINT,
    &unused_script_parameters::LINT,
    &allow_comments::useless_allows::LINT,
    &utc_uri_templates::LINT,
    &week_year_patterns::LINT,
    &zero_concurrency::LINT,
];
