//! The action types with schemas of their own.

use super::{Version, vocabulary::Vocabulary};

mod distcp;
mod email;
mod git;
mod hive;
mod hive2;
#[cfg(test)]
mod probe;
mod rust;
mod shell;
mod spark;
mod sqoop;
mod ssh;

/// Every extension that Oozie registers by default (`SchemaService`), and hpdlc's own.
pub(crate) static EXTENSIONS: &[&Vocabulary] = &[
    &distcp::DISTCP,
    &email::EMAIL,
    &git::GIT,
    &hive::HIVE,
    &hive2::HIVE2,
    #[cfg(test)]
    &probe::PROBE,
    &rust::RUST,
    &shell::SHELL,
    &spark::SPARK,
    &sqoop::SQOOP,
    &ssh::SSH,
];

const fn v(major: u8, minor: u8) -> Version {
    Version::new(major, minor)
}
