//! Scripts that an action runs: each must be among its files, or in the application's `lib`.

use hpdlc_core::slips::is_slip;

use super::{literal, setting};
use crate::{
    analysis::{action_types, known_values::KnownValues},
    diagnostics::Sink,
    lints::unshipped_scripts::UnshippedScript,
    model::{Action, Template, WorkflowApp, action::is_script_name},
    source::Span,
};

const INTERPRETERS: [&str; 10] = [
    "bash", "ksh", "perl", "python", "python2", "python3", "Rscript", "ruby", "sh", "zsh",
];

/// Reports a script that is not shipped.
pub(super) fn check(app: &WorkflowApp, action: &Action, known: &KnownValues, sink: &mut Sink) {
    let Some(body) = action.kind.body() else {
        return;
    };
    let commands = body.commands();
    let scripts: Vec<(String, Span)> = commands
        .iter()
        .filter_map(|command| script_of_words(command))
        .collect();
    if scripts.is_empty() {
        return;
    }
    let Some(links) = links(action, known) else {
        return;
    };
    for (path, place) in scripts {
        let name = path.rsplit('/').next().unwrap_or(&path);
        if links.iter().any(|(link, _)| link == name)
            || is_in_lib(app, &path)
            || is_shipped_otherwise(app, action, known)
        {
            continue;
        }
        let similar = links.iter().find(|(link, _)| is_slip(name, link));
        sink.emit(UnshippedScript {
            name: name.to_owned(),
            place,
            similar: similar.cloned(),
        });
    }
}

/// The script that a command line runs, if it is written here. Each text is one word, or several.
fn script_of_words(texts: &[&Template]) -> Option<(String, Span)> {
    let mut words: Vec<(&str, Span)> = Vec::new();
    for template in texts {
        let Some(text) = literal(template) else {
            break;
        };
        words.extend(text.split_whitespace().map(|word| (word, template.span)));
    }
    let (program, _) = words.first()?;
    let program = program.rsplit('/').next().unwrap_or(program);
    let (word, place) = words.get(usize::from(INTERPRETERS.contains(&program)))?;
    // Such a folder may be an archive, or a part of `lib`.
    let has_folder = word.trim_start_matches("./").contains('/');
    let is_plain =
        !has_folder && !word.starts_with(['-', '~', '$', '"', '\'']) && !word.contains(':');
    (is_plain && is_script_name(word)).then(|| ((*word).to_owned(), *place))
}

/// Whether files come from elsewhere than the elements of the action: a configuration, a library.
fn is_shipped_otherwise(app: &WorkflowApp, action: &Action, known: &KnownValues) -> bool {
    const SETTINGS: [&str; 7] = [
        "mapred.cache.files",
        "mapreduce.job.cache.files",
        "mapred.cache.archives",
        "mapreduce.job.cache.archives",
        "oozie.libpath",
        "oozie.launcher.oozie.libpath",
        "tmpfiles",
    ];
    // The library of the server has no scripts.
    let libraries = known.property("oozie.libpath");
    let variables = action_types::of(&action.kind).map_or(&[][..], |own| own.env_vars());
    libraries.is_some_and(|(path, _)| !path.contains("share/lib"))
        || variables
            .iter()
            .any(|text| text.text.as_str().starts_with("PATH"))
        || SETTINGS
            .iter()
            .any(|name| setting(app, action, name).is_some())
}

/// Whether the driver has found the script in `lib`.
fn is_in_lib(app: &WorkflowApp, path: &str) -> bool {
    let script = app.scripts.get(path);
    script.is_some_and(|script| script.path.starts_with("lib/"))
}

/// The names by which an action finds its files, with the texts that name them; `None` if one of them is unknown.
fn links(action: &Action, known: &KnownValues) -> Option<Vec<(String, Span)>> {
    let mut links = Vec::new();
    for (_, template) in action.kind.body()?.files() {
        let known = known.text(template);
        let text = known
            .as_ref()
            .map_or(template.text.as_str(), |text| &*text.value);
        for path in text.split(',') {
            let link = path.trim().rsplit(['#', '/']).next().unwrap_or_default();
            if link.is_empty() || link.contains(['$', '}', '*', '?']) {
                return None;
            }
            links.push((link.to_owned(), template.span));
        }
    }
    Some(links)
}
