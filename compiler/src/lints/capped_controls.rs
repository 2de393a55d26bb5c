use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, capped_controls);

/// A value in `controls` that Oozie replaces by another one.
pub(crate) struct CappedControl {
    pub(crate) place: Span,
    pub(crate) control: &'static str,
    pub(crate) value: String,
    pub(crate) effective: String,
    /// The settings that determine the limit.
    pub(crate) settings: &'static [&'static str],
}

message!(CappedControl, |place,
                         control,
                         value,
                         effective,
                         settings| {
    let settings = match settings {
        [only] => format!("the setting `{only}` decides"),
        several => format!(
            "the product of the settings `{}` decides",
            several.join("` and `")
        ),
    };
    Diagnostic::new(&LINT, place, format!("`{control}` {value} is out of range"))
        .label(place, format!("Oozie takes {effective}"))
        .note(settings)
});
