//! Live progress on a terminal: what has ended scrolls by, what runs is shown below as a tree, each node with its duration and the last
//! line of its output.
//!
//! The engine only sends events. A separate thread redraws ten times a second with all events received meanwhile: a thousand nodes that end
//! within a second are written in ten pieces, and a slow terminal does not delay the engine.

use std::{
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use hpdlc_host::{clock, home::Home, locale, shown};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::progress::{
    Labels, Progress, ProgressEvent, TimeOfDay, is_worth_a_line, push_line, style,
};

mod facts;
mod history;
mod tree;

use self::{facts::ShownFacts, tree::JobTree};

/// The interval between redraws.
const TICK: Duration = Duration::from_millis(100);

/// Below this width, lines have no columns.
const LEAST_WIDTH: usize = 64;

/// The interval between updates of the status lines.
const ASK: Duration = Duration::from_secs(1);

/// What is known of a job in addition to its events.
#[derive(Default)]
pub struct JobOutlook {
    /// How many actions its workflow has.
    pub total: Option<usize>,
    /// Status lines of a coordinator or a bundle: what is done, and what it waits for. Called once a second, on the drawing thread.
    pub status: Option<Box<dyn FnMut() -> Vec<String> + Send>>,
}

/// A message to the drawing thread.
enum TerminalMessage {
    News(ProgressEvent),
    Past(ProgressEvent),
    Line(String),
}

/// The live display, see the module.
#[derive(Debug)]
pub struct Terminal {
    events: Option<Sender<TerminalMessage>>,
    thread: Option<JoinHandle<()>>,
}

impl Terminal {
    pub fn new(outlook: JobOutlook) -> Terminal {
        let (events, received) = mpsc::channel();
        let thread = thread::Builder::new()
            .name("progress".to_owned())
            .spawn(move || Screen::new(outlook).show(&received))
            .ok();
        Terminal {
            events: Some(events),
            thread,
        }
    }
}

impl Terminal {
    fn tell(&mut self, told: TerminalMessage) {
        if let Some(events) = &self.events {
            // If the thread has ended, the job goes on.
            let _ = events.send(told);
        }
    }
}

impl Progress for Terminal {
    fn event(&mut self, event: &ProgressEvent) {
        self.tell(TerminalMessage::News(event.clone()));
    }

    fn past(&mut self, event: &ProgressEvent) {
        self.tell(TerminalMessage::Past(event.clone()));
    }

    fn say(&mut self, line: &str) {
        self.tell(TerminalMessage::Line(line.to_owned()));
    }
}

impl Drop for Terminal {
    /// Shows everything before the caller uses the terminal again.
    fn drop(&mut self) {
        self.events = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Screen {
    screen: MultiProgress,
    /// The lines of the tree, below the scrolled ones.
    lines: Vec<ProgressBar>,
    tree: JobTree,
    facts: ShownFacts,
    time: TimeOfDay,
    labels: Labels,
    outlook: JobOutlook,
    /// The last status lines, and the time of their update.
    status: Vec<String>,
    asked: Option<Instant>,
}

impl Screen {
    fn new(outlook: JobOutlook) -> Screen {
        Screen {
            screen: MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(20)),
            lines: Vec::new(),
            tree: JobTree::new(outlook.total),
            facts: ShownFacts::new(Home::open().ok()),
            time: TimeOfDay::default(),
            labels: Labels::new(Home::open().ok()),
            outlook,
            status: Vec::new(),
            asked: None,
        }
    }

    /// Draws until all senders are dropped.
    fn show(mut self, events: &Receiver<TerminalMessage>) {
        let mut is_over = false;
        while !is_over {
            let until = Instant::now() + TICK;
            let mut said = String::new();
            loop {
                let rest = until.saturating_duration_since(Instant::now());
                match events.recv_timeout(rest) {
                    Ok(TerminalMessage::News(event)) => self.take(&event, Some(&mut said)),
                    Ok(TerminalMessage::Past(event)) => self.take(&event, None),
                    Ok(TerminalMessage::Line(line)) => add(&mut said, &line),
                    Err(RecvTimeoutError::Timeout) => break,
                    Err(RecvTimeoutError::Disconnected) => {
                        is_over = true;
                        break;
                    }
                }
            }
            self.draw(&said, is_over);
        }
    }

    /// Applies an event, and appends its line to the output.
    fn take(&mut self, event: &ProgressEvent, said: Option<&mut String>) {
        let depth = self.facts.depth(&event.id);
        let event = &event.visible();
        let is_work = match &event.node {
            Some(node) => event.event != "PREP" || self.facts.is_work(&event.id, node),
            None => true,
        };
        if is_work {
            self.tree.take(event, depth);
        }
        // What has started or waits is in the tree.
        let is_start = event.node.is_some()
            && matches!(
                event.status.as_deref(),
                Some("RUNNING" | "WAITING" | "READY" | "SUBMITTED")
            );
        let Some(said) = said else {
            self.labels.name(&event.id, "");
            return;
        };
        if !is_start && is_worth_a_line(event) {
            let mut line = String::new();
            let time = self.time.format(event.time);
            push_line(&mut line, time, event, &mut self.labels);
            line = locale::drawn(&shown::text(&line)).into_owned();
            // Without columns if they do not fit.
            if size().1 < LEAST_WIDTH {
                line = line.split_whitespace().collect::<Vec<&str>>().join(" ");
            }
            add(said, &style::colored(&line, event.status.as_deref()));
        }
    }

    /// Updates the status lines, if it is time.
    fn ask(&mut self) {
        if self.asked.is_some_and(|asked| asked.elapsed() < ASK) {
            return;
        }
        if let Some(status) = &mut self.outlook.status {
            self.status = status();
            self.asked = Some(Instant::now());
        }
    }

    fn draw(&mut self, said: &str, is_over: bool) {
        let (rows, _) = size();
        let texts = if is_over {
            Vec::new()
        } else {
            self.ask();
            let view = (clock::now_millis(), room(rows));
            self.tree
                .lines(&mut self.facts, &mut self.labels, view, &self.status)
        };
        while self.lines.len() > texts.len() {
            if let Some(line) = self.lines.pop() {
                line.finish_and_clear();
                self.screen.remove(&line);
            }
        }
        for (number, text) in texts.into_iter().enumerate() {
            if number == self.lines.len() {
                // Lines that are too long are cut, also after the window has become narrower.
                let style = ProgressStyle::with_template("{wide_msg}")
                    .unwrap_or_else(|_| ProgressStyle::default_spinner());
                let line = self
                    .screen
                    .add(ProgressBar::new_spinner().with_style(style));
                self.lines.push(line);
            }
            self.lines[number].set_message(locale::drawn(&text).into_owned());
        }
        // Last, so that no node is shown in both places.
        if !said.is_empty() {
            // If the terminal is gone, the job goes on.
            let _ = self.screen.println(said);
        } else if let Some(line) = self.lines.first() {
            line.tick();
        }
    }
}

/// Appends a line to the output.
fn add(said: &mut String, line: &str) {
    if !said.is_empty() {
        said.push('\n');
    }
    said.push_str(line);
}

/// Rows and columns of the terminal, or the usual ones if unknown.
fn size() -> (usize, usize) {
    let size = rustix::termios::tcgetwinsize(std::io::stderr());
    match size.map(|size| (usize::from(size.ws_row), usize::from(size.ws_col))) {
        Ok((rows, columns)) if rows > 0 && columns > 0 => (rows, columns),
        Ok(_) | Err(_) => (24, 80),
    }
}

/// How many lines the tree may have: scrolled lines must stay visible.
fn room(rows: usize) -> usize {
    /// More lines would be too many to read.
    const MOST: usize = 14;
    (rows / 2).clamp(3, MOST)
}
