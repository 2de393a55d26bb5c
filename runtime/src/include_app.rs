//! Taking in what `hpdlc::build::compile` has written.

/// Puts the workflow that the build script compiled in this place: `PROGRAM`, `Params`, `run`, `recover` and `command_line`.
///
/// The name is that of the application's folder: `hpdlc::build::compile("workflows/daily")` in `build.rs` goes with
/// `hpdlc_runtime::include_app!("daily");`. A module of its own keeps two of them apart.
#[macro_export]
macro_rules! include_app {
    ($name:literal) => {
        include!(concat!(env!("OUT_DIR"), "/", $name, ".rs"));
    };
}
