//! Includes the output of `hpdlc::build::compile`.

/// Inserts the workflow that the build script compiled: `PROGRAM`, `Params`, `run`, `recover` and `command_line`.
///
/// The name is that of the application's folder: `hpdlc::build::compile("workflows/daily")` in `build.rs` belongs to
/// `hpdlc_runtime::include_app!("daily");`. Put each into its own module if there are several.
#[macro_export]
macro_rules! include_app {
    ($name:literal) => {
        include!(concat!(env!("OUT_DIR"), "/", $name, ".rs"));
    };
}
