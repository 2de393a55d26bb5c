//! The tokens inside of `${...}`, following the token section of commons-el's grammar.

use crate::el::{
    ast::{BinaryOp, TextRange, UnaryOp},
    parse_error::ParseError,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) range: TextRange,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Integer,
    Float,
    /// Including its quotes; the escapes are known to be valid.
    Text,
    Identifier,
    True,
    False,
    Null,
    /// An operator with only one meaning.
    Binary(BinaryOp),
    /// `-`, which is a unary and a binary operator.
    Minus,
    /// `!` and `empty`
    Unary(UnaryOp),
    Question,
    Colon,
    Comma,
    Dot,
    LeftParen,
    RightParen,
    LeftBracket,
    RightBracket,
    RightBrace,
    /// The end of the whole template.
    End,
}

/// The words that cannot be the name of a variable or of a property after a dot.
///
/// JSP reserves `instanceof` too, but commons-el accepts it as a name.
const RESERVED: [(&str, TokenKind); 15] = [
    ("and", TokenKind::Binary(BinaryOp::And)),
    ("div", TokenKind::Binary(BinaryOp::Divide)),
    ("empty", TokenKind::Unary(UnaryOp::Empty)),
    ("eq", TokenKind::Binary(BinaryOp::Equal)),
    ("false", TokenKind::False),
    ("ge", TokenKind::Binary(BinaryOp::GreaterOrEqual)),
    ("gt", TokenKind::Binary(BinaryOp::Greater)),
    ("le", TokenKind::Binary(BinaryOp::LessOrEqual)),
    ("lt", TokenKind::Binary(BinaryOp::Less)),
    ("mod", TokenKind::Binary(BinaryOp::Modulo)),
    ("ne", TokenKind::Binary(BinaryOp::NotEqual)),
    ("not", TokenKind::Unary(UnaryOp::Not)),
    ("null", TokenKind::Null),
    ("or", TokenKind::Binary(BinaryOp::Or)),
    ("true", TokenKind::True),
];

/// Reads the token at or after `start`.
pub(super) fn next_token(text: &str, start: usize) -> Result<Token, ParseError> {
    let rest = &text[start..];
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    let start = start + blanks;
    let rest = &text[start..];
    let token = |kind, length| {
        Ok(Token {
            kind,
            range: TextRange::new(start, start + length),
        })
    };
    let Some(first) = rest.chars().next() else {
        return token(TokenKind::End, 0);
    };
    if first.is_ascii_digit() {
        let (kind, length) = number(rest);
        return token(kind, length);
    }
    if is_identifier_start(first) {
        let length = rest
            .char_indices()
            .skip(1)
            .find(|(_, character)| !is_identifier_part(*character))
            .map_or(rest.len(), |(at, _)| at);
        let word = &rest[..length];
        let kind = RESERVED
            .iter()
            .find(|(reserved, _)| *reserved == word)
            .map_or(TokenKind::Identifier, |(_, kind)| *kind);
        return token(kind, length);
    }
    let second = rest[first.len_utf8()..].chars().next();
    match (first, second) {
        ('\'' | '"', _) => {
            let length = quoted(rest, first, start)?;
            token(TokenKind::Text, length)
        }
        ('.', Some('0'..='9')) => {
            let (kind, length) = number(rest);
            token(kind, length)
        }
        ('.', _) => token(TokenKind::Dot, 1),
        ('<', Some('=')) => token(TokenKind::Binary(BinaryOp::LessOrEqual), 2),
        ('<', _) => token(TokenKind::Binary(BinaryOp::Less), 1),
        ('>', Some('=')) => token(TokenKind::Binary(BinaryOp::GreaterOrEqual), 2),
        ('>', _) => token(TokenKind::Binary(BinaryOp::Greater), 1),
        ('=', Some('=')) => token(TokenKind::Binary(BinaryOp::Equal), 2),
        ('!', Some('=')) => token(TokenKind::Binary(BinaryOp::NotEqual), 2),
        ('!', _) => token(TokenKind::Unary(UnaryOp::Not), 1),
        ('&', Some('&')) => token(TokenKind::Binary(BinaryOp::And), 2),
        ('|', Some('|')) => token(TokenKind::Binary(BinaryOp::Or), 2),
        ('+', Some('=')) | ('-', Some('>')) => Err(not_in_jsp20(rest, start)),
        ('+', _) => token(TokenKind::Binary(BinaryOp::Add), 1),
        ('-', _) => token(TokenKind::Minus, 1),
        ('*', _) => token(TokenKind::Binary(BinaryOp::Multiply), 1),
        ('/', _) => token(TokenKind::Binary(BinaryOp::Divide), 1),
        ('%', _) => token(TokenKind::Binary(BinaryOp::Modulo), 1),
        ('?', _) => token(TokenKind::Question, 1),
        (':', _) => token(TokenKind::Colon, 1),
        (',', _) => token(TokenKind::Comma, 1),
        ('(', _) => token(TokenKind::LeftParen, 1),
        (')', _) => token(TokenKind::RightParen, 1),
        ('[', _) => token(TokenKind::LeftBracket, 1),
        (']', _) => token(TokenKind::RightBracket, 1),
        ('}', _) => token(TokenKind::RightBrace, 1),
        _ => Err(not_in_jsp20(rest, start)),
    }
}

