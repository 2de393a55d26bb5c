//! The layout of a `static`, which is most of what a program consists of.
//!
//! A static is a tree of struct literals, calls and arrays and needs no grammar, only widths: what fits on a line is on
//! one, everything else has a line for each of its parts. That takes a fraction of the time of parsing the tokens into a
//! syntax tree, which with thousands of nodes is time that a user waits for. What is not such a tree is left to
//! [`format`](super::format)'s other way.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

/// Columns of a line.
const MAX_WIDTH: usize = 100;

/// Columns of a struct literal on one line, braces included.
const MAX_STRUCT_WIDTH: usize = 60;

const INDENT: usize = 4;

/// A piece of code as it may be broken into lines.
enum CodePiece {
    /// Tokens that are together, with the blanks between them.
    Text(String),
    Group {
        delimiter: Delimiter,
        elements: Vec<Element>,
        width: usize,
    },
}

/// What is between two commas.
struct Element {
    pieces: Vec<CodePiece>,
    /// In columns, on one line.
    width: usize,
}

impl CodePiece {
    fn width(&self) -> usize {
        match self {
            // What holds lines does not fit on one.
            CodePiece::Text(text) if text.contains('\n') => MAX_WIDTH + 1,
            CodePiece::Text(text) => text.chars().count(),
            CodePiece::Group { width, .. } => *width,
        }
    }

    /// Begins on the line of the call that it is the only argument of, though it does not end there.
    fn opens_with_call(&self) -> bool {
        match self {
            CodePiece::Text(text) => text.contains('\n'),
            CodePiece::Group { .. } => true,
        }
    }
}

/// Appends the text of an item that ends with a semicolon, which the tokens do not hold. Appends nothing and gives false
/// where the item is no such tree.
pub(super) fn push_static(text: &mut String, tokens: TokenStream) -> bool {
    let Some(elements) = elements(tokens, Part::Header) else {
        return false;
    };
    let [element] = elements.as_slice() else {
        return false;
    };
    let mut column = 0;
    push_element(text, element, 0, &mut column, 1);
    text.push_str(";\n");
    true
}

/// Which part of the item tokens are of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Up to the `=`. It stays on one line however long the name in it is: neither `pub(super)` nor the type of an array may
    /// have a comma behind what it holds.
    Header,
    Value,
}

