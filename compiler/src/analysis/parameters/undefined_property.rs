use hpdlc_core::el::scope::is_variable_name;

use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    source::Span,
};

code!(
    "H0511",
    undefined_property,
    ["EL_ERROR", "E1004", "E0803", "E0703"]
);

/// How many further uses are labelled.
const MOST: usize = 4;

/// A variable is neither a property that the job is given nor one with a default.
pub(super) struct UndefinedProperty {
    pub(super) name: String,
    /// The first use.
    pub(super) first: Span,
    pub(super) others: Vec<Span>,
    /// A defined property with a similar name, and its place in a properties file.
    pub(super) near: Option<(String, Option<Span>)>,
    /// The variable of URI templates that is meant.
    pub(super) date_part: Option<&'static str>,
    /// A defined property with hyphens whose name is parsed as a subtraction, and its place.
    pub(super) meant: Option<(String, Span)>,
    /// The function that reads a property of any name.
    pub(super) conf: &'static str,
    pub(super) source: UndefinedSource,
}

/// Where the property could come from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum UndefinedSource {
    /// The job, or a default.
    Job,
    /// Nowhere: the name is reserved for URI templates.
    Reserved,
    /// Nowhere: another text was meant, which a lint says at the first use.
    Slip,
}

message!(UndefinedProperty, |name,
                             first,
                             others,
                             near,
                             date_part,
                             meant,
                             conf,
                             source| {
    if let Some((meant, place)) = meant {
        return Diagnostic::new(
            &CODE,
            place,
            format!("property `{meant}` cannot be read as a variable"),
        )
        .label(
            place,
            format!("subtracts, and there is no property `{name}`"),
        )
        .suggest(
            place,
            format!("property `{meant}` is written `{conf}('{meant}')`"),
            format!("{conf}('{meant}')"),
            Applicability::MaybeIncorrect,
        );
    }
    let mut diagnostic = Diagnostic::new(&CODE, first, format!("undefined property `{name}`"))
        .label(
            first,
            match source {
                UndefinedSource::Job => "read here, and the job has no such property",
                UndefinedSource::Slip => "read as a property, and the job has no such property",
                UndefinedSource::Reserved => {
                    "only a `uri-template` has it, and no job may have such a property"
                }
            },
        );
    diagnostic = label_uses(diagnostic, &others, MOST);
    match source {
        UndefinedSource::Slip => return diagnostic,
        UndefinedSource::Reserved => {
            let pattern = match name.as_str() {
                "YEAR" => "yyyy",
                "MONTH" => "MM",
                "DAY" => "dd",
                "HOUR" => "HH",
                _ => "mm",
            };
            return diagnostic.help(format!(
                "in a configuration write `${{coord:formatTime(coord:nominalTime(), '{pattern}')}}`"
            ));
        }
        UndefinedSource::Job => {}
    }
    if let Some(part) = date_part {
        let edits = [first].into_iter().chain(others);
        return diagnostic.suggest_edits(
            format!("the date of an instance has the variable `{part}`"),
            edits.map(|place| (place, part.to_owned())).collect(),
            Applicability::MaybeIncorrect,
        );
    }
    if is_of_environment(&name) {
        diagnostic = diagnostic.note(format!(
            "Oozie reads `${{{name}}}`, no shell does: it is no variable of the environment"
        ));
        if near.is_none() {
            return diagnostic.help("read the variable in a script that the action runs");
        }
    }
    match near {
        Some((near, span)) => {
            if let Some(span) = span {
                diagnostic = diagnostic.label(span, "a similar name is given here");
            }
            if is_variable_name(&name) && !is_variable_name(&near) {
                return diagnostic.help(format!(
                    "there is a property with a similar name, which is read by `{conf}('{near}')`"
                ));
            }
            let edits = [first].into_iter().chain(others);
            diagnostic.suggest_edits(
                "there is a property with a similar name",
                edits.map(|place| (place, near.clone())).collect(),
                Applicability::MaybeIncorrect,
            )
        }
        None => diagnostic.help_xml(format!(
            "define `{name}` with `-c`, `-D`, or a default in `parameters`"
        )),
    }
});

/// Whether a variable of the environment is usually called so.
fn is_of_environment(name: &str) -> bool {
    const NAMES: [&str; 11] = [
        "HOME",
        "HOSTNAME",
        "LANG",
        "LOGNAME",
        "PATH",
        "PWD",
        "SHELL",
        "TMPDIR",
        "USER",
        "USERNAME",
        "CLASSPATH",
    ];
    const PREFIXES: [&str; 8] = [
        "HADOOP_", "HBASE_", "HIVE_", "JAVA_", "OOZIE_", "PYTHON", "SPARK_", "YARN_",
    ];
    const SUFFIXES: [&str; 5] = ["_HOME", "_CONF_DIR", "_OPTS", "_PATH", "_CLASSPATH"];
    NAMES.contains(&name)
        || name == "OOZIE_ACTION_CONF_XML"
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
            && SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
}

/// Labels at most `most` further uses, and counts the others.
pub(super) fn label_uses(mut diagnostic: Diagnostic, uses: &[Span], most: usize) -> Diagnostic {
    for &place in uses.iter().take(most) {
        diagnostic = diagnostic.label(place, "read here");
    }
    match uses.len().checked_sub(most) {
        Some(1) => diagnostic.note("read in 1 more place"),
        Some(n_more @ 2..) => diagnostic.note(format!("read in {n_more} more places")),
        Some(0) | None => diagnostic,
    }
}
