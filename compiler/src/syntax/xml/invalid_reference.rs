use crate::{
    diagnostics::{Applicability, Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
    syntax::xml::{OOZIE_CODES, characters::ReferenceFault},
};

pub(super) static CODE: Code = Code {
    id: "H0115",
    name: "invalid_reference",
    level: Level::Error,
    oozie: OOZIE_CODES,
    explanation: include_str!("invalid_reference.md"),
};

/// A reference that stands for nothing, or an `&` that starts none.
pub(super) struct InvalidReference<'a> {
    /// The reference as it is written, or the run of `&`.
    pub(super) raw: &'a str,
    pub(super) span: Span,
    pub(super) fault: ReferenceFault,
}

impl IntoDiagnostic for InvalidReference<'_> {
    fn into_diagnostic(self) -> Diagnostic {
        let InvalidReference { raw, span, fault } = self;
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
    }
}
