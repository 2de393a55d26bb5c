use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0602", refused_argument, ["JA018"]);

/// An option that Oozie's launcher sets itself, and rejects in the action.
pub(super) struct RefusedArgument {
    pub(super) option: String,
    /// The display name.
    pub(super) tool: &'static str,
    pub(super) place: Span,
}

message!(RefusedArgument, |option, tool, place| {
    let diagnostic = Diagnostic::new(
        &CODE,
        place,
        format!("option `{option}` of {tool} cannot be given here"),
    )
    .label(place, "the launcher refuses it, and the action fails");
    match option.as_str() {
        "--hivevar" | "--define" | "-d" if tool == "Hive" => {
            diagnostic.help_xml("give variables as `param` elements")
        }
        "--hiveconf" | "-D" => {
            diagnostic.help_xml("set properties in the action's `configuration`")
        }
        "-P" | "-propertyFile" => {
            diagnostic.help_xml("set properties in the action's `configuration`")
        }
        "-f" | "-file" | "-e" | "-execute" => diagnostic.help_xml(
            "put what is to run in the `script` element, or in `query` where there is one",
        ),
        _ => diagnostic,
    }
});
