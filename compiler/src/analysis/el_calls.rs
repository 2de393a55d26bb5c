//! Function calls in expressions, as written: the traversal that the checks of all documents share.

use std::ops::Range;

use hpdlc_core::el::{
    ast::{Expr, ExprKind},
    functions::proposal,
};

/// A call, as written.
pub(super) struct WrittenCall<'a> {
    pub(super) prefix: Option<&'a str>,
    pub(super) name: &'a str,
    /// The name with its prefix, in the text.
    pub(super) range: Range<usize>,
    pub(super) args: &'a [Expr],
}

impl WrittenCall<'_> {
    pub(super) fn full_name(&self) -> String {
        match self.prefix {
            Some(prefix) => format!("{prefix}:{}", self.name),
            None => self.name.to_owned(),
        }
    }

    /// The name in the source, where the dialect's name differs.
    pub(super) fn written_name(&self) -> String {
        match self.prefix {
            Some(proposal::RENAMED) => self.name.to_owned(),
            Some(_) | None => self.full_name(),
        }
    }

    /// The name of a function of coordinators.
    pub(super) fn coord_name(&self) -> Option<&str> {
        (self.prefix == Some("coord")).then_some(self.name)
    }
}

/// Calls `visit` for every call in `expr`, outer ones first.
pub(super) fn calls<'a>(expr: &'a Expr, visit: &mut impl FnMut(&WrittenCall<'a>)) {
    if let ExprKind::Call {
        prefix,
        name,
        name_range,
        args,
    } = &expr.kind
    {
        visit(&WrittenCall {
            prefix: prefix.as_deref(),
            name,
            range: name_range.start..name_range.end,
            args,
        });
    }
    for child in expr.children() {
        calls(child, visit);
    }
}
