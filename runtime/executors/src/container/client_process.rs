//! The process of this executable in a container that fills the folder of a tool's client with what is installed on the node, and becomes
//! the client.

use std::{
    env, fs,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use hpdlc_files::{AccessSettings, kerberos};
use hpdlc_host::panic_hook;
use hpdlc_launcher::Attempt;
use hpdlc_program::failure::ActionError;

use super::client::{ARGUMENT, ClientOrder, FAILURE, ORDER};
use crate::{
    AttemptPlace,
    stored_error::StoredError,
    tool::{self, ReadyTool, Tool, ToolMachine},
};

/// The exit code where there is no tool: the file says why.
const NO_TOOL: i32 = 71;

static NEVER_CANCELED: AtomicBool = AtomicBool::new(false);

/// Becomes the client if the arguments say so; in this case it does not return.
pub fn serve_if_asked() {
    let asked = env::args_os().nth(1);
    if asked.is_none_or(|argument| argument != ARGUMENT) {
        return;
    }
    panic_hook::install("the client of a tool".to_owned(), || false);
    let Ok(here) = env::current_dir() else {
        std::process::exit(NO_TOOL)
    };
    let error = client(&here);
    let _ = writeln!(io::stderr(), "{}", error.message);
    let text = serde_json::to_string(&StoredError::from(error)).unwrap_or_default();
    if let Err(error) = tool::write_files(&[(FAILURE.to_owned(), text)], &here) {
        let _ = writeln!(io::stderr(), "hpdl: {FAILURE}: {error}");
    }
    std::process::exit(NO_TOOL)
}

/// Becomes the client in the folder `here`; returns only why it has not.
fn client(here: &Path) -> ActionError {
    match with_client(here, |client| client.take_over()) {
        Ok(error) | Err(error) => error,
    }
}

/// What `then` makes of the client in the folder `here`, which is filled.
///
/// # Errors
///
/// JA018: there is no order, or no such program on this node; and as [`ReadyTool::make`] and [`ReadyTool::configure`].
pub(super) fn with_client<T>(
    here: &Path,
    then: impl FnOnce(&ReadyTool<'_>) -> T,
) -> Result<T, ActionError> {
    let node = env::var("NM_HOST").unwrap_or_else(|_| "of its container".to_owned());
    let machine = ToolMachine {
        node: Some(node),
        output: [1, 2].map(output),
    };
    let order =
        order(here).map_err(|error| ActionError::error("JA018", format!("{ORDER}: {error}")))?;
    let ClientOrder {
        tool,
        supplies,
        folder,
        job,
        node,
        tags,
    } = order;
    let attempt = Attempt::new(here);
    let place = AttemptPlace {
        job_id: &job,
        node: &node,
        attempt: &attempt,
        // Its files are located.
        app_folder: here,
        app_path: "",
        home: here,
        is_canceled: &NEVER_CANCELED,
    };
    let tool = as_its_user(tool);
    let supplies = supplies.moved(Path::new(&folder), here);
    let ready = ReadyTool::make(&tool, &place, &tags, supplies, &machine)?;
    // The application master enforces the time limit.
    ready.configure(None)?;
    Ok(then(&ready))
}

fn order(here: &Path) -> io::Result<ClientOrder> {
    let file = here.join(ORDER);
    let text = fs::read(&file)?;
    // The tool need not see it.
    fs::remove_file(&file)?;
    Ok(serde_json::from_slice(&text)?)
}

/// Where a descriptor of this process leads.
fn output(number: u8) -> PathBuf {
    let link = PathBuf::from(format!("/proc/self/fd/{number}"));
    fs::read_link(&link).unwrap_or(link)
}

/// The tool for the user of the job, whoever runs the container. Where Kerberos proves who that is, the container's tokens are the user's.
fn as_its_user(mut tool: Tool) -> Tool {
    let access: &mut AccessSettings = &mut tool.prepare.access;
    if kerberos::is_asked_by(access) {
        access.user = None;
        return tool;
    }
    let user = access.user.take();
    access.user = Some(user.unwrap_or_else(|| tool.user.clone()));
    tool
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn an_order_is_read_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(ORDER);
        fs::write(&file, "{}").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        assert!(order(folder.path()).is_err(), "it says nothing");
        assert!(!file.exists());
        let error = client(folder.path());
        assert_eq!(error.code, "JA018");
        assert!(error.message.starts_with(ORDER), "{}", error.message);
    }

    #[test]
    fn the_output_is_read_where_it_goes() {
        let file = output(2);
        assert!(!file.as_os_str().is_empty());
    }
}
