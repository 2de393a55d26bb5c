//! The machine and its settings: state folder, locks, ids, exit codes, masking, clock, notifications, user.

pub mod bell;
pub mod clock;
pub mod comma_list;
pub mod drain;
pub mod exec_error;
pub mod exit;
pub mod home;
pub mod inherited_descriptors;
pub mod job_id;
pub mod liveness;
pub mod locale;
pub mod mask;
pub mod named_file;
pub mod panic_hook;
pub mod proc_stat;
pub mod property_names;
pub mod secret_values;
pub mod settings;
pub mod shown;
pub mod signal_stream;
pub mod user;
