//! The log of the server on standard error: as text, or as JSON with an object a line.

use std::io::{self, IsTerminal};

use hpdlc_host::{exit::RunError, shown};
use tracing::{error, info, level_filters::LevelFilter};
use tracing_subscriber::{Layer, filter::Targets, fmt, layer::SubscriberExt, registry};

/// `hpdl.server.log.format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Text,
    Json,
}

/// Starts the log of this process. What libraries log is left out.
///
/// # Errors
///
/// Exit 5 if it has one.
pub(super) fn start(format: Format, level: LevelFilter) -> Result<(), RunError> {
    let layer = fmt::layer()
        .with_target(false)
        // Nobody may read it any more.
        .log_internal_errors(false)
        .with_writer(io::stderr);
    let layer = match format {
        Format::Text => layer.with_ansi(io::stderr().is_terminal()).boxed(),
        Format::Json => layer.json().flatten_event(true).boxed(),
    };
    let own = Targets::new().with_target("hpdl", level);
    let log = registry().with(layer.with_filter(own));
    tracing::subscriber::set_global_default(log)
        .map_err(|error| RunError::machine(format!("cannot start the log: {error}")))
}

/// A message of what works beside the requests.
pub(super) fn say(text: &str) {
    let text = shown::text(text);
    info!("{text}");
}

/// As [`say`], for an error.
pub(super) fn report(problem: &RunError) {
    let message = shown::text(&problem.message);
    let help = problem.help.as_deref().map(shown::text);
    error!(help, "{message}");
}
