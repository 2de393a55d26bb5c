//! Parses the words before the cursor, and determines what is at it.

use std::collections::BTreeMap;

use clap::{Arg, Command, ValueHint};

/// What is to be completed.
#[derive(Debug)]
pub(super) enum CursorContext<'c> {
    Command,
    Option,
    Value(&'c Arg),
    /// No further argument is allowed, or the words before it are not understood.
    Nothing,
}

#[derive(Debug)]
pub(super) struct Cursor<'c> {
    pub command: &'c Command,
    pub place: CursorContext<'c>,
    /// The prefix of the word that is not part of the value: `--status=`, `-D`, or the values before a comma.
    pub attached: String,
    /// The part of the value that has been typed.
    pub typed: String,
    /// The values before the cursor, by argument name.
    given: BTreeMap<String, Vec<String>>,
}

impl<'c> Cursor<'c> {
    /// For a command that was built.
    pub fn of(root: &'c Command, words: &[String]) -> Cursor<'c> {
        let (last, before) = match words.split_last() {
            Some((last, before)) => (last.as_str(), before),
            None => ("", words),
        };
        let mut cursor = Cursor {
            command: root,
            place: CursorContext::Nothing,
            attached: String::new(),
            typed: last.to_owned(),
            given: BTreeMap::new(),
        };
        let mut n_positionals = 0;
        let mut pending: Option<&Arg> = None;
        let mut is_escaped = false;
        for word in before {
            if let Some(argument) = pending.take() {
                cursor.give(argument, word);
            } else if !is_escaped && word == "--" {
                is_escaped = true;
            } else if let Some(option) = option(cursor.command, word, is_escaped) {
                match option {
                    OptionWord::Value(argument, at) => cursor.give(argument, &word[at..]),
                    OptionWord::Next(argument) => pending = Some(argument),
                    OptionWord::Flag(flag) => {
                        if let Some(flag) = flag {
                            cursor.give(flag, "");
                        }
                    }
                }
            } else if cursor.command.has_subcommands() {
                match cursor.command.find_subcommand(word) {
                    Some(command) => cursor.command = command,
                    None => return cursor,
                }
            } else {
                if let Some(argument) = positional(cursor.command, n_positionals) {
                    cursor.give(argument, word);
                }
                n_positionals += 1;
            }
        }
        cursor.place = if let Some(argument) = pending {
            CursorContext::Value(argument)
        } else if let Some(OptionWord::Value(argument, at)) =
            option(cursor.command, last, is_escaped)
        {
            cursor.attach(at);
            CursorContext::Value(argument)
        } else if last.starts_with('-') && !is_escaped {
            CursorContext::Option
        } else if cursor.command.has_subcommands() {
            CursorContext::Command
        } else {
            match positional(cursor.command, n_positionals) {
                Some(argument) => CursorContext::Value(argument),
                None => CursorContext::Nothing,
            }
        };
        if let CursorContext::Value(argument) = &cursor.place
            && let Some(delimiter) = argument.get_value_delimiter()
            && let Some(at) = cursor.typed.rfind(delimiter)
        {
            cursor.attach(at + delimiter.len_utf8());
        }
        cursor
    }

    /// The last value given for an argument.
    pub fn given(&self, name: &str) -> Option<&str> {
        self.given.get(name)?.last().map(String::as_str)
    }

    pub fn has(&self, flag: &str) -> bool {
        self.given.contains_key(flag)
    }

    /// Whether the value is a path, which shells complete.
    pub fn is_file(&self) -> bool {
        match &self.place {
            CursorContext::Value(argument) => !matches!(
                argument.get_value_hint(),
                ValueHint::Unknown | ValueHint::Other
            ),
            CursorContext::Command | CursorContext::Option | CursorContext::Nothing => false,
        }
    }

    /// Moves this many bytes of the value to the fixed prefix.
    pub fn attach(&mut self, at: usize) {
        let rest = self.typed.split_off(at);
        self.attached.push_str(&self.typed);
        self.typed = rest;
    }

    fn give(&mut self, argument: &Arg, value: &str) {
        let values = self.given.entry(argument.get_id().to_string()).or_default();
        values.push(value.to_owned());
    }
}

enum OptionWord<'c> {
    /// The value starts in the same word, at this byte.
    Value(&'c Arg, usize),
    /// The value is the next word.
    Next(&'c Arg),
    /// An option without a value, if it is known.
    Flag(Option<&'c Arg>),
}

fn takes_value(argument: &Arg) -> bool {
    argument.get_action().takes_values()
}

/// Parses a word as an option.
fn option<'c>(command: &'c Command, word: &str, is_escaped: bool) -> Option<OptionWord<'c>> {
    if is_escaped || word == "-" {
        return None;
    }
    let mut arguments = command.get_arguments();
    if let Some(long) = word.strip_prefix("--") {
        let (name, value) = match long.split_once('=') {
            Some((name, _)) => (name, Some("--".len() + name.len() + "=".len())),
            None => (long, None),
        };
        let argument = arguments.find(|argument| argument.get_long() == Some(name));
        return Some(match (argument, value) {
            (Some(argument), Some(at)) if takes_value(argument) => OptionWord::Value(argument, at),
            (Some(argument), None) if takes_value(argument) => OptionWord::Next(argument),
            (argument, _) => OptionWord::Flag(argument),
        });
    }
    let shorts = word.strip_prefix('-')?;
    let mut flag = None;
    for (at, short) in shorts.char_indices() {
        let mut arguments = command.get_arguments();
        let argument = arguments.find(|argument| argument.get_short() == Some(short));
        match argument {
            Some(argument) if takes_value(argument) => {
                let at = "-".len() + at + short.len_utf8();
                return Some(if at < word.len() {
                    OptionWord::Value(argument, at)
                } else {
                    OptionWord::Next(argument)
                });
            }
            _ => flag = argument,
        }
    }
    Some(OptionWord::Flag(flag))
}

/// The positional argument at an index.
fn positional(command: &Command, place: usize) -> Option<&Arg> {
    let mut all = command.get_positionals();
    all.nth(place)
}
