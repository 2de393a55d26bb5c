//! Files that are templates of another tool: their mistakes that come from its markers are no mistakes of a document.

use std::{collections::BTreeMap, ops::Range, path::PathBuf};

use crate::{
    diagnostics::{Diagnostic, Level, Place, Sink},
    driver::mistakes::unrendered_templates::UnrenderedTemplate,
    source::{FileId, SourceMap, Span},
};

mod maven;

/// The markers of a template in a text.
#[derive(Debug, PartialEq, Eq)]
struct TemplateMarkers {
    language: &'static str,
    /// They enclose parts of the document, so anything may be missing or twice.
    has_blocks: bool,
    places: Vec<Range<usize>>,
}

/// Replaces the diagnostics that come from the markers of templates by one note for each file and language. `paths` are those of the files,
/// and `is_given` holds for the properties that the job has.
pub(super) fn replace_mistakes(
    sources: &SourceMap,
    paths: &BTreeMap<FileId, PathBuf>,
    is_given: &dyn Fn(&str) -> bool,
    sink: &mut Sink,
) {
    for file in sink.files_with_errors() {
        // No tool renders a program or a picture.
        if sources.text(file).contains('\0') {
            continue;
        }
        let text = without_comments(sources.text(file));
        let mut found = find(&text);
        if let Some(filtered) = of_filtered(&text, paths.get(&file), is_given) {
            found.retain(|markers| markers.language != filtered.language);
            found.push(filtered);
        }
        for markers in found {
            replace_of(file, &markers, sink);
        }
    }
}

/// The markers in a file that Maven filters: names that can be no variables of the document.
fn of_filtered(
    text: &str,
    path: Option<&PathBuf>,
    is_given: &dyn Fn(&str) -> bool,
) -> Option<TemplateMarkers> {
    let places = maven::dotted_names(text, |name| !is_given(name));
    (!places.is_empty() && maven::filters(path?)).then_some(TemplateMarkers {
        language: "Maven",
        has_blocks: false,
        places,
    })
}

/// Replaces what comes from these markers, if that is any mistake: `date +%H%M` is no template.
fn replace_of(file: FileId, markers: &TemplateMarkers, sink: &mut Sink) {
    let comes_from_it = |diagnostic: &Diagnostic| {
        diagnostic.file() == Some(file)
            && (markers.has_blocks || touches(diagnostic, &markers.places))
    };
    if !sink
        .iter()
        .any(|it| it.level == Level::Error && comes_from_it(it))
    {
        return;
    }
    // A name that is not known yet leaves nodes without their transitions.
    let is_of_graph = |diagnostic: &Diagnostic| {
        diagnostic.file() == Some(file)
            && (diagnostic.rule.id().starts_with("H03")
                || diagnostic.rule.id() == "unreachable_nodes")
    };
    let left_out = sink.take(|it| comes_from_it(it) || is_of_graph(it));
    let first = markers.places.first().cloned().unwrap_or_default();
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    sink.emit(UnrenderedTemplate {
        place: Span::new(file, offset(first.start), offset(first.end)),
        language: markers.language,
        n_left_out: left_out.len(),
    });
}

/// Whether one of the places overlaps that of a diagnostic, or one of its labels.
fn touches(diagnostic: &Diagnostic, places: &[Range<usize>]) -> bool {
    let own = match &diagnostic.place {
        Place::Span(span) => Some(*span),
        Place::File(_) | Place::Path(_) => None,
    };
    let labels = diagnostic.labels.iter().map(|label| label.span);
    let mut spans = own.into_iter().chain(labels);
    spans.any(|span| {
        let (start, end) = (span.start as usize, span.end as usize);
        places
            .iter()
            .any(|place| place.start < end.max(start + 1) && start < place.end)
    })
}

/// What encloses parts of a document, by language.
const BLOCKS: [(&str, &[(&str, &str)]); 5] = [
    ("FreeMarker", &[("<#", ">"), ("</#", ">"), ("<@", ">")]),
    ("Jinja", &[("{%", "%}")]),
    ("Template Toolkit", &[("[%", "%]")]),
    ("ERB or JSP", &[("<%", "%>")]),
    (
        "Velocity",
        &[("#if(", ")"), ("#foreach(", ")"), ("#set(", ")")],
    ),
];

