//! What texts are used for.

/// What the text of a template is used for, as far as the inferred type depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TextType {
    Text,
    /// Compared with `true`.
    Boolean,
    /// Read as a number.
    Integer,
    /// A path, or the URI of one.
    Path,
    /// A URI of a file system or a service.
    Uri,
    /// A date as Oozie writes it.
    Date,
}
