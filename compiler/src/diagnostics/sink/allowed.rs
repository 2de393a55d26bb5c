//! The suppression comments of documents, indexed by place: a document may have as many comments as lines.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    diagnostics::{Allow, Diagnostic, LintLevels, Place},
    source::{FileId, Span},
};

/// The comments of documents, and whether each suppressed something.
#[derive(Debug, Clone, Default)]
pub(super) struct Allowed {
    /// In the order in which they were found.
    all: Vec<AllowEntry>,
    places: BTreeSet<Span>,
    /// By file and lint, in the order of their scopes.
    by_lint: BTreeMap<FileId, BTreeMap<&'static str, Vec<usize>>>,
}

#[derive(Debug, Clone)]
struct AllowEntry {
    allow: Allow,
    is_used: bool,
    /// The innermost one of the same lint whose scope contains this one.
    around: Option<usize>,
}

impl Allowed {
    pub(super) fn add(&mut self, allow: Allow) {
        // A document may be read again, as the child of another.
        if !self.places.insert(allow.place) {
            return;
        }
        let file = self.by_lint.entry(allow.scope.file).or_default();
        let of_lint = file.entry(allow.lint).or_default();
        // A document is read from its beginning, and scopes are elements: they are nested or disjoint.
        let mut around = of_lint.last().copied();
        while let Some(number) = around
            && !self.all[number].allow.scope.contains(allow.scope)
        {
            around = self.all[number].around;
        }
        of_lint.push(self.all.len());
        self.all.push(AllowEntry {
            allow,
            is_used: false,
            around,
        });
    }

    /// Whether a comment suppresses `diagnostic`; all that do are marked as used.
    pub(super) fn covers(&mut self, diagnostic: &Diagnostic, levels: &LintLevels) -> bool {
        let file = match &diagnostic.place {
            Place::Span(span) => span.file,
            Place::File(file) => *file,
            Place::Path(_) => return false,
        };
        let Some(of_file) = self.by_lint.get(&file) else {
            return false;
        };
        let mut covers = false;
        for of_lint in of_file.values() {
            // All entries of a list have the same lint, so the first decides.
            let first = of_lint.first().map(|&number| &self.all[number].allow);
            if first.is_none_or(|allow| !allow.means(diagnostic, levels)) {
                continue;
            }
            let before = match &diagnostic.place {
                Place::Span(span) => of_lint
                    .partition_point(|&number| self.all[number].allow.scope.start <= span.start),
                // Comments before the root come first, each inside the scope of the one before.
                Place::File(_) | Place::Path(_) => {
                    of_lint.partition_point(|&number| self.all[number].allow.is_whole_file)
                }
            };
            let mut next = before.checked_sub(1).map(|place| of_lint[place]);
            while let Some(number) = next {
                let entry = &mut self.all[number];
                if entry.allow.covers(diagnostic, levels) {
                    covers = true;
                    // If it is used already, so are those around it.
                    if std::mem::replace(&mut entry.is_used, true) {
                        break;
                    }
                }
                next = entry.around;
            }
        }
        covers
    }

    /// Takes over which comments a copy of this has used.
    pub(super) fn take_uses(&mut self, copy: &Allowed) {
        for (own, other) in self.all.iter_mut().zip(&copy.all) {
            own.is_used |= other.is_used && own.allow.place == other.allow.place;
        }
    }

    /// Those that suppressed nothing.
    pub(super) fn into_unused(self) -> Vec<Allow> {
        let unused = self.all.into_iter().filter(|entry| !entry.is_used);
        unused.map(|entry| entry.allow).collect()
    }
}
