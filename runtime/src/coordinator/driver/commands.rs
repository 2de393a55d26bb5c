//! Carrying out what other terminals ask of a coordinator.

use std::{collections::BTreeSet, rc::Rc};

use hpdlc_core::coordinator::machine::{
    self, ActionRecord, Change, Event, NewStatus, Refusal, Rerun, Scope,
};

use crate::{
    clock,
    coordinator::{
        data,
        driver::{Driver, load::definitions},
        request::{Request, RerunRequest, Selection, UpdateRequest},
        submission::Revision,
    },
    exit::RunError,
    files::AccessSettings,
    store::{
        CommandRow,
        commands::Handled,
        coordinators::{self as rows, CoordinatorActionRow, Moved, RevisionRow},
    },
};

/// Why a command is not carried out, in words with Oozie's code.
type Refused = String;

impl Driver {
    /// Carries out the open commands, each as if the one before were long done; the answers share the transaction.
    pub(super) fn take_commands(&mut self) -> Result<(), RunError> {
        let commands = self
            .writer
            .commands()
            .map_err(|error| self.store_failure(&error))?;
        for CommandRow { id, verb, .. } in commands {
            let refusal = self.obey(&verb).err();
            self.handled.push(Handled {
                id,
                time: clock::now_millis(),
                refusal,
            });
            // A row is selected by what the last command has made of it.
            self.commit()?;
            if self.has_moved {
                break;
            }
        }
        Ok(())
    }

    fn obey(&mut self, text: &str) -> Result<(), Refused> {
        let Some(request) = Request::parse(text) else {
            // A newer executable may ask for what this one does not know.
            let words = format!("unknown command `{text}`");
            self.journal.warn(None, words.clone());
            return Err(words);
        };
        let event = match request {
            Request::Start => {
                if self.is_started() {
                    let status = self.state.job().status;
                    return Err(format!(
                        "coordinator {} is {status} and was started before; only a PREP one can be started (E0801)",
                        self.id()
                    ));
                }
                self.begin();
                Event::Tick
            }
            Request::Suspend => Event::Suspend,
            Request::Resume => Event::Resume,
            Request::Kill => Event::Kill,
            Request::KillActions(selection) => {
                let selected = self.select(&selection)?;
                Event::KillActions(selected.iter().map(|record| record.number).collect())
            }
            Request::IgnoreActions(selection) => Event::IgnoreActions(self.select(&selection)?),
            Request::Ignore => Event::Change(Change {
                status: Some(NewStatus::Ignored),
                ..Change::default()
            }),
            Request::Change(text) => {
                let zone = self.definitions.current().job.processing_zone();
                Event::Change(Change::parse(&text, zone).map_err(|refusal| self.words(&refusal))?)
            }
            Request::Rerun(request) => return self.rerun(&request),
            Request::Update(request) => return self.update(*request),
        };
        match self.apply(event) {
            Some(refusal) => Err(self.words(&refusal)),
            None => Ok(()),
        }
    }

    fn words(&self, refusal: &Refusal) -> Refused {
        format!(
            "coordinator {}: {} ({})",
            self.id(),
            refusal.message,
            refusal.code
        )
    }

    /// The rows of the actions that the command line names. A number that no action has is passed over; a single date must
    /// be that of one.
    fn select(&self, selection: &Selection) -> Result<Vec<ActionRecord>, Refused> {
        let zone = self.definitions.current().job.processing_zone();
        let scope = match selection {
            Selection::Actions(text) => Scope::numbers(text),
            Selection::Dates(text) => Scope::times(text, zone),
        };
        let scope = scope.map_err(|error| error.to_string())?;
        let connection = self.writer.connection();
        let failed = |error: rusqlite::Error| format!("the store: {error}");
        let mut found: Vec<CoordinatorActionRow> = Vec::new();
        match scope {
            Scope::Numbers(ranges) => {
                let last = self.state.job().last_number;
                let mut numbers = BTreeSet::new();
                for (first, end) in ranges {
                    numbers.extend(first..=end.min(last));
                }
                for number in numbers {
                    found.extend(rows::action(connection, self.id(), number).map_err(failed)?);
                }
            }
            Scope::Times(ranges) => {
                for (first, end) in ranges {
                    let (from, to) = (first.timestamp_millis(), end.timestamp_millis());
                    let between =
                        rows::actions_between(connection, self.id(), from, to).map_err(failed)?;
                    if between.is_empty() && first == end {
                        return Err(format!(
                            "coordinator {} has no action at {} (E0605)",
                            self.id(),
                            zone.write(first)
                        ));
                    }
                    found.extend(between);
                }
            }
        }
        let mut seen = BTreeSet::new();
        found.retain(|row| seen.insert(row.record.number));
        Ok(found.into_iter().map(|row| row.record).collect())
    }

