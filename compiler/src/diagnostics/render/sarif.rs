//! SARIF 2.1.0 (OASIS), for code hosts and editors: one log with one run.
//!
//! Columns are counted in UTF-16 code units, as SARIF's `columnKind` says; lines and columns start at 1 and ends are
//! exclusive. Paths are shown as given or found, so relative ones are relative to the folder in which hpdlc was started.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use super::shown_path;
use crate::{
    diagnostics::{Applicability, Diagnostic, Label, Place, Rule, Rules, Suggestion},
    source::{SourceMap, Span},
};

mod log;
mod rule;
mod uri;

use self::log::{
    Artifact, ArtifactChange, ArtifactContent, ArtifactLocation, Driver, Fix, Invocation, Location,
    Log, Message, PhysicalLocation, Region, Replacement, SarifResult, SarifRun, Tool,
};

/// The published schema of what [`write`] writes.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Writes one log with every diagnostic, and those of `rules` that occur. `exit_code` is that of the process; 2 means that
/// some of the input could not be read.
///
/// # Errors
///
/// Those of `output`.
pub fn write(
    rules: Rules,
    diagnostics: &[Diagnostic],
    sources: &SourceMap,
    exit_code: u8,
    output: &mut impl Write,
) -> io::Result<()> {
    serde_json::to_writer(&mut *output, &log(rules, diagnostics, sources, exit_code))
        .map_err(io::Error::from)?;
    output.write_all(b"\n")
}

fn log<'a>(
    known: Rules,
    diagnostics: &'a [Diagnostic],
    sources: &'a SourceMap,
    exit_code: u8,
) -> Log<'a> {
    let rules = rules_of(known, diagnostics);
    let artifacts = SarifArtifacts::new(diagnostics, sources);
    let results = diagnostics
        .iter()
        .map(|diagnostic| {
            let rule_index = rules
                .iter()
                .position(|rule| rule.id() == diagnostic.rule.id())
                .expect("the rules were taken from these diagnostics");
            artifacts.result(diagnostic, rule_index)
        })
        .collect();
    Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [SarifRun {
            tool: Tool {
                driver: Driver {
                    name: "hpdlc",
                    version: env!("CARGO_PKG_VERSION"),
                    semantic_version: env!("CARGO_PKG_VERSION"),
                    rules: rules.into_iter().map(rule::descriptor).collect(),
                },
            },
            invocations: [Invocation {
                execution_successful: exit_code < 2,
                exit_code,
            }],
            column_kind: "utf16CodeUnits",
            artifacts: artifacts.list(),
            results,
        }],
    }
}

/// The rules that occur, each once, in the order of `known`; others come last.
fn rules_of(known: Rules, diagnostics: &[Diagnostic]) -> Vec<Rule> {
    let order: BTreeMap<&str, usize> = known.all().map(Rule::id).zip(0..).collect();
    let mut rules: BTreeMap<(usize, &str), Rule> = BTreeMap::new();
    for diagnostic in diagnostics {
        let id = diagnostic.rule.id();
        let place = order.get(id).copied().unwrap_or(usize::MAX);
        rules.insert((place, id), diagnostic.rule);
    }
    rules.into_values().collect()
}

/// The artifacts of the run: the files that were read, and then the paths of diagnostics that were not.
struct SarifArtifacts<'a> {
    sources: &'a SourceMap,
    n_files: usize,
    paths: Vec<&'a str>,
}

