//! What the driver of a coordinator or of a bundle has to tell: first on disk, then to people.

use super::{Progress, ProgressEvent, Shared};
use crate::{clock, secrets::Mask, store::LogRow};

/// The events of one job, between their happening and their being told.
pub struct Journal {
    job: String,
    /// What the next transaction writes.
    log: Vec<LogRow>,
    /// What people see once it is written.
    news: Vec<ProgressEvent>,
    progress: Shared,
    mask: Mask,
}

impl Journal {
    /// `mask` has what nobody is shown of the job.
    pub fn new(job: String, progress: Shared, mask: Mask) -> Journal {
        Journal {
            job,
            log: Vec::new(),
            news: Vec::new(),
            progress,
            mask,
        }
    }

    /// Where the jobs that this one makes show their events too.
    pub fn progress(&self) -> Shared {
        self.progress.clone()
    }

    /// What nobody is shown.
    pub fn mask(&self) -> &Mask {
        &self.mask
    }

    /// The job's properties have changed.
    pub fn set_mask(&mut self, mask: Mask) {
        self.mask = mask;
    }

    /// The job, or `node` of it, has a new state.
    pub fn state(&mut self, node: Option<String>, status: &str, message: Option<String>) {
        self.add(node, status, Some(status.to_owned()), message);
    }

    /// Something happened that is no state.
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

    /// Nothing is to be written.
    pub fn is_clean(&self) -> bool {
        self.log.is_empty()
    }

    /// The lines for the transaction that is being written.
    pub fn take_log(&mut self) -> Vec<LogRow> {
        std::mem::take(&mut self.log)
    }

    /// Tells people what is on disk by now.
    pub fn tell(&mut self) {
        for mut news in self.news.drain(..) {
            news.message = news.message.take().map(|text| self.mask.text(&text));
            self.progress.event(&news);
        }
        self.progress.flush();
    }
}
