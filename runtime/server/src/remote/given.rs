//! Takes what is on this machine out of a command line: files with properties, and properties, which no list of processes should show.

use std::{collections::BTreeMap, fs, path::PathBuf};

use clap::ArgMatches;
use hpdlc_host::exit::RunError;

use crate::api::command::GivenFile;

/// A command line in three parts.
#[derive(Debug)]
pub(crate) struct Given {
    /// Without options for this machine, files and properties.
    pub(crate) arguments: Vec<String>,
    pub(crate) files: Vec<GivenFile>,
    pub(crate) properties: BTreeMap<String, String>,
}

/// Options with a value, by their short and long names: which are taken out.
const TAKEN: [(Option<&str>, Option<&str>); 4] = [
    (None, Some("--url")),
    (None, Some("--color")),
    (Some("-c"), Some("--config")),
    (Some("-D"), None),
];

/// The parts of `words`, which were parsed as `matches`.
///
/// # Errors
///
/// Exit 2 if a file cannot be read, or an option stands where it cannot be told from others.
pub(crate) fn of(matches: &ArgMatches, words: &[String]) -> Result<Given, RunError> {
    let given = matches.subcommand().map_or(matches, |(_, given)| given);
    let paths = given.try_get_many::<PathBuf>("config").ok().flatten();
    let paths: Vec<&PathBuf> = paths.unwrap_or_default().collect();
    let defined = given
        .try_get_many::<(String, String)>("define")
        .ok()
        .flatten();
    let defined: Vec<&(String, String)> = defined.unwrap_or_default().collect();
    let (arguments, n_taken) = without_taken(words);
    if n_taken != paths.len() + defined.len() {
        return Err(RunError::usage(
            "with --url, write `-c FILE` and `-D NAME=VALUE` apart from other options",
        ));
    }
    let files = paths.into_iter().map(|path| {
        let text = fs::read_to_string(path)
            .map_err(|error| RunError::usage(format!("{}: {error}", path.display())))?;
        Ok(GivenFile {
            name: path.display().to_string(),
            text,
        })
    });
    Ok(Given {
        arguments,
        files: files.collect::<Result<_, RunError>>()?,
        properties: defined.into_iter().cloned().collect(),
    })
}

/// The other words, and the number of files and properties that were taken out.
fn without_taken(words: &[String]) -> (Vec<String>, usize) {
    let mut kept = Vec::new();
    let mut n_taken = 0;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--" {
            kept.push(word.clone());
            kept.extend(words.cloned());
            break;
        }
        let option = TAKEN.iter().find_map(|(short, long)| {
            let is_short = short.is_some_and(|short| word.starts_with(short));
            let is_long = long.is_some_and(|long| {
                let rest = word.strip_prefix(long);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
            });
            let name = if is_short { *short } else { *long };
            (is_short || is_long).then_some((short.is_some(), name.is_some_and(|it| it == word)))
        });
        match option {
            Some((is_counted, has_value_behind)) => {
                n_taken += usize::from(is_counted);
                if has_value_behind {
                    words.next();
                }
            }
            None => kept.push(word.clone()),
        }
    }
    (kept, n_taken)
}

#[cfg(test)]
mod tests {
    use super::without_taken;

    #[test]
    fn files_and_properties_are_taken_out_however_they_are_written() {
        for (line, kept, n_taken) in [
            ("submit load -c a.xml -Dx=1 -D y=-c", "submit load", 3),
            (
                "--url http://x rerun 17 --config=a --config b",
                "rerun 17",
                2,
            ),
            ("info 17 --json --url=x --color always", "info 17 --json", 0),
            ("log 17 -f -- -c", "log 17 -f -- -c", 0),
            (
                "change 17 --concurrency -1",
                "change 17 --concurrency -1",
                0,
            ),
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let (found, n) = without_taken(&words);
            assert_eq!((found.join(" ").as_str(), n), (kept, n_taken), "{line}");
        }
    }
}