/// What stands for a value, by the tools that replace it.
const VALUES: [(&str, &str, &str); 4] = [
    ("Ant or Maven", "@", "@"),
    ("Jinja or Mustache", "{{", "}}"),
    ("a tool that replaces `#NAME#`", "#", "#"),
    ("a tool that replaces `%NAME%`", "%", "%"),
];

/// Properties that only Maven knows.
const OF_MAVEN: [&str; 4] = ["${project.", "${pom.", "${maven.", "${settings."];

/// The markers of each language that a text without comments may be a template of. One that encloses parts of the document is the only
/// one: what the others could be is not known before.
fn find(text: &str) -> Vec<TemplateMarkers> {
    for (language, blocks) in BLOCKS {
        let mut places: Vec<Range<usize>> = blocks
            .iter()
            .flat_map(|(open, close)| enclosed(text, open, close))
            .collect();
        if !places.is_empty() {
            places.sort_by_key(|place| place.start);
            return vec![TemplateMarkers {
                language,
                has_blocks: true,
                places,
            }];
        }
    }
    let mut found: Vec<TemplateMarkers> = Vec::new();
    for (language, open, close) in VALUES {
        let places: Vec<Range<usize>> = enclosed(text, open, close)
            .filter(|place| is_name(&text[place.start + open.len()..place.end - close.len()]))
            .collect();
        found.push(TemplateMarkers {
            language,
            has_blocks: false,
            places,
        });
    }
    found.push(TemplateMarkers {
        language: "Maven",
        has_blocks: false,
        places: OF_MAVEN
            .iter()
            .flat_map(|open| enclosed(text, open, "}"))
            .collect(),
    });
    found.retain(|markers| !markers.places.is_empty());
    found
}

/// The ranges of one line that begin and end with these, with both.
fn enclosed<'t>(
    text: &'t str,
    open: &'t str,
    close: &'t str,
) -> impl Iterator<Item = Range<usize>> + 't {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let start = from + text[from..].find(open)?;
            let behind = start + open.len();
            from = behind;
            let line = text[behind..].lines().next().unwrap_or_default();
            if let Some(length) = line.find(close)
                && length > 0
            {
                // What closes one value does not open the next.
                from = behind + length + close.len();
                return Some(start..from);
            }
        }
    })
}

/// Whether what is between the marks is a name, so that `a@b, c@d` and `50% of 100%` are no markers.
fn is_name(text: &str) -> bool {
    let text = text.trim();
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// The text with blanks in place of its comments, so that places stay the same.
fn without_comments(text: &str) -> String {
    let mut blanked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("<!--") {
        let length = rest[start..]
            .find("-->")
            .map_or(rest.len() - start, |at| at + 3);
        blanked.push_str(&rest[..start]);
        blanked.extend(rest[start..start + length].bytes().map(|byte| match byte {
            b'\n' => '\n',
            _ => ' ',
        }));
        rest = &rest[start + length..];
    }
    blanked.push_str(rest);
    blanked
}

#[cfg(test)]
mod tests {
    use super::{find, without_comments};

    #[test]
    fn markers_tell_their_language() {
        for (text, expected) in [
            ("<start to='@first@'/>", Some(("Ant or Maven", "@first@"))),
            ("<#if x>\n<a/></#if>", Some(("FreeMarker", "<#if x>"))),
            ("{% for a in b %}<x/>", Some(("Jinja", "{% for a in b %}"))),
            (
                "<a>{{ queue }}</a>",
                Some(("Jinja or Mustache", "{{ queue }}")),
            ),
            ("[% x %]", Some(("Template Toolkit", "[% x %]"))),
            (
                "<a>#DAY#</a>",
                Some(("a tool that replaces `#NAME#`", "#DAY#")),
            ),
            (
                "<a>${project.version}</a>",
                Some(("Maven", "${project.version}")),
            ),
            ("<to>a@x.org, b@x.org</to>", None),
            ("<file>a.jar#a.jar</file><file>b.jar#b.jar</file>", None),
            ("50% of 100%", None),
            ("<!-- @x@ <#if> --><a/>", None),
            ("${nameNode}", None),
            ("<a>@@</a>", None),
            (
                "<a>%H%</a><a>${project.version}</a>",
                Some(("a tool that replaces `%NAME%`", "%H%")),
            ),
        ] {
            let found = find(&without_comments(text));
            let shown = found.first();
            let shown = shown.map(|it| (it.language, &text[it.places[0].clone()]));
            assert_eq!(shown, expected, "{text}");
        }
    }
}
