//! What the program `hpdl` shares with executables: their commands for jobs that exist, and how they print.

pub use crate::commands::{
    ColorOption, ENVIRONMENT, JobCommand, PropertySources, Watcher, columns, exit_code, find_job,
    find_job_of, format_local, grouped, missing_data, parse_age, parsed, print, print_json,
    short_id,
};
pub use crate::masks::{ListMasks, Masks};
