//! The `fs` action: file operations in document order.

use hpdlc_core::action;

use crate::{
    model::action::{ActionBody, Parsed},
    source::Span,
};

pub type Fs = action::Fs<Parsed>;
pub type FsOperationKind = action::FsOperation<Parsed>;

impl ActionBody for Fs {
    fn may_write(&self) -> bool {
        false
    }
}

#[derive(Clone, Debug)]
pub struct FsOperation {
    /// The name in the operation's start tag.
    pub span: Span,
    pub kind: FsOperationKind,
}

impl AsRef<FsOperationKind> for FsOperation {
    fn as_ref(&self) -> &FsOperationKind {
        &self.kind
    }
}
