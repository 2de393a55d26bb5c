//! The report for people, in the layout of rustc.
//!
//! Rendered by annotate-snippets. It scans all of the source that it is given for each report, so it gets windows: the lines
//! from the first to the last label, and separate windows for labels that are far apart. Of very long lines a window has
//! only a part, and the column is given explicitly, since it would be counted within the window. annotate-snippets keeps
//! control characters in labels, notes and replacements, which may quote a file; they are made visible here.

use std::borrow::Cow;

use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level as Heading, Origin, Patch, Renderer, Snippet,
    normalize_untrusted_str,
};
use hpdlc_core::visible;

use crate::{
    diagnostics::{Diagnostic, Label, Level, Place, Suggestion},
    source::{FileId, Position, SourceMap, Span},
};

/// Labels at most this many lines apart share a window; the lines between them are folded.
const NEAR_LINES: u32 = 100;

/// Labels that are more bytes apart have separate windows, however few lines are between them.
const NEAR_BYTES: u32 = 16 * 1024;

/// The number of bytes around the labels that a window contains, far more than the width of a terminal. A document may be
/// one line of megabytes, which would otherwise be scanned for each mistake in it.
const MOST_AROUND: u32 = 1024;

/// Marks an omitted part of a line, as annotate-snippets writes it.
const CUT: &str = "...";

/// Precedes a place that is counted within a window. A Unicode noncharacter, which occurs in no text.
const PLACE_IN_WINDOW: char = '\u{fdd0}';

const BYTE_ORDER_MARK: char = '\u{feff}';

/// Rendering options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    pub color: bool,
    /// Columns of the terminal; longer lines are truncated around the labels.
    pub width: usize,
}

impl Default for Style {
    /// Without color, with rustc's default width for a terminal of unknown width.
    fn default() -> Style {
        Style {
            color: false,
            width: annotate_snippets::renderer::DEFAULT_TERM_WIDTH,
        }
    }
}

/// The report of a diagnostic, without a line end. Reports are separated by an empty line.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, style: Style) -> String {
    let heading = match diagnostic.level {
        Level::Error => Heading::ERROR,
        Level::Warning => Heading::WARNING,
        Level::Note => Heading::NOTE,
    };
    let mut report = heading
        .primary_title(visible::line(&diagnostic.message))
        .id(diagnostic.rule.id())
        .elements(places(diagnostic, sources));
    for note in &diagnostic.notes {
        report = report.element(Heading::NOTE.message(shown(note)));
    }
    for help in &diagnostic.help {
        report = report.element(Heading::HELP.message(shown(help)));
    }
    let suggestions = diagnostic
        .suggestions
        .iter()
        .map(|suggestion| patches(suggestion, diagnostic.file(), sources, style.width));
    let groups: Vec<Group<'_>> = std::iter::once(report).chain(suggestions).collect();
    let renderer = if style.color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    without_places_in_windows(renderer.term_width(style.width).render(&groups))
}

/// Text of several lines without terminal control characters.
fn shown(text: &str) -> String {
    normalize_untrusted_str(&visible::lines(text))
}

/// The source windows with labels, the one with the primary place first.
fn places<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Vec<Element<'a>> {
    let mut marks: Vec<SpanMark<'a>> = diagnostic.labels.iter().map(SpanMark::of_label).collect();
    let mut places: Vec<Element<'a>> = Vec::new();
    match &diagnostic.place {
        Place::Span(span) => {
            if !marks.iter().any(|mark| mark.is_primary) {
                marks.push(SpanMark {
                    span: *span,
                    text: None,
                    is_primary: true,
                });
            }
        }
        Place::File(file) => places.push(Origin::path(sources.path(*file)).into()),
        Place::Path(path) => places.push(Origin::path(path.as_str()).into()),
    }
    let mut windows = windows(marks, |mark| mark.span, sources, MOST_AROUND);
    // The sort is stable: the others stay in the order of their places.
    windows.sort_by_key(|window| !window.items.iter().any(|mark| mark.is_primary));
    places.extend(windows.into_iter().map(|window| {
        let marks = window.items.iter();
        let annotations: Vec<_> = marks.map(|mark| mark.annotation(&window)).collect();
        let (path, first_line) = (window.path(sources), window.first_line);
        Snippet::source(window.text)
            .path(path)
            .line_start(first_line)
            .annotations(annotations)
            .into()
    }));
    places
}

/// A suggestion as a separate group, with the lines that it changes; long lines are truncated around the change here,
/// because annotate-snippets shows the lines of suggestions whole.
fn patches<'a>(
    suggestion: &'a Suggestion,
    reported: Option<FileId>,
    sources: &'a SourceMap,
    width: usize,
) -> Group<'a> {
    let windows = windows(
        suggestion.edits.iter().collect(),
        |(span, _)| *span,
        sources,
        u32::try_from(width / 2).unwrap_or(MOST_AROUND),
    );
    let snippets = windows.into_iter().map(|window| {
        let start = if window.is_cut { CUT } else { "" };
        let end = if window.is_end_cut { CUT } else { "" };
        let patches = window.items.iter().map(|(span, replacement)| {
            let range = window.range_of(*span);
            let range = range.start + start.len()..range.end + start.len();
            let secrets = sources.secrets(window.file);
            Patch::new(range, secrets.without_values(&shown(replacement)))
        });
        let snippet = Snippet::source([start, &*window.text, end].concat())
            .line_start(window.first_line)
            .patches(patches);
        // annotate-snippets omits the path too if it gets none with a place.
        if window.is_cut && reported == Some(window.file) {
            snippet
        } else {
            let first = window.items.first().map(|(span, _)| *span);
            snippet.path(window.path_to(first, sources))
        }
    });
    Heading::HELP
        .secondary_title(shown(&suggestion.message))
        .elements(snippets)
}

