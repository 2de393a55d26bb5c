//! An extension: actions for the workflows of other programs.

mod query;
mod service;

use hpdlc_flow::{Data, Result, action, error};

pub use self::query::{Answered, WarehouseQuery};

hpdlc_flow::extension! {
    name: "acme",
    actions: [count],
    types: [WarehouseQuery],
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

#[cfg(test)]
mod tests {
    use super::*;

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
