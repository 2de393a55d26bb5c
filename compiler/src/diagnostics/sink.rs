//! The collector of diagnostics that all rooms emit to.

mod allowed;

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use self::allowed::Allowed;
use super::{
    Allow, Diagnostic, IntoDiagnostic, Level, Lint, LintLevel, LintLevels, Place, Rule, Rules,
};
use crate::source::FileId;

/// The number of diagnostics that are kept per rule; further ones are only counted. A document of megabytes can have a
/// million mistakes.
const MAX_OF_RULE: usize = 10_000;

/// Collects diagnostics, at the levels that the user chose, and returns them in order.
#[derive(Debug)]
pub struct Sink {
    levels: LintLevels,
    allowed: Allowed,
    diagnostics: Vec<Diagnostic>,
    /// How many diagnostics of each rule are kept, and how many are dropped.
    counts: BTreeMap<&'static str, (usize, usize)>,
    n_found: usize,
    has_errors: bool,
}

/// A sink that knows no lint by its name, for a room alone.
impl Default for Sink {
    fn default() -> Sink {
        Sink::new(LintLevels::new(Rules::NONE))
    }
}

impl Sink {
    pub fn new(levels: LintLevels) -> Sink {
        Sink {
            levels,
            allowed: Allowed::default(),
            diagnostics: Vec::new(),
            counts: BTreeMap::new(),
            n_found: 0,
            has_errors: false,
        }
    }

    /// The rules that a document may name.
    pub fn rules(&self) -> Rules {
        self.levels.rules()
    }

    /// Sets the levels of later diagnostics: another application may have other settings.
    pub fn set_levels(&mut self, levels: LintLevels) {
        self.levels = levels;
    }

    /// Adds a suppression comment of a document, for later diagnostics.
    pub fn allow(&mut self, allow: Allow) {
        self.allowed.add(allow);
    }

    /// The suppression comments that suppressed nothing. Those of documents with mistakes are excluded, because not all
    /// checks ran there. From here on nothing is suppressed by documents.
    pub fn take_useless_allows(&mut self) -> Vec<Allow> {
        let is_mistake = |diagnostic: &&Diagnostic| {
            matches!(diagnostic.rule, Rule::Code(_)) && diagnostic.level == Level::Error
        };
        let mistakes = self.diagnostics.iter().filter(is_mistake);
        let broken: BTreeSet<FileId> = mistakes.filter_map(Diagnostic::file).collect();
        let mut useless = std::mem::take(&mut self.allowed).into_unused();
        useless.retain(|allow| !broken.contains(&allow.place.file));
        useless
    }

    /// An empty sink with the same suppressions, for work on another thread.
    pub fn beside(&self) -> Sink {
        Sink {
            allowed: self.allowed.clone(),
            ..Sink::new(self.levels.clone())
        }
    }

    /// The number of mistakes emitted, including suppressed ones. If it does not grow, nothing was found.
    pub fn n_found(&self) -> usize {
        self.n_found
    }

    /// Takes over the diagnostics of another sink, made by [`Sink::beside`].
    pub fn append(&mut self, mut other: Sink) {
        self.has_errors |= other.has_errors;
        self.n_found += other.n_found;
        self.diagnostics.append(&mut other.diagnostics);
        for (id, (n_kept, n_left_out)) in other.counts {
            let counts = self.counts.entry(id).or_default();
            counts.0 += n_kept;
            counts.1 += n_left_out;
        }
        self.allowed.take_uses(&other.allowed);
    }

    /// Adds a mistake. What the user allows is dropped here.
    pub fn emit(&mut self, mistake: impl IntoDiagnostic) {
        self.n_found += 1;
        let diagnostic = mistake.into_diagnostic();
        if self.allowed.covers(&diagnostic, &self.levels) {
            return;
        }
        if let Some(diagnostic) = self.levels.apply(diagnostic) {
            self.has_errors |= diagnostic.level == Level::Error;
            let (n_kept, n_left_out) = self.counts.entry(diagnostic.rule.id()).or_default();
            if *n_kept < MAX_OF_RULE {
                *n_kept += 1;
                self.diagnostics.push(diagnostic.shortened());
            } else {
                *n_left_out += 1;
            }
        }
    }

    /// Whether any diagnostic so far is an error, including denied lints.
    pub fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// The number of errors that were kept so far.
    pub fn n_errors(&self) -> usize {
        let errors = self.diagnostics.iter();
        errors.filter(|it| it.level == Level::Error).count()
    }

