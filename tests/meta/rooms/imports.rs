//! Which modules at the top of its crate a file names.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The modules that stand behind `crate::`, alone or in a `{…}`, outside of what is compiled for tests alone.
pub fn modules(text: &str) -> BTreeSet<String> {
    let stream: TokenStream = text.parse().expect("rustc takes the file");
    let mut found = BTreeSet::new();
    visit(stream, &mut found);
    found
}

fn visit(stream: TokenStream, found: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        if is_test_attribute(&tokens[at..]) {
            at = end_of_item(&tokens, at + 2);
            continue;
        }
        match &tokens[at] {
            TokenTree::Ident(word) if word == "crate" && is_path(&tokens[at + 1..]) => {
                match tokens.get(at + 3) {
                    Some(TokenTree::Ident(module)) => {
                        found.insert(module.to_string());
                    }
                    Some(TokenTree::Group(group)) => found.extend(first_words(group.stream())),
                    _ => {}
                }
                at += 3;
                continue;
            }
            TokenTree::Group(group) => visit(group.stream(), found),
            _ => {}
        }
        at += 1;
    }
}

fn is_path(tokens: &[TokenTree]) -> bool {
    let is_colon =
        |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ':');
    tokens.len() > 1 && tokens[..2].iter().all(is_colon)
}

/// The words with which the parts of a group of imports begin.
fn first_words(group: TokenStream) -> Vec<String> {
    let mut words = Vec::new();
    let mut is_start = true;
    for token in group {
        match token {
            TokenTree::Ident(word) if is_start => {
                words.push(word.to_string());
                is_start = false;
            }
            TokenTree::Punct(mark) => is_start = mark.as_char() == ',',
            _ => is_start = false,
        }
    }
    words
}

/// `#[cfg(test)]`, and `#[cfg(all(test, …))]`.
fn is_test_attribute(tokens: &[TokenTree]) -> bool {
    let [TokenTree::Punct(mark), TokenTree::Group(group), ..] = tokens else {
        return false;
    };
    let text = group.stream().to_string().replace(' ', "");
    mark.as_char() == '#' && (text == "cfg(test)" || text.starts_with("cfg(all(test,"))
}

/// Where the item that begins at `at` has ended: behind its `;`, its `{…}`, or the `,` of a field.
fn end_of_item(tokens: &[TokenTree], mut at: usize) -> usize {
    let is_use = matches!(tokens.get(at), Some(TokenTree::Ident(word)) if word == "use");
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token {
            TokenTree::Punct(mark) if [';', ','].contains(&mark.as_char()) => break,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && !is_use => break,
            _ => {}
        }
    }
    at
}

#[test]
fn imports_and_paths_are_found_and_those_of_tests_are_not() {
    let text = r#"
        use crate::{
            diagnostics::{Sink, codegen},
            model::App, // and crate::comment
        };
        #[cfg(test)]
        use crate::{testing::x, own};
        fn f(a: crate::table::A) { say!("crate::text {}", crate::driver::x()) }
        struct S { #[cfg(test)] seen: crate::spy::Seen, all: crate::store::All }
        #[cfg(all(test, feature = "full"))]
        mod tests { use crate::commands; }
        mod last { use crate::home; }
    "#;
    let found: Vec<String> = modules(text).into_iter().collect();
    assert_eq!(
        found,
        ["diagnostics", "driver", "home", "model", "store", "table"]
    );
}
