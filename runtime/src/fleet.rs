//! What the program `hpdl` shares with executables: their commands for jobs that exist, and how they print.

pub use crate::commands::{
    ENVIRONMENT, JobCommand, PropertySources, columns, exit_code, find_job, format_local, grouped,
    missing_data, print, print_json, short_id,
};
pub use crate::masks::{ListMasks, Masks};
