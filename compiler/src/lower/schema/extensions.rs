//! The action types with schemas of their own.

use super::{Version, vocabulary::Vocabulary};

mod distcp;
mod email;
mod git;
mod hive;
mod hive2;
mod shell;
mod spark;
mod sqoop;
mod ssh;

/// Every extension that Oozie registers by default (`SchemaService`).
pub(crate) static EXTENSIONS: [&Vocabulary; 9] = [
    &distcp::DISTCP,
    &email::EMAIL,
    &git::GIT,
    &hive::HIVE,
    &hive2::HIVE2,
    &shell::SHELL,
    &spark::SPARK,
    &sqoop::SQOOP,
    &ssh::SSH,
];

const fn v(major: u8, minor: u8) -> Version {
    Version::new(major, minor)
}
