//! Texts that are in the table as they are: what has nothing to compute.

pub(crate) mod places;

use hpdlc_core::el::ast;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::model::Template;

/// The text means itself.
pub(crate) fn is_literal(ast: &ast::Template, source: &str) -> bool {
    match ast.parts.as_slice() {
        [] => source.is_empty(),
        [ast::Part::Text(text, _)] => text == source,
        [ast::Part::Expr(_)] | [_, _, ..] => false,
    }
}

/// A text with the places of its expressions, which the document moves.
pub(crate) fn placed(text: &TokenStream, places: Vec<(u32, u32)>) -> TokenStream {
    let places = places.into_iter().map(|(line, column)| {
        let (line, column) = (
            Literal::u32_unsuffixed(line),
            Literal::u32_unsuffixed(column),
        );
        quote!((#line, #column))
    });
    quote!(Template::Placed(&Placed { text: #text, expressions: &[#(#places),*] }))
}

/// The line of a text that means itself, where one line shows all of it.
pub(crate) fn line(name: &str, value: &Template, line: u32, column: u32) -> Option<String> {
    let text = value.text.as_str();
    let is_visible = |text: &str| {
        text.trim() == text && !text.contains(|character: char| character.is_control())
    };
    if !is_visible(name) || name.contains(" =") || !is_visible(text) {
        return None;
    }
    let place = if is_literal(&value.ast, text) {
        line.to_string()
    } else {
        format!("{line}:{column}")
    };
    Some(format!("{place} {name} = {text}").trim_end().to_owned())
}

/// `Properties::Lines("...")`, a line each, indented as they are in an action.
pub(crate) fn lines_expr(lines: &mut Vec<String>) -> Option<TokenStream> {
    if lines.is_empty() {
        return None;
    }
    let mut code = "\"\n".to_owned();
    for line in lines.drain(..) {
        let quoted = Literal::string(&line).to_string();
        let escaped = quoted
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'))
            .expect("a literal made of a string is written in quotation marks");
        code.push_str("                        ");
        code.push_str(escaped);
        code.push('\n');
    }
    code.push_str("                    \"");
    let literal: Literal = code
        .parse()
        .expect("escaped lines between quotation marks are a literal");
    Some(quote!(Properties::Lines(#literal)))
}
