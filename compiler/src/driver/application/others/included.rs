//! The files that a coordinator includes.

use std::{collections::BTreeSet, path::PathBuf};

use crate::{
    analysis::{Included, JobProperties, NamedInclude},
    driver::{
        application::{
            ReferenceKind, Session,
            found::{coordinator_mappings, resolve, with_defaults},
            identity,
        },
        locate::COORDINATOR_XML,
        location::Location,
        mapping::Mapping,
        mistakes::unresolved_includes::UnresolvedInclude,
    },
    lower,
    model::{CoordinatorApp, Template},
    syntax::xml,
};

/// The maximum number of files that a coordinator may include, directly or indirectly: Oozie itself has no limit.
const MOST_INCLUDED: usize = 1000;

impl Session {
    /// The files that a coordinator includes.
    pub(super) fn included(
        &mut self,
        app: &CoordinatorApp,
        location: &Location,
        inherited: &[Mapping],
        given: &JobProperties,
    ) -> Included {
        let own = with_defaults(&app.parameters, &app.config_default, given);
        let mappings =
            self.mappings_with(&coordinator_mappings(&own, location, inherited), location);
        let mut included = Included::default();
        let mut seen: BTreeSet<PathBuf> = BTreeSet::new();
        included.named = app
            .includes
            .iter()
            .map(|include| NamedInclude {
                uri: own.uri(include).ok(),
                files: Vec::new(),
            })
            .collect();
        // With the span of the coordinator's own `include` that led to the file.
        let mut waiting: Vec<(Template, usize)> = app
            .includes
            .iter()
            .cloned()
            .enumerate()
            .map(|(from, include)| (include, from))
            .rev()
            .collect();
        while let Some((include, from)) = waiting.pop() {
            let found = resolve(&include, &own, location, &mappings, COORDINATOR_XML);
            self.refer(own.uri(&include), ReferenceKind::Include, found.is_some());
            let Some(found) = found.filter(|_| seen.len() < MOST_INCLUDED) else {
                let path = own.text(&include);
                let path = path.unwrap_or_else(|_| include.text.as_str().to_owned());
                included.named[from].uri = None;
                self.say_unread(&path, &app.includes[from], given);
                included.missing.push(path);
                continue;
            };
            if !seen.insert(identity(&found.document)) {
                continue;
            }
            let shown = found.shown(&found.document);
            let file = self.files.text(&found.document, &shown, &mut self.sink);
            let sources = &self.files.sources;
            let document =
                file.and_then(|file| xml::parse(file, sources.text(file), &mut self.sink));
            match document {
                Some(document) => {
                    let file = lower::included_file(&document, &mut self.sink);
                    let more = file.includes.iter().rev().cloned();
                    waiting.extend(more.map(|include| (include, from)));
                    included.named[from].files.push(included.files.len());
                    included.files.push(file);
                }
                None => {
                    included.named[from].uri = None;
                    self.say_unread(&shown, &app.includes[from], given);
                    included.missing.push(shown);
                }
            }
        }
        included
    }

    /// Reports that an included file is unknown, if all properties are known.
    fn say_unread(&mut self, path: &str, include: &Template, given: &JobProperties) {
        if given.is_complete {
            self.sink.emit(UnresolvedInclude {
                path: path.to_owned(),
                span: include.span,
            });
        }
    }
}
