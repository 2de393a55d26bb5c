//! `log`: shows the events of a job, or the output of one of its actions.

use std::{
    collections::VecDeque,
    io::{self, IsTerminal},
    thread,
    time::Duration,
};

use clap::Args;
use hpdlc_engine::{
    owner::Session,
    progress::{Labels, ProgressEvent, push_line},
};
use hpdlc_host::{
    exit::{Exit, RunError},
    shown,
};
use hpdlc_launcher::Attempt;
use hpdlc_store::{JobRow, LogRow, hosts::HostPlace, query};

use crate::{
    commands::{find, find_job, info, print, say, write_bytes},
    masks::Masks,
};

mod follow;

use self::follow::FileFollower;

/// Polling interval of `-f`.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

#[derive(Debug, Args)]
pub struct Log {
    #[arg(help = find::JOB)]
    id: String,
    /// An action: what its last attempt printed
    node: Option<String>,
    /// Keep printing until the job, or the action, ends
    #[arg(short, long)]
    follow: bool,
    /// Only the last lines
    #[arg(long, value_name = "N")]
    tail: Option<usize>,
}

impl Log {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let job = find_job(session, &self.id)?;
        let masks = Masks::of(session, &job)?;
        let mut hint = WaitHint::default();
        match &self.node {
            Some(node) => self.print_output(session, &job.id, node, &masks, &mut hint),
            None => self.print_events(session, &job.id, &masks, &mut hint),
        }
    }

    fn print_events(
        &self,
        session: &Session,
        id: &str,
        masks: &Masks,
        hint: &mut WaitHint,
    ) -> Result<Exit, RunError> {
        let connection = session.store()?;
        let mut last = 0;
        let mut labels = Labels::new(Some(session.home.clone()));
        labels.set_top(id);
        let mut tail = self.tail;
        loop {
            // Read before the lines, so that the lines are complete if the job has ended.
            let job = find_job(session, id)?;
            let lines =
                query::log(&connection, id, last).map_err(|error| session.describe(error))?;
            let mut text = String::new();
            // Only of the existing lines; later ones are new.
            let n_left_out = tail.take().map_or(0, |n| lines.len().saturating_sub(n));
            for (at, (number, line)) in lines.into_iter().enumerate() {
                last = number;
                if at < n_left_out {
                    continue;
                }
                let event = event(line);
                let mut line = String::new();
                let time = info::format_local(Some(event.time));
                push_line(&mut line, &time, &event, &mut labels);
                text.push_str(&masks.text(&line));
                text.push('\n');
            }
            print(&text)?;
            if job.status.is_terminal() || !self.follow {
                return Ok(Exit::Success);
            }
            hint.give(session, &job)?;
            thread::sleep(LOOK_AGAIN);
        }
    }

    fn print_output(
        &self,
        session: &Session,
        id: &str,
        node: &str,
        masks: &Masks,
        hint: &mut WaitHint,
    ) -> Result<Exit, RunError> {
        let connection = session.store()?;
        let mut shown: Option<((i64, i64), [FileFollower; 2])> = None;
        let mut out = LogOutput::new(self.tail);
        loop {
            let job = find_job(session, id)?;
            let row =
                query::action(&connection, id, node).map_err(|error| session.describe(error))?;
            let is_over = job.status.is_terminal();
            let Some(row) = row else {
                if self.follow && !is_over {
                    hint.give(session, &job)?;
                    thread::sleep(LOOK_AGAIN);
                    continue;
                }
                return Err(
                    RunError::usage(format!("job {id} has not reached a node `{node}`"))
                        .with_help(format!("info {id} lists the nodes")),
                );
            };
            let is_over = is_over || row.status.is_terminal() || !self.follow;
            // The last output of a finished attempt comes before the output of the next one.
            let now = (job.run, row.attempt);
            if let Some((_, followers)) = shown.as_mut().filter(|(last, _)| *last != now) {
                print_new(followers, true, masks, &mut out)?;
                shown = None;
            }
            let run = row.run.unwrap_or(job.run);
            let attempt = Attempt::new(session.home.attempt(id, run, node, row.attempt));
            if let Some(HostPlace { machine, folder }) = session.other_host_of(&connection, &row)?
                && !attempt.stdout().exists()
            {
                return Err(RunError::usage(format!(
                    "the output of `{node}` is on host {machine}, in {folder}"
                ))
                .with_help(format!("type there: log {id} {node}")));
            }
            let (_, followers) = shown.get_or_insert_with(|| {
                let files = [attempt.stdout(), attempt.stderr()];
                (now, files.map(FileFollower::new))
            });
            print_new(followers, is_over, masks, &mut out)?;
            out.give()?;
            if is_over {
                return Ok(Exit::Success);
            }
            hint.give(session, &job)?;
            thread::sleep(LOOK_AGAIN);
        }
    }
}

