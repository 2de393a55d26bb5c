//! Whether a job would find the applications that its sub-workflow actions and its coordinator name.

use hpdlc_executors::sub_workflow::{self, NO_SUCH_APPLICATION, TopJob};
use hpdlc_host::home::Home;
use hpdlc_program::table::applications::user_of;
use hpdlc_store::{self as store, definitions};

use crate::commands::dryrun::sources::DryrunSources;

/// Why a job would not find the sub-workflow at `app_path`; `None` if it would.
pub(super) fn missing_sub_workflow(sources: DryrunSources<'_>, app_path: &str) -> Option<String> {
    let program = sources.program;
    let app = program
        .apps
        .iter()
        .position(|app| std::ptr::eq(*app, sources.app));
    let root = TopJob {
        app: app.unwrap_or_default(),
        app_path: sources.app_path,
    };
    let user = user_of(sources.conf);
    let is_found = sub_workflow::find(program, root, user, app_path).is_some()
        || is_registered(app_path.trim());
    (!is_found).then(|| {
        let message = sub_workflow::unknown(app_path).message;
        format!("{message} ({NO_SUCH_APPLICATION})")
    })
}

/// Whether an executable is registered for the application; a name alone may be a registered one.
pub(super) fn is_registered(app_path: &str) -> bool {
    let Ok(Some(home)) = Home::existing() else {
        return false;
    };
    let Ok(connection) = store::open(&home) else {
        return false;
    };
    let found = match definitions::registered(&connection, app_path) {
        Ok(None) if !app_path.contains(['/', ':']) => {
            definitions::registered_by_name(&connection, app_path)
        }
        found => found,
    };
    matches!(found, Ok(Some(_)))
}