struct SpanMark<'a> {
    span: Span,
    text: Option<&'a str>,
    is_primary: bool,
}

impl<'a> SpanMark<'a> {
    fn of_label(label: &'a Label) -> SpanMark<'a> {
        SpanMark {
            span: label.span,
            text: Some(label.text.as_str()),
            is_primary: label.primary,
        }
    }

    fn annotation(&self, window: &SourceWindow<'a, SpanMark<'a>>) -> Annotation<'a> {
        let kind = if self.is_primary {
            AnnotationKind::Primary
        } else {
            AnnotationKind::Context
        };
        kind.span(window.range_of(self.span))
            .label(self.text.map(shown))
    }
}

/// A part of a file, and what is shown in it.
struct SourceWindow<'a, T> {
    file: FileId,
    /// The offset of the first byte of `text` in the file.
    start: usize,
    /// Without secrets.
    text: Cow<'a, str>,
    first_line: usize,
    /// It does not start at the beginning of its first line.
    is_cut: bool,
    /// It does not end at the end of its last line.
    is_end_cut: bool,
    items: Vec<T>,
}

impl<T> SourceWindow<'_, T> {
    /// A span of the file as indices into the window's text.
    fn range_of(&self, span: Span) -> std::ops::Range<usize> {
        let within = |offset: usize| {
            self.text
                .floor_char_boundary(offset.saturating_sub(self.start))
        };
        let range = span.range();
        within(range.start)..within(range.end)
    }

    /// The path to show for the file, and for a place in it. The place within the window, which annotate-snippets appends,
    /// is only correct if the window starts at the beginning of a line; otherwise the correct one is put before it, and
    /// [`without_places_in_windows`] removes the other.
    fn path_to<'a>(&self, place: Option<Span>, sources: &'a SourceMap) -> Cow<'a, str> {
        let path = sources.path(self.file);
        match place {
            Some(place) if self.is_cut => {
                let Position { line, column, .. } = sources.position(self.file, place.start);
                format!("{path}:{line}:{column}{PLACE_IN_WINDOW}").into()
            }
            Some(_) | None => path.into(),
        }
    }
}

impl SourceWindow<'_, SpanMark<'_>> {
    /// [`SourceWindow::path_to`] for the primary place, or the first one.
    fn path<'a>(&self, sources: &'a SourceMap) -> Cow<'a, str> {
        let primary = self.items.iter().find(|mark| mark.is_primary);
        let shown = primary.or_else(|| self.items.first());
        self.path_to(shown.map(|mark| mark.span), sources)
    }
}

/// The report without each [`PLACE_IN_WINDOW`] and the `:line:column` after it.
fn without_places_in_windows(report: String) -> String {
    let mut parts = report.split(PLACE_IN_WINDOW);
    let mut cleaned = parts.next().unwrap_or("").to_owned();
    for part in parts {
        cleaned.push_str(part.trim_start_matches(|c: char| c == ':' || c.is_ascii_digit()));
    }
    cleaned
}

/// Groups items into windows, in the order of files and places. Of lines before and after them that are longer, a window
/// contains `most_around` bytes.
fn windows<T>(
    mut items: Vec<T>,
    span_of: impl Fn(&T) -> Span,
    sources: &SourceMap,
    most_around: u32,
) -> Vec<SourceWindow<'_, T>> {
    items.sort_by_key(|item| span_of(item));
    let mut groups: Vec<(Span, u32, Vec<T>)> = Vec::new();
    for item in items {
        let span = span_of(&item);
        let first_line = sources.position(span.file, span.start).line;
        let last_line = sources.position(span.file, span.end).line;
        match groups.last_mut() {
            Some((covered, covered_last_line, group))
                if covered.file == span.file
                    && first_line <= covered_last_line.saturating_add(NEAR_LINES)
                    && span.start <= covered.end.saturating_add(NEAR_BYTES) =>
            {
                *covered = covered.to(span);
                *covered_last_line = last_line.max(*covered_last_line);
                group.push(item);
            }
            Some(_) | None => groups.push((span, last_line, vec![item])),
        }
    }
    groups
        .into_iter()
        .map(|(covered, _, items)| {
            let whole = sources.text(covered.file);
            let (first_line, lines) = sources.line_index(covered.file).lines_of(whole, covered);
            // Other lines are kept whole.
            let is_long = |at: u32| {
                let at = Span::new(covered.file, at, at);
                let (_, line) = sources.line_index(covered.file).lines_of(whole, at);
                line.end - line.start > most_around.saturating_mul(2)
            };
            let start = match is_long(covered.start) {
                true => covered.start.saturating_sub(most_around).max(lines.start),
                false => lines.start,
            };
            let end = match is_long(covered.end) {
                true => covered.end.saturating_add(most_around).min(lines.end),
                false => lines.end,
            };
            let start = whole.ceil_char_boundary(index(start));
            let end = whole.floor_char_boundary(index(end)).max(start);
            let text = &whole[start..end];
            // Neither of them is visible.
            let text = text.strip_suffix('\r').unwrap_or(text);
            let visible = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
            let start_of_visible = start + (text.len() - visible.len());
            let range = start_of_visible..start_of_visible + visible.len();
            SourceWindow {
                file: covered.file,
                start: start_of_visible,
                text: sources.shown(covered.file, range),
                first_line: index(first_line),
                is_cut: start > index(lines.start),
                is_end_cut: end < index(lines.end),
                items,
            }
        })
        .collect()
}

fn index(n: u32) -> usize {
    usize::try_from(n).expect("usize has at least 32 bits")
}

#[cfg(test)]
mod tests;
