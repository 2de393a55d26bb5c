//! The supervisor beside a server: jobs without an owner get one, as `recover --watch` has them get it, as long as the server runs.

use std::thread::{self, JoinHandle};

use hpdlc_engine::owner::Session;
use hpdlc_host::{
    drain::Drain,
    exit::{Exit, RunError},
    settings::Settings,
};
use tokio::sync::oneshot;

use crate::commands::supervise::{DriverSupervisor, LOOK, SupervisorEnd, Words};

/// A supervisor on a thread of its own.
#[derive(Debug)]
pub struct Watcher {
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl Watcher {
    /// Begins to watch; `say` and `report` get its messages and errors.
    ///
    /// # Errors
    ///
    /// Exit 5 if no thread can be started.
    pub fn start(
        session: &Session,
        say: fn(&str),
        report: fn(&RunError),
    ) -> Result<Watcher, RunError> {
        let failed = |error| RunError::machine(format!("cannot watch jobs: {error}"));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(failed)?;
        let (stop, stopped) = oneshot::channel();
        let session = session.clone();
        let watch = move || {
            let words = Words { say, report };
            let supervisor = DriverSupervisor::new(&session, SupervisorEnd::Stopped, words);
            let ended = supervisor.and_then(|it| runtime.block_on(it.run_beside(stopped)));
            if let Err(error) = ended {
                report(&error);
            }
        };
        let builder = thread::Builder::new().name("watcher".to_owned());
        let thread = builder.spawn(watch).map_err(failed)?;
        Ok(Watcher { stop, thread })
    }

    /// Ends it. Owners that it has started go on, unless what runs here ends with this process (a container): then they are asked to hand
    /// over, and waited for.
    pub fn stop(self) {
        // It has ended by itself if nobody hears it.
        let _ = self.stop.send(());
        let _ = self.thread.join();
    }
}

impl DriverSupervisor<'_> {
    async fn run_beside(mut self, mut stopped: oneshot::Receiver<()>) -> Result<(), RunError> {
        loop {
            self.reap();
            if let Err(error) = self.take_up() {
                // A full disk, for example, may be a temporary condition.
                if error.exit != Exit::Machine {
                    return Err(error);
                }
                (self.words.report)(&error);
            }
            tokio::select! {
                () = tokio::time::sleep(LOOK) => {}
                _ = &mut stopped => break,
            }
        }
        let settings = Settings {
            conf: &std::collections::BTreeMap::new(),
            site: &self.session.site,
        };
        if Drain::wanted("SIGTERM", settings).is_some() {
            self.hand_over("SIGTERM").await;
        }
        Ok(())
    }
}