/// Prints what was added to the files since they were last read.
fn print_new(
    followers: &mut [FileFollower; 2],
    is_last: bool,
    masks: &Masks,
    out: &mut LogOutput,
) -> Result<(), RunError> {
    for follower in followers {
        loop {
            let piece = follower
                .next(is_last)
                .map_err(|error| RunError::machine(format!("{}: {error}", follower.path())))?;
            let Some(piece) = piece else { break };
            out.take(shown_bytes(&piece, masks))?;
        }
    }
    Ok(())
}

/// What an action has printed, without secrets. Bytes that are no UTF-8 stay what they are, except on a terminal.
fn shown_bytes(piece: &[u8], masks: &Masks) -> Vec<u8> {
    let is_terminal = io::stdout().is_terminal();
    let mut shown = Vec::with_capacity(piece.len());
    for chunk in piece.utf8_chunks() {
        shown.extend_from_slice(shown::output(&masks.text(chunk.valid())).as_bytes());
        match chunk.invalid() {
            [] => {}
            _ if is_terminal => shown.extend_from_slice("\u{fffd}".as_bytes()),
            bytes => shown.extend_from_slice(bytes),
        }
    }
    shown
}

/// Prints lines, or keeps the last ones of the existing output.
struct LogOutput {
    tail: Option<usize>,
    kept: VecDeque<Vec<u8>>,
}

impl LogOutput {
    fn new(tail: Option<usize>) -> LogOutput {
        LogOutput {
            tail,
            kept: VecDeque::new(),
        }
    }

    fn take(&mut self, shown: Vec<u8>) -> Result<(), RunError> {
        let Some(n) = self.tail else {
            return write_bytes(&shown);
        };
        for line in shown.split_inclusive(|byte| *byte == b'\n') {
            self.kept.push_back(line.to_owned());
            if self.kept.len() > n {
                self.kept.pop_front();
            }
        }
        Ok(())
    }

    /// Prints the kept lines; later ones are printed at once.
    fn give(&mut self) -> Result<(), RunError> {
        if self.tail.take().is_some() {
            let kept: Vec<u8> = self.kept.drain(..).flatten().collect();
            write_bytes(&kept)?;
        }
        Ok(())
    }
}

/// Reports once why a followed job does not continue.
#[derive(Default)]
struct WaitHint {
    said: Option<String>,
    n_looks: u32,
}

impl WaitHint {
    /// A job that was just created has no owner for a moment.
    const LOOKS_BEFORE: u32 = 3;

    fn give(&mut self, session: &Session, job: &JobRow) -> Result<(), RunError> {
        let next = info::next_step(session, job)?;
        self.n_looks = if next.is_some() { self.n_looks + 1 } else { 0 };
        if self.n_looks > WaitHint::LOOKS_BEFORE && next != self.said {
            if let Some(next) = &next {
                say(next);
            }
            self.said = next;
        }
        Ok(())
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
