//! Events of a coordinator or a bundle: first committed, then shown to the user.

use hpdlc_host::{clock, mask::Mask};
use hpdlc_store::LogRow;

use super::{Progress, ProgressEvent, Shared};

/// The events of one job that have not been committed or shown yet.
pub struct EventJournal {
    job: String,
    /// The name of a coordinator in its bundle, where several show their actions on the same output.
    label: Option<String>,
    /// The rows for the next transaction.
    log: Vec<LogRow>,
    /// The events to show once they are written.
    news: Vec<ProgressEvent>,
    progress: Shared,
    mask: Mask,
}

impl EventJournal {
    /// `mask` has the secrets of the job.
    pub fn new(job: String, progress: Shared, mask: Mask) -> EventJournal {
        EventJournal {
            job,
            label: None,
            log: Vec::new(),
            news: Vec::new(),
            progress,
            mask,
        }
    }

    /// Has `LABEL@3` shown for `@3`; the log is without the label.
    pub fn labeled(self, label: Option<String>) -> EventJournal {
        EventJournal { label, ..self }
    }

    /// The output that the jobs created by this one share.
    pub fn progress(&self) -> Shared {
        self.progress.clone()
    }

    /// The secrets that are not shown.
    pub fn mask(&self) -> &Mask {
        &self.mask
    }

    /// Called when the job's properties have changed.
    pub fn set_mask(&mut self, mask: Mask) {
        self.mask = mask;
    }

    /// Records a new state of the job, or of `node` of it.
    pub fn state(&mut self, node: Option<String>, status: &str, message: Option<String>) {
        self.add(node, status, Some(status.to_owned()), message);
    }

    /// Records an event that is not a state.
    pub fn note(&mut self, node: Option<String>, event: &str, message: Option<String>) {
        self.add(node, event, None, message);
    }

    pub fn warn(&mut self, node: Option<String>, words: String) {
        self.note(node, "WARNING", Some(words));
    }

    fn add(
        &mut self,
        node: Option<String>,
        event: &str,
        status: Option<String>,
        message: Option<String>,
    ) {
        let news = ProgressEvent {
            time: clock::now_millis(),
            id: self.job.clone(),
            node,
            event: event.to_owned(),
            status,
            message,
        };
        self.log.push(news.to_log());
        self.news.push(news);
    }

    /// Whether there is nothing to write.
    pub fn is_clean(&self) -> bool {
        self.log.is_empty()
    }

    /// The rows for the current transaction.
    pub fn take_log(&mut self) -> Vec<LogRow> {
        std::mem::take(&mut self.log)
    }

    /// Shows the user what is on disk by now.
    pub fn tell(&mut self) {
        for mut news in self.news.drain(..) {
            news.message = news.message.take().map(|text| self.mask.text(&text));
            if let (Some(label), Some(node)) = (&self.label, &mut news.node) {
                node.insert_str(0, label);
            }
            self.progress.event(&news);
        }
        self.progress.flush();
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

    use super::*;
    use crate::progress::Observed;

    #[test]
    fn people_hear_what_is_on_disk_without_secrets_and_with_the_name_in_the_bundle() {
        let heard = Rc::new(RefCell::new(Vec::new()));
        let all = Rc::clone(&heard);
        let progress = Shared::new(Box::new(Observed(move |event: &ProgressEvent| {
            all.borrow_mut().push(event.clone());
        })));
        let conf = BTreeMap::from([("db.password".to_owned(), "hunter2!".to_owned())]);
        let journal = EventJournal::new("1-C".to_owned(), progress, Mask::of(&conf));
        let mut journal = journal.labeled(Some("ingest".to_owned()));
        let words = "login with hunter2!".to_owned();
        journal.state(Some("@3".to_owned()), "FAILED", Some(words));
        journal.note(None, "UPDATE", None);
        assert!(!journal.is_clean() && heard.borrow().is_empty());
        let log = journal.take_log();
        assert_eq!(log[0].node.as_deref(), Some("@3"));
        assert!(journal.is_clean());
        journal.tell();
        journal.tell();
        let heard = heard.borrow();
        let nodes: Vec<Option<&str>> = heard.iter().map(|it| it.node.as_deref()).collect();
        assert_eq!(nodes, [Some("ingest@3"), None]);
        assert_eq!(heard[0].status.as_deref(), Some("FAILED"));
        assert_eq!(heard[1].status, None);
        assert!(
            !heard[0]
                .message
                .as_ref()
                .is_some_and(|it| it.contains("hunter2!"))
        );
    }
}
