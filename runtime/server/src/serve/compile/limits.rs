//! What a compilation may take, by the settings of the site.

use std::{collections::BTreeMap, time::Duration};

use hpdlc_files::tree::Allowance;

/// The settings, whose defaults and units are in the list of all settings.
pub(crate) const COMPILER: &str = "hpdl.server.compiler";
const BYTES: (&str, u64) = ("hpdl.server.compiler.bytes", 64 << 20);
const ENTRIES: (&str, u64) = ("hpdl.server.compiler.entries", 10_000);
const MEMORY: (&str, u64) = ("hpdl.server.compiler.memory", 8192);
const PARALLEL: (&str, u64) = ("hpdl.server.compiler.parallel", 2);
pub(crate) const ROOTS: &str = "hpdl.server.compiler.roots";
const TIMEOUT: (&str, u64) = ("hpdl.server.compiler.timeout", 120);

/// The largest file that a compiler may write, in bytes: an executable with the largest application in it is smaller.
const MOST_WRITTEN: u64 = 1 << 30;

/// The limits of one compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// What is fetched.
    pub(crate) fetched: Allowance,
    /// The address space of each process of the compiler, in bytes.
    pub(crate) memory: u64,
    /// Of the whole compilation, waiting among it.
    pub(crate) time: Duration,
    /// The largest file, in bytes.
    pub(crate) file: u64,
    /// Compilations at once.
    pub(crate) parallel: u64,
}

impl Limits {
    /// What is no number, or 0, is the default.
    pub(crate) fn of(site: &BTreeMap<String, String>) -> Limits {
        let number = |(name, usual): (&str, u64)| {
            let given = site.get(name).and_then(|text| text.trim().parse().ok());
            given.filter(|number| *number > 0).unwrap_or(usual)
        };
        Limits {
            fetched: Allowance {
                bytes: number(BYTES),
                entries: number(ENTRIES),
            },
            memory: number(MEMORY).saturating_mul(1 << 20),
            time: Duration::from_secs(number(TIMEOUT)),
            file: MOST_WRITTEN,
            parallel: number(PARALLEL),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_the_default() {
        let site = |value: &str| BTreeMap::from([(TIMEOUT.0.to_owned(), value.to_owned())]);
        for (value, seconds) in [
            (" 5 ", 5),
            ("0", 120),
            ("", 120),
            ("soon", 120),
            ("-1", 120),
        ] {
            assert_eq!(Limits::of(&site(value)).time.as_secs(), seconds, "{value}");
        }
    }
}
