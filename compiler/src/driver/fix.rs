//! `check --fix`: applies the suggestions that are certain, until a fixed point is reached, and then writes the files.
//!
//! Between the rounds the texts are kept in memory and no file is modified. Files are identified by their real paths, so
//! that one that several applications or links lead to is fixed once, in place.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{
    diagnostics::{Applicability, Diagnostic, Suggestion},
    driver::{
        Failure,
        application::Arguments,
        check::{self, Checked},
        read::SourceOverlay,
        writer,
    },
    source::{FileId, Span},
};

/// The maximum number of rounds: every suggestion that is certain brings the text nearer to a correct one, so more rounds
/// are only needed by suggestions that undo each other.
const MAX_ROUNDS: usize = 100;

/// A file that was fixed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixedFile {
    /// As given or found.
    pub path: String,
    pub n_fixes: usize,
    original: String,
}

/// The remaining diagnostics, and what was fixed, by real path.
#[derive(Debug)]
pub struct FixedFiles {
    /// The result for the fixed texts.
    pub checked: Checked,
    pub files: BTreeMap<PathBuf, FixedFile>,
    texts: Arc<SourceOverlay>,
}

/// Checks the applications at `paths` and fixes what is certain. Nothing is written.
pub fn fix(paths: &[PathBuf], arguments: &Arguments) -> FixedFiles {
    let mut fixed = FixedFiles {
        checked: check::check(paths, arguments, &Arc::default()),
        files: BTreeMap::new(),
        texts: Arc::default(),
    };
    for _ in 0..MAX_ROUNDS {
        let edits = RoundEdits::of(&fixed.checked);
        if edits.by_file.is_empty() {
            break;
        }
        fixed.apply(edits);
        fixed.checked = check::check(paths, arguments, &fixed.texts);
    }
    // A text that ends up unchanged has not been fixed.
    let texts = &fixed.texts;
    fixed
        .files
        .retain(|real, file| texts.get(real) != Some(&file.original));
    fixed
}

impl FixedFiles {
    fn apply(&mut self, edits: RoundEdits) {
        let sources = &self.checked.sources;
        let texts = Arc::make_mut(&mut self.texts);
        for (real, edits) in edits.by_file {
            let Some((first, _)) = edits.accepted.first() else {
                continue;
            };
            let original = sources.text(first.file);
            let file = self.files.entry(real.clone()).or_insert_with(|| FixedFile {
                path: sources.path(first.file).to_owned(),
                n_fixes: 0,
                original: original.to_owned(),
            });
            file.n_fixes += edits.n_suggestions;
            texts.insert(real, edited(original, edits.accepted));
        }
    }

    /// Writes the fixed texts, each atomically, keeping the permissions of the file. Links are followed.
    ///
    /// # Errors
    ///
    /// A file may not be written, or has changed since it was read. It and those after it are unchanged.
    pub fn write(&self) -> Result<(), Failure> {
        // All files are checked before the first one is changed.
        for (real, file) in &self.files {
            file.expect_writable(real)?;
        }
        for (real, file) in &self.files {
            let text = self.texts.get(real).expect("a fixed file has its text");
            writer::replace_contents(real, text.as_bytes())
                .map_err(|error| Failure::io("write", Path::new(&file.path), &error))?;
        }
        Ok(())
    }
}

impl FixedFile {
    fn expect_writable(&self, real: &Path) -> Result<(), Failure> {
        let shown = Path::new(&self.path);
        let failed = |error: io::Error| Failure::io("write", shown, &error);
        if fs::metadata(real).map_err(failed)?.permissions().readonly() {
            return Err(Failure::new(format!("cannot write `{}`", self.path))
                .note("the file is read-only, and nothing was changed")
                .help(format!(
                    "allow writing, with `chmod u+w {}`, and repeat the command",
                    self.path
                )));
        }
        let bytes = fs::read(real).map_err(failed)?;
        if std::str::from_utf8(&bytes).is_err() {
            return Err(
                Failure::new(format!("`{}` is not UTF-8 and is not changed", self.path))
                    .help("convert it first: `iconv -t UTF-8`, and declare `UTF-8`"),
            );
        }
        if bytes != self.original.as_bytes() {
            return Err(
                Failure::new(format!("`{}` has changed since it was read", self.path))
                    .note("nothing was changed")
                    .help("repeat the command"),
            );
        }
        Ok(())
    }
}

