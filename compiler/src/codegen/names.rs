//! Maps names of the document to Rust identifiers, without collisions.
//!
//! Every identifier of a generated program that is derived from the user's text is created here. A name is split into
//! words, which are joined in the case convention of the kind of item. Names that would collide (`a-b` and `a_b`, `load`
//! and `Load`) are distinguished by a number, in document order.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Span};

/// The spellings of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    /// `count_lines`: functions, fields and modules.
    pub(crate) snake: String,
    /// `CountLines`: variants of an enum.
    pub(crate) camel: String,
    /// `COUNT_LINES`: statics.
    pub(crate) screaming: String,
}

impl Name {
    fn new(words: &[String]) -> Name {
        let camel = words.iter().map(|word| capitalized(word)).collect();
        let snake = words.join("_");
        let screaming = snake.to_ascii_uppercase();
        Name {
            snake,
            camel,
            screaming,
        }
    }

    /// A keyword gets a trailing underscore: `r#` is not allowed for all keywords and is less readable.
    pub(crate) fn snake_ident(&self) -> Ident {
        if is_keyword(&self.snake) {
            ident(&format!("{}_", self.snake))
        } else {
            ident(&self.snake)
        }
    }

    pub(crate) fn camel_ident(&self) -> Ident {
        if self.camel == "Self" {
            ident("Self_")
        } else {
            ident(&self.camel)
        }
    }

    /// No keyword is in upper case.
    pub(crate) fn screaming_ident(&self) -> Ident {
        ident(&self.screaming)
    }
}

/// The names assigned so far in one namespace.
#[derive(Debug, Default)]
pub(crate) struct Namer {
    snakes: BTreeSet<String>,
    camels: BTreeSet<String>,
    /// By name without number: the lowest number that may be free.
    numbers: BTreeMap<String, u32>,
}

impl Namer {
    /// A namespace in which these names, in snake case, are already used by generated items.
    pub(crate) fn with_reserved(reserved: &[&str]) -> Namer {
        Namer {
            snakes: reserved.iter().map(|&name| name.to_owned()).collect(),
            camels: BTreeSet::new(),
            numbers: BTreeMap::new(),
        }
    }

    /// The name for `text`, unique in this namespace in every spelling. `fallback` is used if `text` has no characters
    /// for an identifier, and as a prefix if it begins with a digit.
    pub(crate) fn claim(&mut self, text: &str, fallback: &str) -> Name {
        let Namer {
            snakes,
            camels,
            numbers,
        } = self;
        let is_free = |name: &Name| !snakes.contains(&name.snake) && !camels.contains(&name.camel);
        let words = words(text, fallback);
        let mut name = Name::new(&words);
        if !is_free(&name) {
            // Thousands of names in a non-Latin script map to the same fallback, so the search must not restart at 2.
            let number = numbers.entry(name.snake.clone()).or_insert(2);
            while !is_free(&name) {
                let mut words = words.clone();
                words.push(number.to_string());
                name = Name::new(&words);
                *number += 1;
            }
        }
        snakes.insert(name.snake.clone());
        camels.insert(name.camel.clone());
        name
    }
}

/// An identifier from a text that is a valid one.
pub(crate) fn ident(text: &str) -> Ident {
    Ident::new(text, Span::call_site())
}

/// A name of the document unchanged, if it is possible as an identifier in Rust: `queue`, `r#type`.
pub(crate) fn same_ident(text: &str) -> Option<Ident> {
    let ident = syn::parse_str::<Ident>(text);
    let raw = || syn::parse_str::<Ident>(&format!("r#{text}"));
    ident.or_else(|_| raw()).ok()
}

/// The maximum number of letters and digits of a name. Longer ones are truncated: modules are files, whose names have a
/// limited length.
const MAX_LENGTH: usize = 100;

