//! What the display reads from the state folder: the place of a job in its tree, its secrets, and the output of its actions.

use std::{
    collections::HashMap,
    fs::File,
    io::{Read, Seek, SeekFrom},
    rc::Rc,
};

use hpdlc_host::{home::Home, mask::Mask};
use hpdlc_launcher::Attempt;
use hpdlc_store::{self as store, JobRow, query, sql::Connection};

use super::history::RunHistory;
use crate::progress::plain;

/// How many bytes at the end of an output are read.
const TAIL: u64 = 2_048;

/// Facts from the state folder; without one less is shown.
pub(super) struct ShownFacts {
    home: Option<Home>,
    connection: Option<Connection>,
    jobs: HashMap<String, ShownJob>,
    /// Of applications, by the first job of each that was looked up.
    histories: HashMap<String, Rc<RunHistory>>,
}

struct ShownJob {
    app: String,
    depth: usize,
    run: i64,
    parent: Option<(String, String)>,
    mask: Mask,
}

impl ShownFacts {
    pub(super) fn new(home: Option<Home>) -> ShownFacts {
        ShownFacts {
            connection: home.as_ref().and_then(|home| store::look(home).ok()),
            home,
            jobs: HashMap::new(),
            histories: HashMap::new(),
        }
    }

    fn job(&mut self, id: &str) -> Option<&ShownJob> {
        if !self.jobs.contains_key(id) {
            let row = query::job(self.connection.as_ref()?, id).ok()??;
            self.jobs.insert(id.to_owned(), ShownJob::of(row));
        }
        self.jobs.get(id)
    }

    /// How many levels it is below the job at the top.
    pub(super) fn depth(&mut self, id: &str) -> usize {
        self.job(id).map_or(0, |job| job.depth)
    }

    /// The parent job and the node that runs it.
    pub(super) fn parent(&mut self, id: &str) -> Option<(String, String)> {
        self.job(id)?.parent.clone()
    }

    /// Whether the node does work: a join is entered, and only waits.
    pub(super) fn is_work(&mut self, id: &str, node: &str) -> bool {
        let row = self
            .connection
            .as_ref()
            .and_then(|connection| query::action(connection, id, node).ok().flatten());
        row.is_none_or(|row| !row.type_name.starts_with(':'))
    }

    /// The durations of earlier runs of its workflow. A rerun is shorter than these, so it has none.
    pub(super) fn history(&mut self, id: &str) -> Rc<RunHistory> {
        let Some(app) = self
            .job(id)
            .filter(|job| job.run == 0)
            .map(|job| job.app.clone())
        else {
            return Rc::default();
        };
        if let Some(known) = self.histories.get(&app) {
            return Rc::clone(known);
        }
        let read = self
            .connection
            .as_ref()
            .and_then(|connection| RunHistory::read(connection, &app, id).ok());
        let read = Rc::new(read.unwrap_or_default());
        self.histories.insert(app, Rc::clone(&read));
        read
    }

    /// The last line of an attempt's output, without secrets and without control characters.
    pub(super) fn last_line(&mut self, id: &str, node: &str, attempt: i64) -> Option<String> {
        let run = self.job(id)?.run;
        let folder = self.home.as_ref()?.attempt(id, run, node, attempt);
        let attempt = Attempt::new(folder);
        let newest = [attempt.stdout(), attempt.stderr()]
            .into_iter()
            .filter_map(|path| {
                let file = File::open(path).ok()?;
                let metadata = file.metadata().ok()?;
                (metadata.len() > 0).then_some((metadata.modified().ok()?, metadata.len(), file))
            })
            .max_by_key(|(modified, _, _)| *modified);
        let (_, length, mut file) = newest?;
        file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))
            .ok()?;
        let mut bytes = Vec::new();
        file.take(TAIL).read_to_end(&mut bytes).ok()?;
        let mut text = String::from_utf8_lossy(&bytes).into_owned();
        if length > TAIL {
            // The first line is cut, and a cut secret would not be recognized.
            text = text.split_once(['\n', '\r'])?.1.to_owned();
        }
        // It may contain secrets of the parents too.
        let mut masked = text;
        let mut above = Some(id.to_owned());
        while let Some(id) = above {
            let job = self.job(&id)?;
            masked = job.mask.text(&masked);
            above = job.parent.as_ref().map(|(parent, _)| parent.clone());
        }
        last_line(&masked)
    }
}

impl ShownJob {
    fn of(row: JobRow) -> ShownJob {
        ShownJob {
            app: row.app,
            depth: usize::try_from(row.depth).unwrap_or_default(),
            run: row.run,
            mask: Mask::of(&serde_json::from_str(&row.conf).unwrap_or_default()),
            parent: row.parent_id.zip(row.parent_node),
        }
    }
}

/// The last line that is not blank; a carriage return starts a new line as well.
fn last_line(text: &str) -> Option<String> {
    let line = text
        .split(['\n', '\r'])
        .rev()
        .map(str::trim)
        .find(|line| !line.is_empty())?;
    Some(plain(line)).filter(|shown| !shown.is_empty())
}

#[cfg(test)]
mod tests {
    use super::last_line;

    #[test]
    fn the_last_line_is_plain_text() {
        for (text, expected) in [
            ("one\ntwo\n", Some("two")),
            ("10%\r20%\r", Some("20%")),
            ("\u{1b}[31mred\u{1b}[0m\tend\n\n", Some("red end")),
            ("\u{1b}[2J", Some("\\x1b[2J")),
            ("\u{1b}]52;c;QQ==\u{7}", Some("\\x1b]52;c;QQ==\\x07")),
            ("\u{9b}31m\u{202e}x", Some("\\x9b31m\\u{202e}x")),
            ("\u{1b}[K", None),
            ("\n \n", None),
            ("", None),
        ] {
            assert_eq!(last_line(text).as_deref(), expected, "{text:?}");
        }
    }
}
