//! Rows whose texts are shown on one line each.

use hpdlc_core::visible;
use hpdlc_store::{ActionRow, JobRow};

fn line(text: &str) -> String {
    visible::line(text).into_owned()
}

/// The row with each text on one line, with control characters made visible.
pub(super) fn job(row: &JobRow) -> JobRow {
    let mut row = row.clone();
    for text in [&mut row.app, &mut row.app_path, &mut row.user] {
        *text = line(text);
    }
    for text in [
        &mut row.error_code,
        &mut row.error_message,
        &mut row.parent_node,
    ] {
        *text = text.as_deref().map(line);
    }
    row
}

/// As [`job`], for an action.
pub(super) fn action(mut row: ActionRow) -> ActionRow {
    row.name = line(&row.name);
    for text in [
        &mut row.transition,
        &mut row.external_id,
        &mut row.external_status,
        &mut row.error_code,
        &mut row.error_message,
        &mut row.note,
    ] {
        *text = text.as_deref().map(line);
    }
    row
}