    /// Whether an error about `file` has a code with one of these prefixes, such as `H03`.
    pub fn has_errors_like(&self, file: FileId, beginnings: &[&str]) -> bool {
        self.diagnostics.iter().any(|diagnostic| {
            let id = diagnostic.rule.id();
            diagnostic.level == Level::Error
                && diagnostic.file() == Some(file)
                && beginnings.iter().any(|beginning| id.starts_with(beginning))
        })
    }

    /// The files that errors are about.
    pub fn files_with_errors(&self) -> BTreeSet<FileId> {
        let errors = self.diagnostics.iter();
        let errors = errors.filter(|diagnostic| diagnostic.level == Level::Error);
        errors.filter_map(Diagnostic::file).collect()
    }

    /// The diagnostics that were kept so far, as they were found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter()
    }

    /// Removes diagnostics, and returns them.
    pub fn take(&mut self, is_wanted: impl Fn(&Diagnostic) -> bool) -> Vec<Diagnostic> {
        let all = std::mem::take(&mut self.diagnostics);
        let (taken, left) = all.into_iter().partition(is_wanted);
        self.diagnostics = left;
        let mut left = self.diagnostics.iter();
        self.has_errors = left.any(|diagnostic| diagnostic.level == Level::Error);
        taken
    }

    /// Replaces diagnostics by what `change` makes of them.
    pub fn change(
        &mut self,
        is_wanted: impl Fn(&Diagnostic) -> bool,
        change: impl Fn(Diagnostic) -> Diagnostic,
    ) {
        for diagnostic in &mut self.diagnostics {
            if is_wanted(diagnostic) {
                *diagnostic = change(diagnostic.clone());
            }
        }
    }

    /// Whether findings of `lint` would be dropped, so that an expensive search can be skipped.
    pub fn is_allowed(&self, lint: &Lint) -> bool {
        self.levels.level_of(lint) == LintLevel::Allow
    }

    /// The diagnostics that were kept, in the order of [`sorted`].
    pub fn into_sorted(self) -> Vec<Diagnostic> {
        let mut sorted = sorted(self.diagnostics);
        for (id, (_, n_left_out)) in self.counts {
            // Appended after the last one that is listed.
            let last = sorted.iter().rposition(|other| other.rule.id() == id);
            if let (Some(last), true) = (last, n_left_out > 0) {
                let message = match n_left_out {
                    1 => "1 more place is not listed".to_owned(),
                    more => format!("{more} more places are not listed"),
                };
                let mut rest = Diagnostic {
                    message,
                    ..sorted[last].clone()
                };
                rest.labels.clear();
                rest.notes.clear();
                rest.help.clear();
                rest.xml_help.clear();
                rest.suggestions.clear();
                sorted.insert(last + 1, rest);
            }
        }
        sorted
    }
}

/// Without duplicates, ordered by file, then place, then code. Diagnostics without a loaded file come first, and those about
/// a whole file before the places in it.
pub fn sorted(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    // The sort is stable: mistakes with the same code and place stay in the order in which they were found.
    diagnostics.sort_by(by_place);
    let mut seen_here: BTreeSet<(Level, String)> = BTreeSet::new();
    let mut previous: Option<Diagnostic> = None;
    let mut sorted = Vec::with_capacity(diagnostics.len());
    for diagnostic in diagnostics {
        let is_new_place = previous
            .as_ref()
            .is_none_or(|previous| by_place(previous, &diagnostic) != Ordering::Equal);
        if is_new_place {
            seen_here.clear();
        }
        if seen_here.insert((diagnostic.level, diagnostic.message.clone())) {
            sorted.extend(previous.replace(diagnostic));
        }
    }
    sorted.extend(previous);
    sorted
}

fn by_place(left: &Diagnostic, right: &Diagnostic) -> Ordering {
    place_key(&left.place)
        .cmp(&place_key(&right.place))
        .then_with(|| left.rule.id().cmp(right.rule.id()))
}

