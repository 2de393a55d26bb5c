//! The actions: plain functions.

use std::{fs, path::Path};

use hpdlc_flow::{Data, Result, action, error};

/// The numbers of a day.
#[derive(Data, Debug, PartialEq, Eq)]
pub struct Counted {
    pub requests: u64,
    pub hours: u64,
}

/// The path of a `file:` URI.
pub fn path_of(uri: &str) -> &Path {
    Path::new(uri.strip_prefix("file://").unwrap_or(uri))
}

/// Counts the lines of the logs in the folders of a day's hours, whose URIs have commas between them.
#[action]
pub fn count(hours: String) -> Result<Counted> {
    let mut counted = Counted {
        requests: 0,
        hours: 0,
    };
    for hour in hours.split(',') {
        let log = path_of(hour).join("access.log");
        let text = fs::read_to_string(&log)
            .map_err(|problem| error("NO_LOG", format!("{}: {problem}", log.display())))?;
        counted.requests += text.lines().count() as u64;
        counted.hours += 1;
    }
    Ok(counted)
}

/// Writes the report of a day.
#[action]
pub fn publish(folder: String, title: String, line: String) -> Result {
    let folder = path_of(&folder);
    fs::create_dir_all(folder)?;
    fs::write(folder.join("report.txt"), format!("{title}: {line}\n"))?;
    Ok(())
}
