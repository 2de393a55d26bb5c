//! Checks that values are encrypted where the site has a key.

use hpdlc_host::home::store_location::StoreLocation;
use hpdlc_store::{encryption, sql::Connection};

use super::{DoctorReport, store};

pub(super) fn examine(
    connection: &Connection,
    location: &StoreLocation,
    report: &mut DoctorReport,
) {
    match encryption::left(connection) {
        Ok(0) => {}
        Ok(n) => report.note(
            location.to_string(),
            format!("{n} of its values are not encrypted with the first key of hpdl.store.key"),
            "type: hpdl encrypt-store",
        ),
        Err(error) => store::unreadable(location, &error, report),
    }
}
