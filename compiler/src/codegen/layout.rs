//! Formats `static` items, which are most of a generated program.
//!
//! A static is a tree of struct literals, calls and arrays, for which widths suffice: a group that fits stays on one
//! line, any other has one line per element. This takes a fraction of the time of parsing the tokens into a syntax tree,
//! a delay that users would notice with thousands of nodes. Other items are left to prettyplease in
//! [`format`](super::format).
//!
//! Tokens contain no comments: the comment of an element is given as a doc attribute.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

/// The maximum width of a line, in columns.
const MAX_WIDTH: usize = 100;

/// The maximum width of a struct literal on one line, in columns, including the braces.
const MAX_STRUCT_WIDTH: usize = 60;

const INDENT: usize = 4;

/// A piece of code, as the unit of line breaking.
enum CodePiece {
    /// Tokens that stay on one line, with the blanks between them.
    Text(String),
    Group {
        delimiter: Delimiter,
        elements: Vec<Element>,
        width: usize,
    },
}

/// The tokens between two commas.
struct Element {
    /// The lines of the comment before it.
    comment: Vec<String>,
    pieces: Vec<CodePiece>,
    /// The width on one line, in columns.
    width: usize,
}

impl CodePiece {
    fn width(&self) -> usize {
        match self {
            CodePiece::Text(text) => text.chars().count(),
            CodePiece::Group { width, .. } => *width,
        }
    }

    /// Whether it may begin on the line of the call that it is the only argument of, although it does not fit there.
    fn opens_with_call(&self) -> bool {
        matches!(self, CodePiece::Group { .. })
    }
}

/// Appends the text of a static with no attributes but documentation. Appends nothing and returns false if it is not such a tree.
pub(super) fn push_static(text: &mut String, tokens: TokenStream) -> bool {
    let Some(elements) = elements(tokens, Part::Header) else {
        return false;
    };
    let [element] = elements.as_slice() else {
        return false;
    };
    for line in &element.comment {
        text.push_str("///");
        text.push_str(line);
        text.push('\n');
    }
    let mut column = 0;
    push_element(text, element, 0, &mut column, 0);
    text.push('\n');
    true
}

/// The part of the item that tokens belong to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Up to the `=`. It always stays on one line, however long: neither `pub(super)` nor an array type allows a trailing comma.
    Header,
    Value,
}

/// The elements of a group, or `None` if a token does not occur in struct literals, calls and arrays.
fn elements(tokens: TokenStream, mut part: Part) -> Option<Vec<Element>> {
    let mut elements = Vec::new();
    let mut comment: Vec<String> = Vec::new();
    let mut pieces: Vec<CodePiece> = Vec::new();
    let mut before = Before::Nothing;
    for token in tokens {
        let (text, next) = match token {
            TokenTree::Punct(punct) => match punct.as_char() {
                ',' => {
                    let comment = std::mem::take(&mut comment);
                    elements.push(Element::new(comment, std::mem::take(&mut pieces)));
                    before = Before::Nothing;
                    continue;
                }
                ':' if punct.spacing() == Spacing::Joint || before == Before::FirstColon => {
                    let is_second = before == Before::FirstColon;
                    (
                        ":".to_owned(),
                        if is_second {
                            Before::Prefix
                        } else {
                            Before::FirstColon
                        },
                    )
                }
                ':' => (":".to_owned(), Before::Separator),
                ';' => (";".to_owned(), Before::Separator),
                '=' => {
                    part = Part::Value;
                    (" =".to_owned(), Before::Separator)
                }
                '#' if pieces.is_empty() => {
                    before = Before::Attribute;
                    continue;
                }
                '&' => ("&".to_owned(), Before::Prefix),
                '-' => ("-".to_owned(), Before::Prefix),
                '.' => (".".to_owned(), Before::Prefix),
                _ => return None,
            },
            TokenTree::Ident(ident) => (ident.to_string(), Before::Word),
            TokenTree::Literal(literal) => (literal.to_string(), Before::Word),
            TokenTree::Group(group) if before == Before::Attribute => {
                comment.push(documentation(group.stream())?);
                before = Before::Nothing;
                continue;
            }
            TokenTree::Group(group) => {
                let is_struct = group.delimiter() == Delimiter::Brace && before == Before::Word;
                if is_struct || before == Before::Separator {
                    push_text(&mut pieces, " ");
                }
                let piece = group_piece(&group)?;
                match part {
                    Part::Header => {
                        let mut flat = String::new();
                        push_flat(&mut flat, &Element::new(Vec::new(), vec![piece]));
                        push_text(&mut pieces, &flat);
                    }
                    Part::Value => pieces.push(piece),
                }
                before = Before::Word;
                continue;
            }
        };
        let is_spaced = match next {
            Before::Word => matches!(before, Before::Word | Before::Separator),
            Before::Prefix if text == "&" || text == "-" => before == Before::Separator,
            Before::Nothing
            | Before::Attribute
            | Before::FirstColon
            | Before::Prefix
            | Before::Separator => false,
        };
        if is_spaced {
            push_text(&mut pieces, " ");
        }
        push_text(&mut pieces, &text);
        before = next;
    }
    if !pieces.is_empty() {
        elements.push(Element::new(comment, pieces));
    }
    Some(elements)
}

/// The kind of the preceding token, which determines whether a blank follows it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    /// The `#` of an attribute.
    Attribute,
    /// An identifier, a literal or a group.
    Word,
    /// The first half of `::`.
    FirstColon,
    /// `::`, `&`, `-` or `..`: no blank follows.
    Prefix,
    /// `:`, `=` or `;`: a blank follows.
    Separator,
}

