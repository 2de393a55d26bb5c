use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, joined_addresses);

/// A path in which the address of the file system runs into the name behind it.
pub(crate) struct JoinedAddress {
    /// The text behind the address.
    pub(crate) place: Span,
    pub(crate) address: String,
    pub(crate) rest: String,
}

message!(JoinedAddress, |place, address, rest| {
    Diagnostic::new(
        &LINT,
        place,
        format!("no `/` stands between `{address}` and the path"),
    )
    .label(place, "becomes a part of the host or the port")
    .help_xml(format!("write `{address}/{rest}`"))
});