/// The words of a name, in lower case; there is at least one, and the first starts with a letter.
///
/// Any character but an ASCII letter or digit ends a word: the Unicode table of characters that Rust allows beyond ASCII
/// changes, and rustc normalizes different spellings of a character to the same identifier. An upper-case letter that
/// does not follow another one starts a word.
fn words(text: &str, fallback: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut before = ' ';
    let mut length = 0;
    for character in text.chars() {
        let starts_word = character.is_ascii_uppercase() && !before.is_ascii_uppercase();
        if (starts_word || !character.is_ascii_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if character.is_ascii_alphanumeric() {
            if length == MAX_LENGTH {
                break;
            }
            length += 1;
            word.push(character.to_ascii_lowercase());
        }
        before = character;
    }
    if !word.is_empty() {
        words.push(word);
    }
    match words.first_mut() {
        None => words.push(fallback.to_owned()),
        Some(first) if first.starts_with(|c: char| c.is_ascii_digit()) => {
            words.insert(0, fallback.to_owned());
        }
        Some(_) => {}
    }
    words
}

fn capitalized(word: &str) -> String {
    let mut characters = word.chars();
    characters
        .next()
        .map(|first| first.to_ascii_uppercase())
        .into_iter()
        .chain(characters)
        .collect()
}

/// Whether the word is a keyword or reserved in any edition of Rust.
pub(crate) fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "abstract"
            | "as"
            | "async"
            | "await"
            | "become"
            | "box"
            | "break"
            | "const"
            | "continue"
            | "crate"
            | "do"
            | "dyn"
            | "else"
            | "enum"
            | "extern"
            | "false"
            | "final"
            | "fn"
            | "for"
            | "gen"
            | "if"
            | "impl"
            | "in"
            | "let"
            | "loop"
            | "macro"
            | "match"
            | "mod"
            | "move"
            | "mut"
            | "override"
            | "priv"
            | "pub"
            | "ref"
            | "return"
            | "self"
            | "static"
            | "struct"
            | "super"
            | "trait"
            | "true"
            | "try"
            | "type"
            | "typeof"
            | "unsafe"
            | "unsized"
            | "use"
            | "virtual"
            | "where"
            | "while"
            | "yield"
    )
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    /// Claims the names in order and lists their spellings for each kind of item.
    #[track_caller]
    fn check(texts: &[&str], expect: Expect) {
        let mut namer = Namer::default();
        let rows: String = texts
            .iter()
            .map(|text| {
                let name = namer.claim(text, "node");
                let (snake, camel, screaming) = (
                    name.snake_ident(),
                    name.camel_ident(),
                    name.screaming_ident(),
                );
                format!("{text}: {snake} {camel} {screaming}\n")
            })
            .collect();
        expect.assert_eq(&rows);
    }

    #[test]
    fn words_are_joined_as_the_item_asks() {
        check(
            &[
                "count-lines",
                "inputDir",
                "HTTPServer",
                "oozie.wf.path",
                "x2y",
            ],
            expect![[r#"
                count-lines: count_lines CountLines COUNT_LINES
                inputDir: input_dir InputDir INPUT_DIR
                HTTPServer: httpserver Httpserver HTTPSERVER
                oozie.wf.path: oozie_wf_path OozieWfPath OOZIE_WF_PATH
                x2y: x2y X2y X2Y
            "#]],
        );
    }

    #[test]
    fn long_names_are_cut_and_still_told_apart() {
        let long = |end: &str| format!("{}{end}", "abcd-".repeat(30));
        let mut namer = Namer::default();
        let names = ["x", "y"].map(|end| namer.claim(&long(end), "node").snake);
        let cut = ["abcd"; 25].join("_");
        assert_eq!(names, [cut.clone(), format!("{cut}_2")]);
    }

    #[test]
    fn names_that_end_up_alike_are_numbered() {
        check(
            &["a-b", "a_b", "A-B", "aB", "a-b-2", "a_1", "a1"],
            expect![[r#"
                a-b: a_b AB A_B
                a_b: a_b_2 AB2 A_B_2
                A-B: a_b_3 AB3 A_B_3
                aB: a_b_4 AB4 A_B_4
                a-b-2: a_b_2_2 AB22 A_B_2_2
                a_1: a_1 A1 A_1
                a1: a1_2 A12 A1_2
            "#]],
        );
    }

    #[test]
    fn keywords_get_an_underscore() {
        check(
            &["self", "Self", "match", "type", "crate", "gen", "union"],
            expect![[r#"
                self: self_ Self_ SELF
                Self: self_2 Self2 SELF_2
                match: match_ Match MATCH
                type: type_ Type TYPE
                crate: crate_ Crate CRATE
                gen: gen_ Gen GEN
                union: union Union UNION
            "#]],
        );
    }

    #[test]
    fn names_without_usable_letters_get_a_word() {
        check(
            &["_", "__", "_1", "größe", "日本", "日本語", ":start:"],
            expect![[r#"
                _: node Node NODE
                __: node_2 Node2 NODE_2
                _1: node_1 Node1 NODE_1
                größe: gr_e GrE GR_E
                日本: node_3 Node3 NODE_3
                日本語: node_4 Node4 NODE_4
                :start:: start Start START
            "#]],
        );
    }

    #[test]
    fn reserved_names_are_not_given() {
        let mut namer = Namer::with_reserved(&["files"]);
        assert_eq!(namer.claim("files", "app").snake, "files_2");
    }
}
