use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0220", expression_in_name, ["E0701", "E0708"]);

/// `${…}` in a node's name or in a reference to one.
pub(crate) struct ExpressionInName {
    /// "the `to` attribute".
    pub(crate) subject: String,
    pub(crate) text: Span,
}

message!(ExpressionInName, |subject, text| {
    Diagnostic::new(&CODE, text, format!("expression in {subject}"))
        .label(text, "names of nodes are never evaluated")
        .help_xml("a `decision` node chooses where to go by expressions")
});
