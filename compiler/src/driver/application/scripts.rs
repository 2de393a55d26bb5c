//! The texts of the scripts in an application's folder that its actions name.

use std::collections::{BTreeMap, BTreeSet};

use super::Session;
use crate::{
    driver::location::Location,
    model::{
        Script, Template, WorkflowApp,
        action::{NamedFile, is_script_name},
    },
};

/// Longer files are programs or data rather than scripts.
const MOST_BYTES: u64 = 256 * 1024;

/// How many files are looked for.
const MOST_SCRIPTS: usize = 1000;

impl Session {
    /// The scripts of `shell`, `hive`, `hive2` and `pig` actions that are in the folder, and those of commands in its `lib`, by the text
    /// that names them.
    pub(super) fn scripts(
        &mut self,
        app: &WorkflowApp,
        location: &Location,
    ) -> BTreeMap<String, Script> {
        let mut found = BTreeMap::new();
        let (mut seen, mut seen_in_lib) = (BTreeSet::new(), BTreeSet::new());
        for (_, action) in app.actions() {
            let Some(body) = action.kind.body() else {
                continue;
            };
            for word in body.commands().into_iter().flatten().flat_map(script_words) {
                let path = format!("lib/{}", word.rsplit('/').next().unwrap_or(word));
                if seen_in_lib.len() == MOST_SCRIPTS || !seen_in_lib.insert(word) {
                    continue;
                }
                let file = location.below(&path);
                let text = self
                    .files
                    .mentioned_text(&location.folder, &file, MOST_BYTES);
                if let Some(text) = text {
                    let text = text.into();
                    found.insert(word.to_owned(), Script { path, text });
                }
            }
            let Some(name) = body.script() else { continue };
            let text = name.text.as_str();
            if text.is_empty()
                || found.contains_key(text)
                || seen.len() == MOST_SCRIPTS
                || !seen.insert(text)
            {
                continue;
            }
            let script = candidates(text, &body.files())
                .into_iter()
                .find_map(|path| {
                    let file = location.below(&path);
                    let files = &mut self.files;
                    let text = files.mentioned_text(&location.folder, &file, MOST_BYTES)?;
                    let text = text.into();
                    Some(Script { path, text })
                });
            if let Some(script) = script {
                found.insert(text.to_owned(), script);
            }
        }
        found
    }
}

/// The words of a command that are scripts.
fn script_words(command: &Template) -> impl Iterator<Item = &str> {
    let words = command.text.as_str().split_whitespace();
    words.filter(|word| is_script_name(word) && !word.contains('$'))
}

/// The relative paths that a name may stand for: that of a `file` with this link name, and the name itself, without what its
/// expressions may give.
fn candidates(name: &str, files: &[NamedFile<'_>]) -> Vec<String> {
    let own = name.split('#').next().unwrap_or(name);
    let link = name.rsplit(['#', '/']).next().unwrap_or(name);
    let linked = files.iter().filter_map(|(_, file)| {
        let file = file.text.as_str();
        let (path, link_name) = file.split_once('#').unwrap_or((file, file));
        (link_name.rsplit('/').next() == Some(link)).then_some(path)
    });
    let mut paths = Vec::new();
    for path in linked.chain([own]) {
        if path.contains("${") {
            // Most often the folder of the application.
            let behind = path.rsplit_once('}').map(|(_, behind)| behind);
            paths.extend(
                behind
                    .and_then(|path| path.strip_prefix('/'))
                    .map(str::to_owned),
            );
            paths.extend(path.rsplit('/').next().map(str::to_owned));
        } else if !path.starts_with('/') && !path.contains(':') {
            paths.push(path.to_owned());
        }
    }
    paths.retain(|path| !path.is_empty() && !path.contains(['$', '*', '?']));
    paths
}
