//! Live progress on a terminal: what is over scrolls by, what runs is below as a tree, each node with its time and the
//! last line that it printed.
//!
//! The engine only hands over events. A thread of its own draws, ten times a second, whatever has come in meanwhile: a
//! thousand nodes that end within a second are written in ten pieces, and a terminal that takes its time holds up nobody.

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

use self::{facts::Facts, tree::Tree};

/// How often it is drawn.
const TICK: Duration = Duration::from_millis(100);

/// Narrower than this, lines have no columns.
const LEAST_WIDTH: usize = 64;

/// How often what else there is to say is asked for.
const ASK: Duration = Duration::from_secs(1);

/// What is known of a job beside its events.
#[derive(Default)]
pub struct Outlook {
    /// How many actions its workflow has.
    pub total: Option<usize>,
    /// Lines about a coordinator or a bundle: what is done, and what it waits for. Asked once a second, on the thread that
    /// draws.
    pub status: Option<Box<dyn FnMut() -> Vec<String> + Send>>,
}

/// What the thread is told.
enum TerminalMessage {
    News(ProgressEvent),
    Past(ProgressEvent),
    Line(String),
}

/// See the module.
#[derive(Debug)]
pub struct Terminal {
    events: Option<Sender<TerminalMessage>>,
    thread: Option<JoinHandle<()>>,
}

impl Terminal {
    pub fn new(outlook: Outlook) -> Terminal {
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
            // A thread that is gone does not stop the job.
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
    /// Everything is shown before whoever owns the terminal goes on.
    fn drop(&mut self) {
        self.events = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Screen {
    screen: MultiProgress,
    /// The lines below what has scrolled by.
    lines: Vec<ProgressBar>,
    tree: Tree,
    facts: Facts,
    time: TimeOfDay,
    labels: Labels,
    outlook: Outlook,
    /// What was said last, and when it was asked for.
    status: Vec<String>,
    asked: Option<Instant>,
}

impl Screen {
    fn new(outlook: Outlook) -> Screen {
        Screen {
            screen: MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(20)),
            lines: Vec::new(),
            tree: Tree::new(outlook.total),
            facts: Facts::new(Home::open().ok()),
            time: TimeOfDay::default(),
            labels: Labels::new(Home::open().ok()),
            outlook,
            status: Vec::new(),
            asked: None,
        }
    }

    /// Draws until nobody sends any more.
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

    /// Takes note of an event, and adds its line to what is to be said.
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
        // What begins or waits is below.
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
            // Columns that do not fit are none.
            if size().1 < LEAST_WIDTH {
                line = line.split_whitespace().collect::<Vec<&str>>().join(" ");
            }
            add(said, &style::colored(&line, event.status.as_deref()));
        }
    }

    /// Asks what else there is to say, where it is time for it.
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
                // What does not fit in a line is cut, also after the window has become narrower.
                let style = ProgressStyle::with_template("{wide_msg}")
                    .unwrap_or_else(|_| ProgressStyle::default_spinner());
                let line = self
                    .screen
                    .add(ProgressBar::new_spinner().with_style(style));
                self.lines.push(line);
            }
            self.lines[number].set_message(locale::drawn(&text).into_owned());
        }
        // Last, so that no node is seen in both places.
        if !said.is_empty() {
            // A terminal that is gone does not stop the job.
            let _ = self.screen.println(said);
        } else if let Some(line) = self.lines.first() {
            line.tick();
        }
    }
}

/// A further line of what is to be said.
fn add(said: &mut String, line: &str) {
    if !said.is_empty() {
        said.push('\n');
    }
    said.push_str(line);
}

/// Rows and columns of the terminal, or what is usual where it does not say.
fn size() -> (usize, usize) {
    let size = rustix::termios::tcgetwinsize(std::io::stderr());
    match size.map(|size| (usize::from(size.ws_row), usize::from(size.ws_col))) {
        Ok((rows, columns)) if rows > 0 && columns > 0 => (rows, columns),
        Ok(_) | Err(_) => (24, 80),
    }
}

/// How many lines there is room for: what has scrolled by must stay in sight.
fn room(rows: usize) -> usize {
    /// More would be read by nobody.
    const MOST: usize = 14;
    (rows / 2).clamp(3, MOST)
}
