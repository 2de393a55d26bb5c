//! What the program `hpdl` shares with executables: their commands for jobs that exist, and how they print.

pub use crate::commands::{
    ColorOption, ENVIRONMENT, JobCommand, PropertySources, Watcher, columns, doctor_report,
    exit_code, find_job, find_job_of, format_local, grouped, info_json, missing_data, parse_age,
    parsed, print, print_json, reached_nodes, sbom, settings_json, short_id, timeline_element, why,
};
pub use crate::masks::{ListMasks, Masks};
pub use crate::{
    picture::structure::GraphStructure,
    timeline::{OwnerChange, STYLE as TIMELINE_STYLE, owner_changes},
};
