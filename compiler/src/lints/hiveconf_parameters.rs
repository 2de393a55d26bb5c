use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, hiveconf_parameters);

/// A `param`, which is a variable of Hive, that the script reads as a setting.
pub(crate) struct HiveconfParameter {
    pub(crate) name: String,
    /// The name in the `param`.
    pub(crate) place: Span,
    pub(crate) script: String,
    /// The first line that reads it.
    pub(crate) line: usize,
}

message!(HiveconfParameter, |name, place, script, line| {
    Diagnostic::new(
        &LINT,
        place,
        format!("`${{hiveconf:{name}}}` is not parameter `{name}`"),
    )
    .label(place, format!("given as `--hivevar {name}=...`"))
    .note(format!(
        "line {line} of `{script}` reads the setting `hiveconf:{name}`, which nothing sets"
    ))
    .help(format!(
        "write `${{{name}}}` or `${{hivevar:{name}}}` in the script"
    ))
});