/// A decimal number at the start of `rest`: digits, a point, an exponent, as far as they match.
fn number(rest: &str) -> (TokenKind, usize) {
    let bytes = rest.as_bytes();
    let digits_from = |from: usize| {
        from + bytes
            .iter()
            .skip(from)
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    };
    let mut end = digits_from(0);
    let mut kind = TokenKind::Integer;
    if bytes.get(end) == Some(&b'.') {
        end = digits_from(end + 1);
        kind = TokenKind::Float;
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        let signed = matches!(bytes.get(end + 1), Some(b'+' | b'-'));
        let digits = end + 1 + usize::from(signed);
        let exponent_end = digits_from(digits);
        // Without digits, the letter starts a separate word.
        if exponent_end > digits {
            end = exponent_end;
            kind = TokenKind::Float;
        }
    }
    (kind, end)
}

/// The length of the quoted text at the start of `rest`, including its quotes.
fn quoted(rest: &str, quote: char, start: usize) -> Result<usize, ParseError> {
    let mut characters = rest.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        if character == quote {
            return Ok(at + 1);
        }
        if character != '\\' {
            continue;
        }
        match characters.next() {
            Some((_, escaped)) if escaped == '\\' || escaped == quote => {}
            Some((_, escaped)) => {
                let end = start + at + 1 + escaped.len_utf8();
                let help = if escaped == '\'' || escaped == '"' {
                    format!("between {quote} a {escaped} needs no backslash")
                } else {
                    "a backslash itself is written `\\\\`".to_owned()
                };
                return Err(ParseError::new(
                    format!("expected `\\\\` or `\\{quote}`, found `\\{escaped}`"),
                    TextRange::new(start + at, end),
                )
                .with_help(help));
            }
            None => break,
        }
    }
    Err(ParseError::new(
        format!("expected `{quote}` at the end of the quoted text, found the end of the value"),
        TextRange::new(start, start + rest.len()),
    ))
}

/// Input that is no token in JSP 2.0: known syntax of later versions gets a message of its own.
fn not_in_jsp20(rest: &str, start: usize) -> ParseError {
    let (length, message, help) = if rest.starts_with("+=") {
        (
            2,
            "`+=` is not an operator of the expression language".to_owned(),
            Some("`concat(a, b)` joins texts".to_owned()),
        )
    } else if rest.starts_with("->") {
        (
            2,
            "lambda expressions are not part of the expression language".to_owned(),
            None,
        )
    } else if rest.starts_with('=') {
        (
            1,
            "assignments are not part of the expression language".to_owned(),
            Some("`==` or `eq` compares".to_owned()),
        )
    } else if rest.starts_with(';') {
        (
            1,
            "`;` is not an operator of the expression language".to_owned(),
            Some("one `${...}` holds one expression".to_owned()),
        )
    } else if rest.starts_with('{') {
        (
            1,
            "expected a value, found `{`".to_owned(),
            Some(
                "inside of `${...}` a property needs no `${` of its own; a literal `${` is written `${'${'}`"
                    .to_owned(),
            ),
        )
    } else if let Some(entity) = entity(rest) {
        (
            entity.len(),
            format!("expected an operator, found `{entity}`"),
            Some(
                "the text was escaped for XML once too often; \
                 `lt`, `gt`, `le`, `ge`, and `and` need no escaping"
                    .to_owned(),
            ),
        )
    } else if rest.starts_with('&') {
        (
            1,
            "expected `&&`, found `&`".to_owned(),
            Some("`and` is the same operator".to_owned()),
        )
    } else if rest.starts_with('|') {
        (
            1,
            "expected `||`, found `|`".to_owned(),
            Some("`or` is the same operator".to_owned()),
        )
    } else {
        let character = rest.chars().next().unwrap_or_default();
        (
            character.len_utf8(),
            format!(
                "expected an expression, found the character `{}`",
                character.escape_debug()
            ),
            None,
        )
    };
    let error = ParseError::new(message, TextRange::new(start, start + length));
    match help {
        Some(help) => error.with_help(help),
        None => error,
    }
}

pub(super) fn literal_dollar_help() -> String {
    "a literal `${` is written `${'${'}`".to_owned()
}

fn entity(rest: &str) -> Option<&str> {
    ["&lt;", "&gt;", "&amp;", "&quot;", "&apos;"]
        .into_iter()
        .find(|entity| rest.starts_with(entity))
}

/// The text between the quotes of a token that [`next_token`] has accepted.
pub(super) fn unquote(token: &str) -> String {
    let inner = token
        .get(1..token.len().saturating_sub(1))
        .unwrap_or_default();
    let mut text = String::with_capacity(inner.len());
    let mut escaping = false;
    for character in inner.chars() {
        if character == '\\' && !escaping {
            escaping = true;
        } else {
            escaping = false;
            text.push(character);
        }
    }
    text
}

/// The non-ASCII ranges of letters in commons-el's grammar. Its non-ASCII digits are within them.
const LETTERS: [(char, char); 9] = [
    ('\u{C0}', '\u{D6}'),
    ('\u{D8}', '\u{F6}'),
    ('\u{F8}', '\u{FF}'),
    ('\u{100}', '\u{1FFF}'),
    ('\u{3040}', '\u{318F}'),
    ('\u{3300}', '\u{337F}'),
    ('\u{3400}', '\u{3D2D}'),
    ('\u{4E00}', '\u{9FFF}'),
    ('\u{F900}', '\u{FAFF}'),
];

/// A letter, `_`, or `$`; commons-el also lets a name begin with `#`, so that `${#x}` is a variable.
fn is_identifier_start(character: char) -> bool {
    character == '#' || is_letter(character)
}

fn is_identifier_part(character: char) -> bool {
    character.is_ascii_digit() || is_letter(character)
}

fn is_letter(character: char) -> bool {
    character.is_ascii_alphabetic()
        || character == '$'
        || character == '_'
        || LETTERS
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&character))
}
