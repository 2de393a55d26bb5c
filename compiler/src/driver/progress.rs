//! What hpdlc says about its own work, on stderr, in cargo's manner: a verb and what it is about.

use std::{
    io::{IsTerminal, Write},
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Work that takes no longer is not told of.
const PATIENCE: Duration = Duration::from_secs(2);
const TICK: Duration = Duration::from_secs(1);

use super::shown;

/// Where such lines go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    is_silent: bool,
    /// Whether stderr shows colors.
    has_color: bool,
    is_terminal: bool,
}

impl Progress {
    pub fn to_stderr(has_color: bool) -> Progress {
        Progress {
            is_silent: false,
            has_color,
            is_terminal: std::io::stderr().is_terminal(),
        }
    }

    pub fn silent() -> Progress {
        Progress {
            is_silent: true,
            has_color: false,
            is_terminal: false,
        }
    }

    /// Whether a program that we call may draw its own progress on stderr.
    pub fn is_terminal(&self) -> bool {
        self.is_terminal && !self.is_silent
    }

    /// Tells on a terminal what goes on and for how long, from its third second on; elsewhere nothing. The line is gone when the
    /// result is dropped.
    pub fn follow(&self, verb: &str, what: &str) -> Following {
        if !self.is_terminal() {
            return Following { told: None };
        }
        let head = self.line(verb, what);
        let (sender, steps) = mpsc::channel();
        let thread = thread::spawn(move || {
            tell(&head, &steps, PATIENCE, TICK, &mut std::io::stderr());
        });
        Following {
            told: Some((sender, thread)),
        }
    }

    fn line(&self, verb: &str, what: &str) -> String {
        if self.has_color {
            format!("\x1b[1m\x1b[32m{verb:>12}\x1b[0m {what}")
        } else {
            format!("{verb:>12} {what}")
        }
    }

    /// Says that something begins or has been done.
    pub fn say(&self, verb: &str, what: &str) {
        if self.is_silent {
            return;
        }
        let line = self.line(verb, what) + "\n";
        // Nobody may be left to read it; the work goes on.
        drop(std::io::stderr().write_all(shown::text(&line).as_bytes()));
    }
}

/// A line that tells of long work; dropping it ends the line.
#[derive(Debug)]
pub struct Following {
    told: Option<(Sender<String>, JoinHandle<()>)>,
}

impl Following {
    /// Says which part of the work begins.
    pub fn step(&self, step: &str) {
        if let Some((sender, _)) = &self.told {
            // The thread ends after us only.
            drop(sender.send(step.to_owned()));
        }
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.told.take() {
            drop(sender);
            drop(thread.join());
        }
    }
}

/// Writes `head`, the latest of `steps` and the seconds since the start to one line, again and again until nobody sends steps.
fn tell(
    head: &str,
    steps: &mpsc::Receiver<String>,
    patience: Duration,
    tick: Duration,
    to: &mut impl Write,
) {
    let started = Instant::now();
    let mut step = String::new();
    let mut pause = patience;
    let mut is_written = false;
    loop {
        match steps.recv_timeout(pause) {
            Ok(next) => {
                step = next;
                // What begins soon after the start is no reason to write yet.
                pause = patience
                    .saturating_sub(started.elapsed())
                    .max(tick.min(patience));
                if !is_written {
                    continue;
                }
            }
            Err(RecvTimeoutError::Timeout) => pause = tick,
            Err(RecvTimeoutError::Disconnected) => break,
        }
        let seconds = started.elapsed().as_secs();
        drop(write!(to, "\r\x1b[K{head}: {step}, {seconds} s").and_then(|()| to.flush()));
        is_written = true;
    }
    if is_written {
        drop(write!(to, "\r\x1b[K").and_then(|()| to.flush()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(patience: Duration, work: impl FnOnce(&Sender<String>)) -> String {
        let (sender, steps) = mpsc::channel();
        let thread = thread::spawn(move || {
            let mut written = Vec::new();
            let tick = Duration::from_millis(1);
            tell("Compiling daily", &steps, patience, tick, &mut written);
            String::from_utf8(written).expect("text")
        });
        work(&sender);
        drop(sender);
        thread.join().expect("it ends")
    }

    #[test]
    fn long_work_is_told_with_its_step_and_the_line_is_taken_away() {
        let written = told(Duration::ZERO, |sender| {
            sender.send("rustc".to_owned()).expect("it listens");
            thread::sleep(Duration::from_millis(50));
        });
        assert!(
            written.contains("\r\x1b[KCompiling daily: rustc, 0 s"),
            "{written:?}"
        );
        assert!(written.ends_with("\r\x1b[K"), "{written:?}");
        assert!(!written.contains('\n'), "{written:?}");
    }

    #[test]
    fn short_work_is_not_told() {
        let written = told(Duration::from_secs(60), |sender| {
            sender.send("rustc".to_owned()).expect("it listens");
        });
        assert_eq!(written, "");
    }

    #[test]
    fn nothing_is_told_where_there_is_no_terminal() {
        let following = Progress::silent().follow("Compiling", "daily");
        following.step("rustc");
        assert!(following.told.is_none());
    }
}
