//! An extension: actions and functions for the workflows of other programs.

mod query;
mod service;

use hpdlc_flow::{Data, Result, action, error, function};

pub use self::query::{Answered, WarehouseQuery};

hpdlc_flow::extension! {
    name: "acme",
    actions: [count],
    types: [WarehouseQuery],
    functions: [partition],
}

/// What is in a file.
#[derive(Data)]
pub struct Counted {
    pub lines: u64,
}

/// Counts the lines of a file.
#[action(idempotent)]
pub fn count(path: String) -> Result<Counted> {
    let text =
        std::fs::read_to_string(&path).map_err(|e| error("NO_FILE", format!("{path}: {e}")))?;
    Ok(Counted {
        lines: text.lines().count() as u64,
    })
}

/// The partition of a table that a key is in, of `n`: `${acme:partition(key, 16)}` in expressions.
#[function]
pub fn partition(key: &str, n: u64) -> Result<u64> {
    if n == 0 {
        return Err(error("NO_PARTITIONS", "a table has at least one partition"));
    }
    let hash = key.bytes().fold(0_u64, |hash, byte| {
        hash.wrapping_mul(31).wrapping_add(u64::from(byte))
    });
    Ok(hash % n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_a_partition() {
        assert_eq!(partition("ab", 16), Ok((97 * 31 + 98) % 16));
        assert!(partition("ab", 0).is_err());
    }

    #[test]
    fn lines_are_counted() {
        let counted = count::count("Cargo.toml".to_owned()).map(|it| it.lines > 5);
        assert_eq!(counted, Ok(true));
        let failed = count::count("nothing".to_owned()).map(|it| it.lines);
        assert_eq!(
            failed.map_err(|e| e.code().to_owned()),
            Err("NO_FILE".to_owned())
        );
    }
}
