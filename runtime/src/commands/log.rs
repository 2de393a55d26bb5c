//! `log`: what happened in a job, or what one of its actions printed.

use std::{fs, io, thread, time::Duration};

use clap::Args;

use crate::{
    commands::{find_job, print},
    exit::{Exit, RunError},
    launcher::Attempt,
    owner::Session,
    progress::{ProgressEvent, TimeOfDay, push_line},
    secrets::Mask,
    store::{LogRow, query},
};

/// How often `-f` looks for more.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

#[derive(Debug, Args)]
pub(super) struct Log {
    /// The job
    id: String,
    /// An action: what its last attempt printed
    node: Option<String>,
    /// Keep printing until the job ends
    #[arg(short, long)]
    follow: bool,
}

impl Log {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let job = find_job(session, &self.id)?;
        let conf = serde_json::from_str(&job.conf).unwrap_or_default();
        let mask = Mask::of(&conf);
        match &self.node {
            Some(node) => self.print_output(session, node, &mask),
            None => self.print_events(session, &mask),
        }
    }

    fn print_events(&self, session: &Session, mask: &Mask) -> Result<Exit, RunError> {
        let connection = session.store()?;
        let mut last = 0;
        let mut time = TimeOfDay::default();
        loop {
            let is_over = find_job(session, &self.id)?.status.is_terminal();
            let lines =
                query::log(&connection, &self.id, last).map_err(|error| session.describe(error))?;
            for (id, line) in lines {
                last = id;
                let event = event(line);
                let mut text = String::new();
                push_line(&mut text, time.format(event.time), &event);
                print(&format!("{}\n", mask.text(&text)))?;
            }
            if is_over || !self.follow {
                return Ok(Exit::Success);
            }
            thread::sleep(LOOK_AGAIN);
        }
    }

    fn print_output(&self, session: &Session, node: &str, mask: &Mask) -> Result<Exit, RunError> {
        let mut printed: [usize; 2] = [0, 0];
        let mut shown: Option<(i64, i64)> = None;
        loop {
            let job = find_job(session, &self.id)?;
            let is_over = job.status.is_terminal();
            let connection = session.store()?;
            let rows =
                query::actions(&connection, &self.id).map_err(|error| session.describe(error))?;
            let Some(row) = rows.into_iter().find(|row| row.name == node) else {
                if self.follow && !is_over {
                    thread::sleep(LOOK_AGAIN);
                    continue;
                }
                return Err(RunError::usage(format!(
                    "job {} has not reached a node `{node}`",
                    self.id
                ))
                .with_help(format!("info {} lists the nodes", self.id)));
            };
            if shown != Some((job.run, row.attempt)) {
                printed = [0, 0];
                shown = Some((job.run, row.attempt));
            }
            let run = row.run.unwrap_or(job.run);
            let folder = session.home.attempt(&self.id, run, node, row.attempt);
            let attempt = Attempt::new(folder);
            for (path, printed) in [attempt.stdout(), attempt.stderr()]
                .iter()
                .zip(&mut printed)
            {
                let bytes = match fs::read(path) {
                    Ok(bytes) => bytes,
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    Err(error) => {
                        return Err(RunError::machine(format!("{}: {error}", path.display())));
                    }
                };
                let new = bytes.get(*printed..).unwrap_or_default();
                print(&mask.text(&String::from_utf8_lossy(new)))?;
                *printed = bytes.len();
            }
            if !self.follow || is_over || row.status.is_terminal() {
                return Ok(Exit::Success);
            }
            thread::sleep(LOOK_AGAIN);
        }
    }
}

fn event(line: LogRow) -> ProgressEvent {
    ProgressEvent {
        time: line.time,
        id: line.job_id,
        node: line.node,
        event: line.event,
        status: None,
        message: line.message,
    }
}
