use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, missing_script_parameters);

/// Parameters that the script in the folder reads, and its action does not give.
pub(crate) struct MissingScriptParameter {
    /// The `script`.
    pub(crate) place: Span,
    pub(crate) script: String,
    /// Their names, and the first line that reads each.
    pub(crate) missing: Vec<(String, usize)>,
    /// The names in the `param` elements that the script does not use.
    pub(crate) unused: Vec<(String, Span)>,
    /// The one of these that is rather the first that is missing.
    pub(crate) misspelt: Option<Span>,
    pub(crate) is_pig: bool,
}

/// How many names a message lists.
const MOST: usize = 6;

message!(
    MissingScriptParameter,
    |place, script, missing, unused, misspelt, is_pig| {
        let mut names = listed(missing.iter().map(|(name, _)| name));
        if missing.len() > MOST {
            names = format!("{names} and {} more", missing.len() - MOST);
        }
        let message = format!("`{script}` reads {names}, which no `param` gives");
        let mut diagnostic = Diagnostic::new(&LINT, misspelt.unwrap_or(place), message);
        diagnostic = match misspelt {
            Some(misspelt) => diagnostic.label(misspelt, "the script does not read this one"),
            None => diagnostic.label(place, "gets no such parameter"),
        };
        let others = unused
            .iter()
            .filter(|(_, place)| Some(*place) != misspelt)
            .take(MOST);
        for (_, place) in others {
            diagnostic = diagnostic.label(*place, "the script does not read this one");
        }
        let Some((name, line)) = missing.into_iter().next() else {
            return diagnostic;
        };
        let consequence = if is_pig {
            "Pig refuses the script"
        } else {
            "Hive leaves it as it is written"
        };
        diagnostic = diagnostic.note(format!("line {line} reads `{name}`: {consequence}"));
        match misspelt {
            Some(misspelt) => diagnostic.suggest(
                misspelt,
                format!("the script reads `{name}`"),
                name,
                Applicability::MaybeIncorrect,
            ),
            None => diagnostic.help_xml(format!("give it: `<param>{name}=...</param>`")),
        }
    }
);

/// `` `a`, `b` and `c` ``
fn listed<'a>(names: impl Iterator<Item = &'a String>) -> String {
    let names: Vec<String> = names.take(MOST).map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, before)) if names.len() < MOST => format!("{} and {last}", before.join(", ")),
        _ => names.join(", "),
    }
}
