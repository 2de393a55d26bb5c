//! `complete`: the hidden command that the shells' completion scripts call to get the candidates at the cursor.
//!
//! One candidate per line, followed by a tab and its description. The line `:files` asks the shell for files. The command creates and
//! changes nothing, and on any error there are no candidates.

use std::{collections::BTreeSet, ffi::OsString};

use clap::{Args, Command};
use hpdlc_core::visible;
use hpdlc_host::{
    exit::{Exit, RunError},
    home::Home,
};
use hpdlc_program::table::Program;
use hpdlc_store as store;
use hpdlc_store::sql::Connection;

use crate::commands::{self, help, print};

mod cursor;
mod jobs;
mod values;

use self::cursor::{Cursor, CursorContext};

#[derive(Debug, Args)]
pub(super) struct Complete {
    /// The words behind the program's name, the last of which is completed
    #[arg(last = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// A candidate for the word at the cursor.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    /// The complete word.
    word: String,
    about: String,
}

impl Candidate {
    fn new(word: impl Into<String>, about: impl Into<String>) -> Candidate {
        Candidate {
            word: word.into(),
            about: about.into(),
        }
    }
}

/// The sources of candidates.
struct CandidateSources {
    program: &'static Program,
    /// `None` if there are no jobs yet, or this program cannot read the store.
    store: Option<Connection>,
}

/// The answer if the shell itself completes better.
const FILES: &str = ":files";

impl Complete {
    pub(super) fn execute(&self, program: &'static Program) -> Result<Exit, RunError> {
        let words: Vec<String> = self
            .words
            .iter()
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        let known = CandidateSources {
            program,
            store: Home::to_read().and_then(|home| store::glance(&home)),
        };
        print(&answer(&commands::command(program), &words, &known))?;
        Ok(Exit::Success)
    }
}

fn answer(root: &clap::Command, words: &[String], known: &CandidateSources) -> String {
    let mut root = root.clone();
    root.build();
    let cursor = Cursor::of(&root, words);
    if cursor.is_file() {
        return format!("{FILES}\n");
    }
    let mut seen = BTreeSet::new();
    let mut text = String::new();
    for candidate in candidates(&cursor, known) {
        let Candidate { word, about } = candidate;
        if !word.starts_with(&cursor.typed)
            || !is_plain(&word)
            || (word.starts_with('-') && !matches!(cursor.place, CursorContext::Option))
            || !seen.insert(word.clone())
        {
            continue;
        }
        let attached = &cursor.attached;
        let about = visible::line(about.lines().next().unwrap_or_default()).into_owned();
        text.push_str(&format!("{attached}{word}\t{about}\n"));
    }
    text
}

fn candidates(cursor: &Cursor<'_>, known: &CandidateSources) -> Vec<Candidate> {
    match &cursor.place {
        CursorContext::Nothing => Vec::new(),
        CursorContext::Command => {
            let shown = |it: &&Command| !it.is_hide_set() && it.get_name() != "help";
            let mut shown: Vec<&Command> = cursor.command.get_subcommands().filter(shown).collect();
            shown.sort_by_key(|one| help::position(one.get_name()));
            let candidates = shown.into_iter().map(|command| {
                let about = command.get_about().map(ToString::to_string);
                Candidate::new(command.get_name(), about.unwrap_or_default())
            });
            candidates.collect()
        }
        CursorContext::Option => cursor
            .command
            .get_arguments()
            .filter(|argument| !argument.is_hide_set())
            .flat_map(|argument| {
                let about = argument.get_help().map(ToString::to_string);
                let long = argument.get_long().map(|long| format!("--{long}"));
                let short = argument.get_short().map(|short| format!("-{short}"));
                let words = long.into_iter().chain(short);
                words.map(move |word| Candidate::new(word, about.clone().unwrap_or_default()))
            })
            .collect(),
        CursorContext::Value(argument) => values::of(cursor, argument, known),
    }
}

/// Whether shells insert the word verbatim. A word with special characters is not offered: some shells insert it
/// unquoted.
fn is_plain(word: &str) -> bool {
    word.chars().all(|c| {
        c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '@' | ':' | '+' | ',' | '/' | '=')
    })
}

#[cfg(test)]
mod tests;
