//! The machine and its settings: state folder, locks, ids, exit codes, masks, clock, bell, user.

pub mod bug;
pub mod clock;
pub mod drain;
pub mod exit;
pub mod heard;
pub mod home;
pub mod ids;
pub mod inherited;
pub mod list;
pub mod locale;
pub mod named_file;
pub mod processes;
pub mod property_names;
pub mod refused;
pub mod secrets;
pub mod settings;
pub mod shown;
pub mod user;
pub mod wake;