    fn rerun(&mut self, request: &RerunRequest) -> Result<(), Refused> {
        let actions = self.select(&request.selection)?;
        if let Some(refusal) = self.state.refuses_rerun(&actions) {
            return Err(self.words(&refusal));
        }
        if !request.nocleanup && !request.failed {
            self.clean(&actions)?;
        }
        let how = Rerun {
            refresh: request.refresh,
            failed: request.failed,
        };
        match self.apply(Event::Rerun { actions, how }) {
            Some(refusal) => Err(self.words(&refusal)),
            None => {
                // It may be over, or nobody may have begun it since.
                self.begin();
                self.dirty_job = true;
                Ok(())
            }
        }
    }

    /// Removes what the actions have put out (`CoordRerunXCommand.cleanupOutputEvents`).
    fn clean(&mut self, actions: &[ActionRecord]) -> Result<(), Refused> {
        for record in actions {
            let current = self.state.job().revision;
            let Some(revision) = self.revisions.get(&current) else {
                continue;
            };
            let settings = AccessSettings::of(&revision.conf, &self.session.site);
            let texts = &revision.texts;
            let outputs = machine::outputs_to_clean(&revision.coordinator, record);
            let outputs: Vec<String> = outputs
                .into_iter()
                .filter(|(event, _)| !texts.keeps(event))
                .map(|(_, uri)| uri)
                .collect();
            for uri in outputs {
                data::remove(&uri, &settings).map_err(|problem| {
                    format!(
                        "the output of action {} cannot be removed: {problem}; nothing was run again (E0907)",
                        record.number
                    )
                })?;
                let node = format!("@{}", record.number);
                self.journal.note(Some(node), "CLEANUP", Some(uri));
            }
        }
        Ok(())
    }

    /// Takes another definition, or other properties.
    fn update(&mut self, request: UpdateRequest) -> Result<(), Refused> {
        let UpdateRequest {
            hash,
            app,
            conf,
            texts,
        } = request;
        let stored_conf = serde_json::to_string(&conf).expect("a map of strings is JSON");
        let stored_texts = serde_json::to_string(&texts).expect("texts are JSON");
        let name = self.row.parent_node.as_deref();
        let revision = Revision::new(texts, conf, name, &self.session.site, hash.clone())?;
        let old = self.definitions.current();
        if let Some(refusal) = machine::refuses_update(self.state.job(), old, &revision.coordinator)
        {
            return Err(self.words(&refusal));
        }
        let number = self.state.job().revision + 1;
        self.revisions.insert(number, Rc::new(revision));
        self.journal.set_mask(self.mask());
        self.definitions = definitions(&self.revisions, number).ok_or_else(|| {
            format!(
                "coordinator {}: revision {number} is not there",
                self.row.id
            )
        })?;
        if let Some(refusal) = self.apply(Event::Update) {
            return Err(self.words(&refusal));
        }
        self.added.push(RevisionRow {
            revision: number,
            hash: hash.clone(),
            created: clock::now_millis(),
            conf: stored_conf.clone(),
            texts: stored_texts,
        });
        self.dirty_job = true;
        let words = format!("revision {number}, definition {hash}");
        self.journal.note(None, "UPDATE", Some(words));
        self.has_moved = hash != self.session.program.hash;
        self.row.hash.clone_from(&hash);
        self.row.app.clone_from(&app);
        self.row.conf.clone_from(&stored_conf);
        self.moved = Some(Moved {
            job_id: self.row.id.clone(),
            hash,
            app,
            conf: stored_conf,
        });
        Ok(())
    }
}
