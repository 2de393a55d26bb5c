use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    source::Span,
    syntax::xml::characters::ReferenceFault,
};

code!("H0115", invalid_reference, ["E0700", "E0701", "E0803"]);

/// An invalid reference, or an `&` that does not start one.
pub(super) struct InvalidReference<'a> {
    /// The reference as written, or the run of `&`.
    pub(super) raw: &'a str,
    pub(super) span: Span,
    pub(super) fault: ReferenceFault,
}

message!(InvalidReference<'_>, |raw, span, fault| {
    match fault {
        ReferenceFault::LoneAmpersand => {
            let diagnostic = Diagnostic::new(&CODE, span, "unescaped `&`")
                .label(span, "`&` starts a reference in XML")
                .suggest(
                    span,
                    "an `&` is written as `&amp;`",
                    raw.replace('&', "&amp;"),
                    Applicability::MachineApplicable,
                );
            if raw == "&&" {
                diagnostic.help("in an expression, `and` means the same and needs no reference")
            } else {
                diagnostic
            }
        }
        ReferenceFault::UnknownEntity => {
            Diagnostic::new(&CODE, span, format!("unknown entity `{raw}`"))
                .label(span, "XML knows five names only")
                .note("they are `&lt;`, `&gt;`, `&amp;`, `&apos;`, and `&quot;`")
                .help("write the character itself, or its number as `&#N;`")
        }
        ReferenceFault::InvalidNumber => {
            Diagnostic::new(&CODE, span, format!("invalid character reference `{raw}`"))
                .label(
                    span,
                    "this is not the number of a character that XML allows",
                )
                .help("write a decimal number as `&#N;`, or a hexadecimal one as `&#xN;`")
        }
    }
});
