use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0513", reserved_property, ["E0808"]);

/// A property with a reserved name.
pub(super) struct ReservedProperty {
    pub(super) name: String,
    pub(super) place: Span,
    /// It would change the user that the job runs as.
    pub(super) is_user: bool,
}

message!(ReservedProperty, |name, place, is_user| {
    let label = if is_user {
        "an application cannot choose the user that it runs as".to_owned()
    } else {
        format!("`{name}` is a constant of the expression language")
    };
    Diagnostic::new(&CODE, place, format!("property name `{name}` is reserved")).label(place, label)
});