/// The edits of one round, by real path.
#[derive(Default)]
struct RoundEdits {
    by_file: BTreeMap<PathBuf, FileEdits>,
}

/// Edits of one file that do not overlap.
#[derive(Default)]
struct FileEdits {
    accepted: Vec<(Span, String)>,
    n_suggestions: usize,
}

impl RoundEdits {
    fn of(checked: &Checked) -> RoundEdits {
        let mut edits = RoundEdits::default();
        let doubtful = doubtful_files(checked);
        for suggestion in checked.diagnostics.iter().filter_map(certain) {
            let is_doubtful = |span: &Span| doubtful.contains(&span.file);
            if !suggestion.edits.iter().any(|(span, _)| is_doubtful(span)) {
                edits.take(suggestion, checked);
            }
        }
        edits
    }

    /// Accepts a suggestion as a whole, or defers it to the next round.
    fn take(&mut self, suggestion: &Suggestion, checked: &Checked) {
        let mut places = Vec::with_capacity(suggestion.edits.len());
        for (span, replacement) in &suggestion.edits {
            let Some(real) = real_path(*span, checked) else {
                return;
            };
            let overlaps = self.by_file.get(&real).is_some_and(|file| {
                file.accepted
                    .iter()
                    .any(|(taken, _)| do_overlap(*taken, *span))
            });
            if overlaps {
                return;
            }
            places.push((real, *span, replacement));
        }
        if let Some((real, _, _)) = places.first() {
            self.by_file.entry(real.clone()).or_default().n_suggestions += 1;
        }
        for (real, span, replacement) in places {
            let file = self.by_file.entry(real).or_default();
            file.accepted.push((span, replacement.clone()));
        }
    }
}

/// The files with a tag that cannot be repaired with certainty, such as a template with placeholders in its attributes:
/// suggestions that seem certain beside it are guesses too.
fn doubtful_files(checked: &Checked) -> BTreeSet<FileId> {
    let is_of_tag = |diagnostic: &&Diagnostic| diagnostic.rule.id() == "H0112";
    checked
        .diagnostics
        .iter()
        .filter(is_of_tag)
        .filter(|diagnostic| certain(diagnostic).is_none())
        .filter_map(Diagnostic::file)
        .collect()
}

/// The file of a span; `None` if its source was not read from a file.
fn real_path(span: Span, checked: &Checked) -> Option<PathBuf> {
    checked.paths.get(&span.file)?.canonicalize().ok()
}

/// The suggestion that may be applied automatically. Of several, the first.
fn certain(diagnostic: &Diagnostic) -> Option<&Suggestion> {
    diagnostic
        .suggestions
        .iter()
        .find(|suggestion| suggestion.applicability == Applicability::MachineApplicable)
}

/// Whether two edits of one file touch the same text, by whatever name the file is known. Two insertions at one position do,
/// since their order would be a guess.
fn do_overlap(left: Span, right: Span) -> bool {
    if left.start == right.start {
        return true;
    }
    left.start < right.end && right.start < left.end
}

/// The text after edits that do not overlap.
fn edited(text: &str, mut edits: Vec<(Span, String)>) -> String {
    edits.sort_by_key(|(span, _)| span.start);
    let mut result = String::with_capacity(text.len());
    let mut done = 0;
    for (span, replacement) in edits {
        let range = span.range();
        result.push_str(&text[done..range.start]);
        result.push_str(&replacement);
        done = range.end;
    }
    result.push_str(&text[done..]);
    result
}

#[cfg(test)]
mod tests;
