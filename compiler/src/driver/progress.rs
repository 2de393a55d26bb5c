//! Progress messages on stderr, in the style of cargo: a verb and its object.

use std::{
    io::{IsTerminal, Write},
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use super::shown;

/// When and how long-running work is reported.
#[derive(Debug, Clone, Copy)]
struct ProgressTiming {
    /// Work that takes no longer is not reported.
    patience: Duration,
    /// The interval of reports after that.
    tick: Duration,
    /// One line, which is rewritten and removed at the end; otherwise separate lines.
    is_one_line: bool,
}

const ON_TERMINAL: ProgressTiming = ProgressTiming {
    patience: Duration::from_secs(2),
    tick: Duration::from_secs(1),
    is_one_line: true,
};

/// In a log, long work shows progress, and a usual build shows none.
const IN_LOG: ProgressTiming = ProgressTiming {
    patience: Duration::from_secs(15),
    tick: Duration::from_secs(30),
    is_one_line: false,
};

/// The destination of progress messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProgressLines {
    is_silent: bool,
    /// Whether stderr shows colors.
    has_color: bool,
    is_terminal: bool,
}

impl ProgressLines {
    pub fn to_stderr(has_color: bool) -> ProgressLines {
        ProgressLines {
            is_silent: false,
            has_color,
            is_terminal: std::io::stderr().is_terminal(),
        }
    }

    pub fn silent() -> ProgressLines {
        ProgressLines {
            is_silent: true,
            has_color: false,
            is_terminal: false,
        }
    }

    /// Whether a child process may draw its own progress on stderr.
    pub fn is_terminal(&self) -> bool {
        self.is_terminal && !self.is_silent
    }

    /// Reports what is going on and for how long: on a terminal in a line that is removed when the result is dropped,
    /// elsewhere in a line at intervals.
    pub fn follow(&self, verb: &str, what: &str) -> Following {
        if self.is_silent {
            return Following { told: None };
        }
        let head = shown::text(&self.line(verb, what));
        let manner = if self.is_terminal {
            ON_TERMINAL
        } else {
            IN_LOG
        };
        let (sender, steps) = mpsc::channel();
        let thread = thread::spawn(move || {
            tell(&head, &steps, manner, &mut std::io::stderr());
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

    /// Reports that something begins or has been done.
    pub fn say(&self, verb: &str, what: &str) {
        if self.is_silent {
            return;
        }
        let line = self.line(verb, what) + "\n";
        // Stderr may be closed; the work continues.
        drop(std::io::stderr().write_all(shown::text(&line).as_bytes()));
    }
}

/// The progress line of long-running work; dropping it ends the line.
#[derive(Debug)]
pub struct Following {
    told: Option<(Sender<String>, JoinHandle<()>)>,
}

impl Following {
    /// Reports which part of the work begins.
    pub fn step(&self, step: &str) {
        if let Some((sender, _)) = &self.told {
            // The receiving thread ends only after the sender.
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

/// Writes `head`, the latest of `steps` and the seconds since the start, repeatedly until the sender is dropped.
fn tell(head: &str, steps: &mpsc::Receiver<String>, manner: ProgressTiming, to: &mut impl Write) {
    let ProgressTiming {
        patience,
        tick,
        is_one_line,
    } = manner;
    let started = Instant::now();
    let mut step = String::new();
    let mut next_line = started + patience;
    let mut is_written = false;
    loop {
        let pause = next_line.saturating_duration_since(Instant::now());
        match steps.recv_timeout(pause) {
            Ok(next) => {
                step = next;
                // An existing line shows the new step at once.
                if !(is_written && is_one_line) {
                    continue;
                }
            }
            Err(RecvTimeoutError::Timeout) => next_line = Instant::now() + tick,
            Err(RecvTimeoutError::Disconnected) => break,
        }
        let seconds = started.elapsed().as_secs();
        let (start, end) = if is_one_line {
            ("\r\x1b[K", "")
        } else {
            ("", "\n")
        };
        let line = format!("{start}{head}: {step}, {seconds} s{end}");
        drop(to.write_all(line.as_bytes()).and_then(|()| to.flush()));
        is_written = true;
    }
    if is_written && is_one_line {
        drop(write!(to, "\r\x1b[K").and_then(|()| to.flush()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(patience: Duration, is_one_line: bool, work: impl FnOnce(&Sender<String>)) -> String {
        let (sender, steps) = mpsc::channel();
        let thread = thread::spawn(move || {
            let mut written = Vec::new();
            let manner = ProgressTiming {
                patience,
                tick: Duration::from_millis(1),
                is_one_line,
            };
            tell("Compiling daily", &steps, manner, &mut written);
            String::from_utf8(written).expect("text")
        });
        work(&sender);
        drop(sender);
        thread.join().expect("it ends")
    }

    #[test]
    fn long_work_is_told_with_its_step_and_the_line_is_taken_away() {
        let work = |sender: &Sender<String>| {
            sender.send("rustc".to_owned()).expect("it listens");
            thread::sleep(Duration::from_millis(50));
        };
        let written = told(Duration::ZERO, true, work);
        assert!(
            written.contains("\r\x1b[KCompiling daily: rustc, 0 s"),
            "{written:?}"
        );
        assert!(written.ends_with("\r\x1b[K"), "{written:?}");
        assert!(!written.contains('\n'), "{written:?}");
        let written = told(Duration::ZERO, false, work);
        assert!(
            written.ends_with("Compiling daily: rustc, 0 s\n"),
            "{written:?}"
        );
        assert!(!written.contains('\x1b'), "{written:?}");
    }

    #[test]
    fn short_work_is_not_told() {
        for is_one_line in [true, false] {
            let written = told(Duration::from_secs(60), is_one_line, |sender| {
                sender.send("rustc".to_owned()).expect("it listens");
            });
            assert_eq!(written, "");
        }
    }

    #[test]
    fn nothing_is_told_where_nobody_is_to_be_told() {
        let following = ProgressLines::silent().follow("Compiling", "daily");
        following.step("rustc");
        assert!(following.told.is_none());
    }
}
