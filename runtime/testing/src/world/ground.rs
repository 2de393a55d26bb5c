//! Where the files of the application are, for actions that read some when they are evaluated.

use std::{fs, io, path::PathBuf};

use hpdlc_executors as executors;
#[cfg(feature = "full")]
use hpdlc_host::home::Home;
use hpdlc_program::table::{NodeKind, Program};
use tempfile::TempDir;

/// The folder of the application where nothing reads it.
pub(crate) const NOWHERE: &str = "/app";

/// The folder of the application, and in the `full` runtime a state folder, which is empty.
#[derive(Debug)]
pub(crate) struct Ground {
    pub(super) app: PathBuf,
    #[cfg(feature = "full")]
    pub(super) home: Home,
    _folder: Option<TempDir>,
}

impl Ground {
    /// Files are written only if an action reads some: a `job-xml`.
    ///
    /// # Errors
    ///
    /// They cannot be written, as a message.
    pub(crate) fn of(program: &'static Program) -> Result<Ground, String> {
        let nodes = program.apps.iter().flat_map(|app| {
            let nodes = app.nodes();
            nodes.map(move |(_, def)| (*app, def))
        });
        let nothing = Default::default();
        let mut reads = nodes.filter_map(|(app, def)| match &def.kind {
            NodeKind::Action(action) => Some(executors::is_blocking(app, &action.body, &nothing)),
            NodeKind::Start
            | NodeKind::End
            | NodeKind::Kill { .. }
            | NodeKind::Fail { .. }
            | NodeKind::Decision { .. }
            | NodeKind::Fork { .. }
            | NodeKind::Join => None,
        });
        let is_read = reads.any(|reads| reads) && !program.files.is_empty();
        let needs_folder = is_read || cfg!(feature = "full");
        let describe = |error: io::Error| format!("cannot write a temporary folder: {error}");
        let folder = needs_folder.then(TempDir::new).transpose();
        let folder = folder.map_err(describe)?;
        let app = match &folder {
            Some(folder) if is_read => folder.path().join("app"),
            Some(_) | None => PathBuf::from(NOWHERE),
        };
        if is_read {
            for file in program.files {
                let path = app.join(file.path);
                let parent = path.parent().unwrap_or(&app);
                fs::create_dir_all(parent).map_err(describe)?;
                fs::write(&path, file.bytes).map_err(describe)?;
            }
        }
        Ok(Ground {
            app,
            #[cfg(feature = "full")]
            home: {
                let root = folder.as_ref().map(|folder| folder.path().join("home"));
                Home::open_at(root.unwrap_or_default()).map_err(|error| error.message)?
            },
            _folder: folder,
        })
    }
}
