//! Live progress on a terminal: finished nodes scroll by, running ones spin with their time.

use std::{collections::BTreeMap, time::Duration};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::progress::{Progress, ProgressEvent, TimeOfDay, is_worth_a_line, push_line};

/// How often the times of running nodes are drawn.
const TICK: Duration = Duration::from_millis(100);

/// Nodes that are shown running at once; more would push the screen away.
const MAX_SHOWN: usize = 12;

/// A line for each node that runs, below the lines of what has happened.
#[derive(Debug)]
pub struct Terminal {
    screen: MultiProgress,
    running: BTreeMap<(String, String), ProgressBar>,
    time: TimeOfDay,
}

impl Terminal {
    pub fn new() -> Terminal {
        Terminal {
            screen: MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(10)),
            running: BTreeMap::new(),
            time: TimeOfDay::default(),
        }
    }

    fn start(&mut self, key: (String, String)) {
        if self.running.len() >= MAX_SHOWN || self.running.contains_key(&key) {
            return;
        }
        let style = ProgressStyle::with_template("  {spinner} {msg:<24} {elapsed}")
            .unwrap_or_else(|_| ProgressStyle::default_spinner());
        let bar = self
            .screen
            .add(ProgressBar::new_spinner().with_style(style));
        bar.set_message(key.1.clone());
        bar.enable_steady_tick(TICK);
        self.running.insert(key, bar);
    }

    fn stop(&mut self, key: &(String, String)) {
        if let Some(bar) = self.running.remove(key) {
            bar.finish_and_clear();
            self.screen.remove(&bar);
        }
    }
}

impl Default for Terminal {
    fn default() -> Terminal {
        Terminal::new()
    }
}

impl Progress for Terminal {
    fn event(&mut self, event: &ProgressEvent) {
        let key = event.node.clone().map(|node| (event.id.clone(), node));
        match (event.status.as_deref(), key) {
            (Some("RUNNING"), Some(key)) => return self.start(key),
            (Some(_), Some(key)) => self.stop(&key),
            (_, _) => {}
        }
        if is_worth_a_line(event) {
            let mut line = String::new();
            push_line(&mut line, self.time.format(event.time), event);
            // A terminal that is gone does not stop the job.
            let _ = self.screen.println(line);
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        for bar in self.running.values() {
            bar.finish_and_clear();
        }
    }
}
