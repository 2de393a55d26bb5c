use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, unsupported_file_operations);

/// An operation that an object store does not support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileOperation {
    Chmod,
    Chgrp,
    Setrep,
    /// `delete` with `skip-trash="false"`.
    Trash,
}

impl FileOperation {
    /// Completes "have no".
    fn what_is_missing(self) -> &'static str {
        match self {
            FileOperation::Chmod => "permissions",
            FileOperation::Chgrp => "group",
            FileOperation::Setrep => "number of copies",
            FileOperation::Trash => "trash",
        }
    }
}

/// An `fs` operation on a path whose file system does not support it.
pub(crate) struct UnsupportedFileOperation {
    pub(crate) scheme: String,
    pub(crate) operation: FileOperation,
    /// The scheme alone.
    pub(crate) place: Span,
}

message!(UnsupportedFileOperation, |scheme, operation, place| {
    let missing = operation.what_is_missing();
    Diagnostic::new(
        &LINT,
        place,
        format!("files of scheme `{scheme}` have no {missing}"),
    )
    .label(place, "an object store")
    .note("the action ends here with error code `UnsupportedOperationException`")
});
