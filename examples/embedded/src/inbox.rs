//! Watching a folder: each new order file becomes a job, several at once.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use hpdlc_runtime::{RunError, Runtime};
use tokio::{signal, task::JoinSet, time};

/// How often the folder is looked at.
const INTERVAL: Duration = Duration::from_secs(1);

/// Imports what appears in `folder`, until Ctrl-C. Jobs that run at that moment go on when the service starts again.
pub(crate) fn watch(
    runtime: Arc<Runtime>,
    folder: PathBuf,
    archive: PathBuf,
) -> Result<bool, RunError> {
    // First what the last process has left: its files are no longer in the inbox.
    crate::recover(&runtime)?;
    let machine = |error: io::Error| RunError::machine(format!("{}: {error}", folder.display()));
    let tokio = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(machine)?;
    let result = tokio
        .block_on(serve(&runtime, &folder, &archive))
        .map_err(machine);
    // The threads of running jobs are not waited for.
    tokio.shutdown_background();
    result.map(|()| true)
}

async fn serve(runtime: &Arc<Runtime>, folder: &Path, archive: &Path) -> io::Result<()> {
    let mut running: BTreeSet<PathBuf> = BTreeSet::new();
    let mut jobs: JoinSet<(PathBuf, Result<bool, RunError>)> = JoinSet::new();
    let mut ticks = time::interval(INTERVAL);
    eprintln!("watching {}", folder.display());
    loop {
        tokio::select! {
            interrupted = signal::ctrl_c() => return interrupted,
            Some(joined) = jobs.join_next() => {
                let (file, result) = joined.map_err(io::Error::other)?;
                if let Err(error) = result {
                    eprintln!("{}: {error}", file.display());
                }
                running.remove(&file);
            }
            _ = ticks.tick() => {
                for file in order_files(folder)? {
                    if running.insert(file.clone()) {
                        let (runtime, archive) = (Arc::clone(runtime), archive.to_owned());
                        // A job blocks the thread that runs it.
                        jobs.spawn_blocking(move || {
                            let result = crate::import(&runtime, &file, &archive);
                            (file, result)
                        });
                    }
                }
            }
        }
    }
}

/// The `*.csv` files of the folder, in order.
fn order_files(folder: &Path) -> io::Result<BTreeSet<PathBuf>> {
    let mut files = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "csv") {
            files.insert(path);
        }
    }
    Ok(files)
}