/// The text of `doc = "..."`, if it is a single line.
fn documentation(attribute: TokenStream) -> Option<String> {
    let attribute: syn::MetaNameValue = syn::parse2(attribute).ok()?;
    match attribute.value {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(line),
            ..
        }) if attribute.path.is_ident("doc") && !line.value().contains('\n') => Some(line.value()),
        // `syn::Expr` is a large, non-exhaustive enum.
        _ => None,
    }
}

fn push_text(pieces: &mut Vec<CodePiece>, text: &str) {
    if let Some(CodePiece::Text(last)) = pieces.last_mut() {
        last.push_str(text);
    } else {
        pieces.push(CodePiece::Text(text.to_owned()));
    }
}

fn group_piece(group: &Group) -> Option<CodePiece> {
    let delimiter = group.delimiter();
    if delimiter == Delimiter::None {
        return None;
    }
    let elements = elements(group.stream(), Part::Value)?;
    let separators = 2 * elements.len().saturating_sub(1);
    let padding = if delimiter == Delimiter::Brace && !elements.is_empty() {
        2
    } else {
        0
    };
    let width =
        2 + padding + separators + elements.iter().map(|element| element.width).sum::<usize>();
    Some(CodePiece::Group {
        delimiter,
        elements,
        width,
    })
}

impl Element {
    fn new(comment: Vec<String>, pieces: Vec<CodePiece>) -> Element {
        let width = pieces.iter().map(CodePiece::width).sum();
        Element {
            comment,
            pieces,
            width,
        }
    }

    /// `..Struct::EMPTY`, which allows no trailing comma.
    fn is_base(&self) -> bool {
        matches!(self.pieces.as_slice(), [CodePiece::Text(text), ..] if text.starts_with(".."))
    }
}

/// `behind` is the width of the text that must follow on the last line.
fn push_element(
    text: &mut String,
    element: &Element,
    indent: usize,
    column: &mut usize,
    behind: usize,
) {
    for (index, piece) in element.pieces.iter().enumerate() {
        match piece {
            CodePiece::Text(piece_text) => {
                text.push_str(piece_text);
                *column += piece_text.chars().count();
            }
            CodePiece::Group {
                delimiter,
                elements,
                width,
            } => {
                // What follows can break inside its own groups: only the text up to the first opening delimiter must fit.
                let following = &element.pieces[index + 1..];
                let behind = match following {
                    [] => behind,
                    [CodePiece::Text(next), rest @ ..] => {
                        next.chars().count() + if rest.is_empty() { behind } else { 1 }
                    }
                    [CodePiece::Group { .. }, ..] => 1,
                };
                push_group(text, *delimiter, elements, *width, indent, column, behind);
            }
        }
    }
}

fn push_group(
    text: &mut String,
    delimiter: Delimiter,
    elements: &[Element],
    width: usize,
    indent: usize,
    column: &mut usize,
    behind: usize,
) {
    let (open, close) = match delimiter {
        Delimiter::Parenthesis => ('(', ')'),
        Delimiter::Bracket => ('[', ']'),
        Delimiter::Brace | Delimiter::None => ('{', '}'),
    };
    text.push(open);
    *column += 1;
    let fits = *column - 1 + width + behind <= MAX_WIDTH && is_flat(delimiter, elements, width);
    if elements.is_empty() {
    } else if fits {
        let padding = if delimiter == Delimiter::Brace {
            " "
        } else {
            ""
        };
        text.push_str(padding);
        for (number, element) in elements.iter().enumerate() {
            if number > 0 {
                text.push_str(", ");
            }
            push_flat(text, element);
        }
        text.push_str(padding);
        *column += width - 2;
    } else if let (Delimiter::Parenthesis, [only @ Element { pieces, .. }]) = (delimiter, elements)
        && only.comment.is_empty()
        && pieces.last().is_some_and(CodePiece::opens_with_call)
    {
        // `Some(Template { ... })` opens and closes on the same lines as its argument.
        push_element(text, only, indent, column, behind + 1);
    } else {
        let inner = indent + INDENT;
        for element in elements {
            for line in &element.comment {
                push_line_break(text, inner);
                text.push_str("//");
                text.push_str(line);
            }
            push_line_break(text, inner);
            *column = inner;
            push_element(text, element, inner, column, 1);
            if !element.is_base() {
                text.push(',');
            }
        }
        push_line_break(text, indent);
        *column = indent;
    }
    text.push(close);
    *column += 1;
}

/// Whether a group may be on one line if it fits.
fn is_flat(delimiter: Delimiter, elements: &[Element], width: usize) -> bool {
    (delimiter != Delimiter::Brace || width <= MAX_STRUCT_WIDTH)
        && elements.iter().all(|element| element.comment.is_empty())
        && elements
            .iter()
            .flat_map(|element| &element.pieces)
            .all(|piece| match piece {
                CodePiece::Text(_) => true,
                CodePiece::Group {
                    delimiter,
                    elements,
                    width,
                } => is_flat(*delimiter, elements, *width),
            })
}

fn push_flat(text: &mut String, element: &Element) {
    for piece in &element.pieces {
        match piece {
            CodePiece::Text(piece_text) => text.push_str(piece_text),
            CodePiece::Group {
                delimiter,
                elements,
                width,
            } => {
                push_group(text, *delimiter, elements, *width, 0, &mut 0, 0);
            }
        }
    }
}

fn push_line_break(text: &mut String, indent: usize) {
    text.push('\n');
    text.extend(std::iter::repeat_n(' ', indent));
}

#[cfg(test)]
mod tests;
