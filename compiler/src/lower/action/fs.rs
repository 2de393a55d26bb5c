//! The `fs` action.

use crate::{
    lower::{
        LowerCtx,
        action::settings,
        template::{self, TextSink},
    },
    model::action::{Fs, FsOperation, fs::FsOperationKind},
    syntax::xml::Element,
};

pub(super) fn fs(cx: &mut LowerCtx<'_>, body: &Element<'_>) -> Fs {
    Fs {
        settings: settings::without_cluster(cx, body),
        operations: body
            .elements()
            .filter_map(|element| {
                Some(FsOperation {
                    span: element.name_span,
                    kind: operation(&element, cx.sink)?,
                })
            })
            .collect(),
        of_proposal: false,
    }
}

/// The operation of an element; `None` for the settings among them.
fn operation(element: &Element<'_>, sink: &mut TextSink) -> Option<FsOperationKind> {
    let mut required = |name: &str| template::of_required_attribute(element, name, sink);
    let kind = match element.name.local {
        "delete" => FsOperationKind::Delete {
            path: required("path"),
            skip_trash: template::of_optional_attribute(element, "skip-trash", sink),
        },
        "mkdir" => FsOperationKind::Mkdir {
            path: required("path"),
        },
        "move" => FsOperationKind::Move {
            source: required("source"),
            target: required("target"),
        },
        "chmod" => FsOperationKind::Chmod {
            path: required("path"),
            permissions: required("permissions"),
            dir_files: template::of_optional_attribute(element, "dir-files", sink),
            recursive: element.element("recursive").is_some(),
        },
        "chgrp" => FsOperationKind::Chgrp {
            path: required("path"),
            group: required("group"),
            dir_files: template::of_optional_attribute(element, "dir-files", sink),
            recursive: element.element("recursive").is_some(),
        },
        "touchz" => FsOperationKind::Touchz {
            path: required("path"),
        },
        "setrep" => FsOperationKind::Setrep {
            path: required("path"),
            factor: required("replication-factor"),
        },
        _ => return None,
    };
    Some(kind)
}
