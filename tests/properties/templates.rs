//! Random templates: mostly well typed, so that most of them have values, and often enough with errors.

use std::collections::BTreeMap;

/// Properties with every kind of text that may occur.
const PROPERTIES: [(&str, &str); 12] = [
    ("a", "alpha"),
    ("b", "be ta"),
    ("day", "2026-11-20"),
    ("n", "42"),
    ("m", "-7"),
    ("big", "9223372036854775807"),
    ("zero", "0"),
    ("half", "0.5"),
    ("yes", "true"),
    ("no", "false"),
    ("odd", "a,b;c=d"),
    ("none", ""),
];

pub fn properties() -> BTreeMap<String, String> {
    PROPERTIES
        .iter()
        .map(|&(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// Characters that a mutation inserts.
const CHARACTERS: &[&str] = &[
    "$", "{", "}", "(", ")", "[", "]", ".", ",", ":", "?", "'", "\"", "\\", "+", "-", "*", "/",
    "%", "<", ">", "=", "!", "&", "|", "#", ";", "@", "~", "^", "`", " ", "\t", "0", "1", "9", "e",
    "E", "a", "x", "n", "_", "L", "\u{e9}",
];

/// Tokens of the language, and common errors.
const TOKENS: &[&str] = &[
    "+",
    "-",
    "*",
    "/",
    "div",
    "%",
    "mod",
    "<",
    ">",
    "<=",
    ">=",
    "lt",
    "gt",
    "le",
    "ge",
    "==",
    "!=",
    "eq",
    "ne",
    "&&",
    "||",
    "and",
    "or",
    "not ",
    "!",
    "empty ",
    "?",
    ":",
    "(",
    ")",
    "[",
    "]",
    ".",
    ",",
    "${",
    "}",
    "#{",
    "$",
    "'",
    "\"",
    "\\",
    "'x'",
    "\"y\"",
    "'1'",
    "'it\\'s'",
    "'\\n'",
    "a",
    "n",
    "none",
    "unknown",
    "instanceof",
    "null",
    "true",
    "false",
    "1",
    "010",
    "1.",
    ".5",
    "1e3",
    "1e",
    "1e+",
    "2e23",
    "8.41E21",
    "0x1",
    "1L",
    "1.2.3",
    "9223372036854775808",
    "=",
    "===",
    "<>",
    "&",
    "|",
    "->",
    "+=",
    ";",
    "{1}",
    "[1]",
    "a.b",
    "a-b",
    "concat(a, n)",
    "trim(",
    "nosuch(1)",
    "'a'['empty']",
    "1['class']",
];

/// An infinite sequence determined by a seed (SplitMix64).
pub struct Templates {
    state: u64,
}

#[derive(Clone, Copy)]
enum ExpressionKind {
    Text,
    Number,
    Truth,
}

impl Templates {
    pub fn new(seed: u64) -> Templates {
        Templates { state: seed }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let limit = u64::try_from(limit).expect("it fits");
        usize::try_from(mixed % limit).expect("below a usize")
    }

    fn pick(&mut self, choices: &[&str]) -> String {
        choices[self.below(choices.len())].to_owned()
    }

    /// A template with characters and tokens deleted, duplicated, and inserted.
    pub fn mutated(&mut self) -> String {
        let mut characters: Vec<char> = self.template().chars().collect();
        for _ in 0..1 + self.below(3) {
            let at = self.below(characters.len() + 1);
            match self.below(4) {
                0 if at < characters.len() => {
                    characters.remove(at);
                }
                1 if at < characters.len() => characters.insert(at, characters[at]),
                2 => {
                    let character = self.pick(CHARACTERS);
                    characters.splice(at..at, character.chars());
                }
                _ => {
                    let token = self.pick(TOKENS);
                    characters.splice(at..at, token.chars());
                }
            }
        }
        characters.into_iter().collect()
    }

    /// Tokens in any order.
    pub fn nonsense(&mut self) -> String {
        let mut text = self.pick(&["${", "${", "", "x${"]);
        for _ in 0..1 + self.below(8) {
            text.push_str(&self.pick(TOKENS));
            text.push_str(&self.pick(&["", " "]));
        }
        text.push_str(&self.pick(&["}", "}", "}", ""]));
        text
    }

    pub fn template(&mut self) -> String {
        match self.below(8) {
            0 => format!("/data/{}/x", self.hole()),
            1 => format!("{}-{}", self.hole(), self.hole()),
            2 => format!(
                "{}{}",
                self.hole(),
                self.pick(&["$", "#{a}", "\\", "}", "%s{}", "\"", "é"])
            ),
            _ => self.hole(),
        }
    }

    fn hole(&mut self) -> String {
        let kind = self.kind();
        let depth = 1 + self.below(4);
        format!("${{{}}}", self.expr(kind, depth))
    }

    fn kind(&mut self) -> ExpressionKind {
        [
            ExpressionKind::Text,
            ExpressionKind::Number,
            ExpressionKind::Truth,
        ][self.below(3)]
    }

    /// An expression of that kind; occasionally of another, for the coercions and their errors.
    fn expr(&mut self, kind: ExpressionKind, depth: usize) -> String {
        let kind = if self.below(9) == 0 {
            self.kind()
        } else {
            kind
        };
        if depth == 0 {
            return self.leaf(kind);
        }
        let below = depth - 1;
        if self.below(7) == 0 {
            let (condition, then, otherwise) = (
                self.expr(ExpressionKind::Truth, below),
                self.expr(kind, below),
                self.expr(kind, below),
            );
            return format!("({condition} ? {then} : {otherwise})");
        }
        match kind {
            ExpressionKind::Text => self.text(below),
            ExpressionKind::Number => self.arithmetic(below),
            ExpressionKind::Truth => self.truth(below),
        }
    }

    fn leaf(&mut self, kind: ExpressionKind) -> String {
        match kind {
            ExpressionKind::Text => self.pick(&[
                "a", "b", "day", "odd", "none", "'x'", "'it\\'s'", "\"q'q\"", "''", "'-'", "null",
            ]),
            ExpressionKind::Number => self.pick(&[
                "n",
                "m",
                "big",
                "zero",
                "half",
                "0",
                "1",
                "7",
                "2.5",
                "1e3",
                ".5",
                "9223372036854775807",
                "KB",
                "MB",
                "1e400",
                "2e23",
                "123456789.123",
            ]),
            ExpressionKind::Truth => self.pick(&["yes", "no", "true", "false", "none", "null"]),
        }
    }

    fn text(&mut self, depth: usize) -> String {
        let (first, second) = (
            self.expr(ExpressionKind::Text, depth),
            self.expr(ExpressionKind::Text, depth),
        );
        match self.below(8) {
            0 => format!("concat({first}, {second})"),
            1 => format!(
                "replaceAll({first}, {}, {second})",
                self.pick(&["'-'", "'[a-c]'", "'(\\\\d+)'", "'.'", "'('"])
            ),
            2 => format!("appendAll({first}, {second}, ',')"),
            3 => format!("trim({first})"),
            4 => format!("urlEncode({first})"),
            5 => format!("firstNotNull({first}, {second})"),
            6 => self.expr(ExpressionKind::Number, depth),
            _ => self.leaf(ExpressionKind::Text),
        }
    }

    fn arithmetic(&mut self, depth: usize) -> String {
        let op = self.pick(&["+", "-", "*", "/", "div", "%", "mod"]);
        if self.below(6) == 0 {
            return format!("-{}", self.expr(ExpressionKind::Number, depth));
        }
        format!(
            "({} {op} {})",
            self.expr(ExpressionKind::Number, depth),
            self.expr(ExpressionKind::Number, depth)
        )
    }

    fn truth(&mut self, depth: usize) -> String {
        let compared = self.kind();
        match self.below(6) {
            0 => format!("not {}", self.expr(ExpressionKind::Truth, depth)),
            1 => format!("empty {}", self.expr(compared, depth)),
            2 | 3 => {
                let op = self.pick(&["and", "or", "&&", "||"]);
                format!(
                    "({} {op} {})",
                    self.expr(ExpressionKind::Truth, depth),
                    self.expr(ExpressionKind::Truth, depth)
                )
            }
            _ => {
                let op = self.pick(&[
                    "==", "!=", "<", ">", "<=", ">=", "eq", "ne", "lt", "gt", "le", "ge",
                ]);
                format!(
                    "({} {op} {})",
                    self.expr(compared, depth),
                    self.expr(compared, depth)
                )
            }
        }
    }
}

impl Iterator for Templates {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        Some(self.template())
    }
}