/// The elements of a group, or `None` where a token is not one that struct literals, calls and arrays consist of.
fn elements(tokens: TokenStream, mut part: Part) -> Option<Vec<Element>> {
    let mut elements = Vec::new();
    let mut pieces: Vec<CodePiece> = Vec::new();
    let mut before = Before::Nothing;
    for token in tokens {
        let (text, next) = match token {
            TokenTree::Punct(punct) => match punct.as_char() {
                ',' => {
                    elements.push(Element::new(std::mem::take(&mut pieces)));
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
                '&' => ("&".to_owned(), Before::Prefix),
                '-' => ("-".to_owned(), Before::Prefix),
                '.' => (".".to_owned(), Before::Prefix),
                _ => return None,
            },
            TokenTree::Ident(ident) => (ident.to_string(), Before::Word),
            TokenTree::Literal(literal) => (literal.to_string(), Before::Word),
            TokenTree::Group(group) => {
                let is_struct = group.delimiter() == Delimiter::Brace && before == Before::Word;
                if is_struct || before == Before::Separator {
                    push_text(&mut pieces, " ");
                }
                let piece = group_piece(&group)?;
                match part {
                    Part::Header => {
                        let mut flat = String::new();
                        push_flat(&mut flat, &Element::new(vec![piece]));
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
            Before::Nothing | Before::FirstColon | Before::Prefix | Before::Separator => false,
        };
        if is_spaced {
            push_text(&mut pieces, " ");
        }
        push_text(&mut pieces, &text);
        before = next;
    }
    if !pieces.is_empty() {
        elements.push(Element::new(pieces));
    }
    Some(elements)
}

/// What is before a token, as far as blanks depend on it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    /// An identifier, a literal or a group.
    Word,
    /// The first half of `::`.
    FirstColon,
    /// `::`, `&`, `-` or `..`: nothing is between it and what follows.
    Prefix,
    /// `:`, `=` or `;`: a blank follows.
    Separator,
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
    fn new(pieces: Vec<CodePiece>) -> Element {
        let width = pieces.iter().map(CodePiece::width).sum();
        Element { pieces, width }
    }

    /// `..Struct::EMPTY`, which takes no comma after it.
    fn is_base(&self) -> bool {
        matches!(self.pieces.as_slice(), [CodePiece::Text(text), ..] if text.starts_with(".."))
    }
}

/// `behind` is the width of what must follow on the last line.
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
                match piece_text.rsplit_once('\n') {
                    Some((_, last)) => *column = last.chars().count(),
                    None => *column += piece_text.chars().count(),
                }
            }
            CodePiece::Group {
                delimiter,
                elements,
                width,
            } => {
                // What follows may break at its own groups: only what is before their inside must find room.
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
        && pieces.last().is_some_and(CodePiece::opens_with_call)
    {
        // `Some(Template { ... })` and a text of several lines open and close on the same lines as what it holds.
        push_element(text, only, indent, column, behind + 1);
    } else {
        let inner = indent + INDENT;
        for element in elements {
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

/// Whether a group may be on one line if there is room.
fn is_flat(delimiter: Delimiter, elements: &[Element], width: usize) -> bool {
    (delimiter != Delimiter::Brace || width <= MAX_STRUCT_WIDTH)
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
mod tests {
    use expect_test::{Expect, expect};
    use quote::quote;

    use super::*;

    /// Lays a static out, and checks that its tokens are still the same.
    #[track_caller]
    fn check(tokens: &TokenStream, expect: Expect) {
        let mut text = String::new();
        assert!(
            push_static(&mut text, tokens.clone()),
            "it is no tree: {tokens}"
        );
        expect.assert_eq(&text);
        let parsed: syn::ItemStatic = syn::parse_str(&text).expect("the text is a static");
        let original: syn::ItemStatic = syn::parse2(quote!(#tokens;)).expect("so are the tokens");
        let plain = |item: &syn::ItemStatic| {
            let tokens = quote!(#item).to_string();
            tokens
                .replace(", ]", "]")
                .replace(", }", "}")
                .replace(", )", ")")
                .replace(' ', "")
        };
        let without_last_commas = |text: String| {
            let text = text.replace(",)", ")");
            text.replace(",]", "]")
        };
        assert_eq!(
            without_last_commas(plain(&parsed)),
            without_last_commas(plain(&original))
        );
    }

    #[test]
    fn what_fits_stands_on_one_line() {
        check(
            &quote!(pub(super) static A: [&str; 2] = ["a", super::b(c, &[], d::E)]),
            expect![[r#"
                pub(super) static A: [&str; 2] = ["a", super::b(c, &[], d::E)];
            "#]],
        );
    }

    #[test]
    fn long_names_break_neither_the_visibility_nor_the_type() {
        let name = proc_macro2::Ident::new(&"N".repeat(100), proc_macro2::Span::call_site());
        check(
            &quote!(pub(super) static #name: [&str; 2] = ["a", "b"]),
            expect![[r#"
                pub(super) static NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN: [&str; 2] = [
                    "a",
                    "b",
                ];
            "#]],
        );
        check(
            &quote!(pub(super) static #name: Def = Def { name: "a" }),
            expect![[r#"
                pub(super) static NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN: Def = Def {
                    name: "a",
                };
            "#]],
        );
    }

    #[test]
    fn struct_literals_break_early() {
        check(
            &quote!(static A: Def = Def { name: "long enough to break it", place: at(12, 9), kind: Kind::Start }),
            expect![[r#"
                static A: Def = Def {
                    name: "long enough to break it",
                    place: at(12, 9),
                    kind: Kind::Start,
                };
            "#]],
        );
        check(
            &quote!(static A: Def = Def { name: "a", kind: B {} }),
            expect![[r#"
            static A: Def = Def { name: "a", kind: B {} };
        "#]],
        );
    }

    #[test]
    fn no_comma_stands_behind_the_base_of_a_struct() {
        check(
            &quote!(static A: Def = Def { name: "long enough to break it into lines", place: at(12, 9), ..Def::EMPTY }),
            expect![[r#"
                static A: Def = Def {
                    name: "long enough to break it into lines",
                    place: at(12, 9),
                    ..Def::EMPTY
                };
            "#]],
        );
        check(
            &quote!(static A: Def = Def { name: "a", ..Def::EMPTY }),
            expect![[r#"
            static A: Def = Def { name: "a", ..Def::EMPTY };
        "#]],
        );
    }

    #[test]
    fn call_around_a_single_tree_opens_with_it() {
        check(
            &quote! {
                pub(super) static A: Def = Kind::Action(Action {
                    name: "what is here is too long to stand on a single line of one hundred columns",
                    body: Some(Template::parts(at(30, 20), "${nameNode}/what/is/here/is/too/long", &[Part::Variable("nameNode"), Part::Text("é")])),
                })
            },
            expect![[r#"
                pub(super) static A: Def = Kind::Action(Action {
                    name: "what is here is too long to stand on a single line of one hundred columns",
                    body: Some(Template::parts(
                        at(30, 20),
                        "${nameNode}/what/is/here/is/too/long",
                        &[Part::Variable("nameNode"), Part::Text("é")],
                    )),
                });
            "#]],
        );
    }

    #[test]
    fn text_of_several_lines_stands_as_it_is() {
        let lines: proc_macro2::Literal = "\"\n            1 a = b\n        \""
            .parse()
            .expect("a literal");
        check(
            &quote!(static A: Def = Def { all: &[Lines(#lines), One("c", 2)], ..Def::EMPTY }),
            expect![[r#"
                static A: Def = Def {
                    all: &[
                        Lines("
                            1 a = b
                        "),
                        One("c", 2),
                    ],
                    ..Def::EMPTY
                };
            "#]],
        );
    }

    #[test]
    fn other_items_are_not_taken() {
        for tokens in [
            quote!(static A: &'static str = "a"),
            quote!(static A: i32 = 1 * 2),
        ] {
            let mut text = String::new();
            assert!(!push_static(&mut text, tokens));
            assert_eq!(text, "");
        }
    }
}