fn place_key(place: &Place) -> (Option<u32>, Option<(u32, u32)>, &str) {
    match place {
        Place::Path(path) => (None, None, path),
        Place::File(file) => (Some(file.0), None, ""),
        Place::Span(span) => (Some(span.file.0), Some((span.start, span.end)), ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        diagnostics::Code,
        source::{FileId, Span},
    };

    static FIRST: Code = code("H9901", Level::Error);
    static SECOND: Code = code("H9902", Level::Warning);
    static QUIET: Lint = Lint {
        name: "quiet_things",
        default_level: LintLevel::Allow,
        oozie: &[],
        explanation: "",
    };

    const fn code(id: &'static str, level: Level) -> Code {
        Code {
            id,
            name: "made_for_the_test",
            level,
            oozie: &[],
            explanation: "",
        }
    }

    fn span(file: u32, start: u32) -> Span {
        Span::new(FileId(file), start, start + 1)
    }

    fn messages(sink: Sink) -> Vec<String> {
        sink.into_sorted()
            .into_iter()
            .map(|diagnostic| diagnostic.message)
            .collect()
    }

    #[test]
    fn order_is_file_then_place_then_code() {
        let mut sink = Sink::default();
        sink.emit(Diagnostic::new(&FIRST, span(1, 0), "second file"));
        sink.emit(Diagnostic::new(
            &SECOND,
            span(0, 5),
            "same place, later code",
        ));
        sink.emit(Diagnostic::new(
            &FIRST,
            span(0, 5),
            "same place, earlier code",
        ));
        sink.emit(Diagnostic::new(&SECOND, span(0, 2), "earlier place"));
        sink.emit(Diagnostic::for_file(&FIRST, FileId(0), "whole file"));
        sink.emit(Diagnostic::for_path(&FIRST, "app/", "no file"));
        assert_eq!(
            messages(sink),
            [
                "no file",
                "whole file",
                "earlier place",
                "same place, earlier code",
                "same place, later code",
                "second file"
            ]
        );
    }

    #[test]
    fn same_message_at_the_same_place_is_kept_once() {
        let mut sink = Sink::default();
        sink.emit(Diagnostic::new(&FIRST, span(0, 5), "one"));
        sink.emit(Diagnostic::new(&FIRST, span(0, 5), "two"));
        sink.emit(Diagnostic::new(&FIRST, span(0, 5), "one"));
        sink.emit(Diagnostic::new(&FIRST, span(0, 6), "one"));
        assert_eq!(messages(sink), ["one", "two", "one"]);
    }

    #[test]
    fn errors_are_noticed_and_allowed_lints_dropped() {
        let mut sink = Sink::default();
        assert!(sink.is_allowed(&QUIET));
        sink.emit(Diagnostic::new(&QUIET, span(0, 0), "quiet"));
        sink.emit(Diagnostic::new(&SECOND, span(0, 0), "warning"));
        assert!(!sink.has_errors());
        sink.emit(Diagnostic::new(&FIRST, span(0, 0), "error"));
        assert!(sink.has_errors());
        assert_eq!(messages(sink), ["error", "warning"]);
    }

    #[test]
    fn of_a_million_mistakes_some_are_kept_and_all_counted() {
        let mut sink = Sink::default();
        for at in 0..1_000_000 {
            if at % 100_000 == 0 {
                let mut of_thread = sink.beside();
                of_thread.emit(Diagnostic::new(&SECOND, span(0, at), "warning"));
                sink.append(of_thread);
            }
            sink.emit(Diagnostic::new(&FIRST, span(0, at), "error"));
        }
        let sorted = sink.into_sorted();
        assert_eq!(sorted.len(), MAX_OF_RULE + 1 + 10);
        let messages: Vec<&str> = sorted.iter().map(|one| one.message.as_str()).collect();
        assert!(messages.contains(&"990000 more places are not listed"));
    }

    #[test]
    fn texts_of_megabytes_are_cut() {
        let mut sink = Sink::default();
        let long = "ä".repeat(1_000_000);
        sink.emit(Diagnostic::new(&FIRST, span(0, 0), long.clone()).note(long));
        let only = sink.into_sorted().remove(0);
        assert!(only.message.len() < 5_000 && only.message.ends_with("ä…"));
        assert!(only.notes[0].len() < 5_000);
    }

    #[test]
    fn denied_warnings_are_errors() {
        let mut levels = LintLevels::new(Rules::NONE);
        levels
            .set(crate::diagnostics::WARNINGS, LintLevel::Deny)
            .expect("the group is known");
        let mut sink = Sink::new(levels);
        sink.emit(Diagnostic::new(&SECOND, span(0, 0), "warning"));
        assert!(sink.has_errors());
        assert_eq!(sink.into_sorted()[0].level, Level::Error);
    }
}
