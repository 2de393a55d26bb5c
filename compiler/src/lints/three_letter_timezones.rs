use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, three_letter_timezones);

/// A time zone with an obsolete three-letter name.
pub(crate) struct ThreeLetterTimezone {
    pub(crate) place: Span,
    pub(crate) name: String,
    /// The zone whose rules it follows; `None` for an offset.
    pub(crate) zone: Option<&'static str>,
}

message!(ThreeLetterTimezone, |place, name, zone| {
    let diagnostic = Diagnostic::new(&LINT, place, format!("`{name}` says less than it seems to"));
    match zone {
        Some(zone) => diagnostic
            .label(place, format!("follows the rules of `{zone}`"))
            .help("write the name of the place"),
        None => diagnostic
            .label(place, "an offset that never changes")
            .help("write the name of a place, or the offset, such as `GMT-05:00`"),
    }
});