impl<'a> SarifArtifacts<'a> {
    fn new(diagnostics: &'a [Diagnostic], sources: &'a SourceMap) -> SarifArtifacts<'a> {
        let mut paths: Vec<&str> = Vec::new();
        for diagnostic in diagnostics {
            match &diagnostic.place {
                Place::Path(path) if !paths.contains(&path.as_str()) => paths.push(path),
                Place::Path(_) | Place::File(_) | Place::Span(_) => {}
            }
        }
        SarifArtifacts {
            sources,
            n_files: sources.files().count(),
            paths,
        }
    }

    fn list(&self) -> Vec<Artifact> {
        let files = self.sources.files().map(|file| Artifact {
            location: ArtifactLocation {
                uri: uri::of_path(self.sources.path(file)),
                index: None,
            },
            length: Some(self.sources.text(file).len()),
        });
        let paths = self.paths.iter().map(|path| Artifact {
            location: ArtifactLocation {
                uri: uri::of_path(path),
                index: None,
            },
            length: None,
        });
        files.chain(paths).collect()
    }

    fn result(&self, diagnostic: &'a Diagnostic, rule_index: usize) -> SarifResult<'a> {
        let beside = |label: &&Label| label.primary;
        let message = diagnostic.labels.iter().find(beside);
        SarifResult {
            rule_id: diagnostic.rule.id(),
            rule_index,
            level: diagnostic.level.as_str(),
            message: Message {
                text: text_of(diagnostic),
            },
            locations: [Location {
                id: None,
                physical_location: self.place_of(diagnostic),
                message: message.map(|label| Message {
                    text: label.text.clone(),
                }),
            }],
            related_locations: diagnostic
                .labels
                .iter()
                .filter(|label| !label.primary)
                .zip(1..)
                .map(|(label, id)| Location {
                    id: Some(id),
                    physical_location: self.place(label.span),
                    message: Some(Message {
                        text: label.text.clone(),
                    }),
                })
                .collect(),
            fixes: diagnostic
                .suggestions
                .iter()
                .filter(|suggestion| suggestion.applicability == Applicability::MachineApplicable)
                .map(|suggestion| self.fix(suggestion))
                .collect(),
        }
    }

    fn place_of(&self, diagnostic: &Diagnostic) -> PhysicalLocation {
        match diagnostic.span() {
            Some(span) => self.place(span),
            None => {
                let path = shown_path(diagnostic, self.sources);
                let index = match &diagnostic.place {
                    Place::File(file) => usize::try_from(file.0).ok(),
                    Place::Span(_) | Place::Path(_) => self
                        .paths
                        .iter()
                        .position(|known| *known == path)
                        .map(|place| self.n_files + place),
                };
                PhysicalLocation {
                    artifact_location: ArtifactLocation {
                        uri: uri::of_path(path),
                        index,
                    },
                    region: None,
                }
            }
        }
    }

    fn place(&self, span: Span) -> PhysicalLocation {
        PhysicalLocation {
            artifact_location: self.file_of(span),
            region: Some(self.region(span)),
        }
    }

    fn file_of(&self, span: Span) -> ArtifactLocation {
        ArtifactLocation {
            uri: uri::of_path(self.sources.path(span.file)),
            index: usize::try_from(span.file.0).ok(),
        }
    }

    fn region(&self, span: Span) -> Region {
        let start = self.sources.position(span.file, span.start);
        let end = self.sources.position(span.file, span.end);
        Region {
            start_line: start.line,
            start_column: start.utf16_column,
            end_line: end.line,
            end_column: end.utf16_column,
        }
    }

    fn fix(&self, suggestion: &'a Suggestion) -> Fix<'a> {
        let mut by_file: BTreeMap<_, Vec<&(Span, String)>> = BTreeMap::new();
        for edit in &suggestion.edits {
            by_file.entry(edit.0.file).or_default().push(edit);
        }
        Fix {
            description: Message {
                text: suggestion.message.clone(),
            },
            artifact_changes: by_file
                .into_values()
                .map(|edits| ArtifactChange {
                    artifact_location: self.file_of(edits[0].0),
                    replacements: edits
                        .into_iter()
                        .map(|(span, replacement)| Replacement {
                            deleted_region: self.region(*span),
                            inserted_content: ArtifactContent { text: replacement },
                        })
                        .collect(),
                })
                .collect(),
        }
    }
}

/// The headline, and below it the facts and proposals that people see beside the code.
fn text_of(diagnostic: &Diagnostic) -> String {
    let mut text = diagnostic.message.clone();
    let notes = diagnostic.notes.iter().map(|note| ("note", note));
    let help = diagnostic.help.iter().map(|help| ("help", help));
    let suggestions = diagnostic
        .suggestions
        .iter()
        .map(|suggestion| ("help", &suggestion.message));
    for (kind, line) in notes.chain(help).chain(suggestions) {
        text.push('\n');
        text.push_str(kind);
        text.push_str(": ");
        text.push_str(line);
    }
    text
}

#[cfg(test)]
mod tests;
