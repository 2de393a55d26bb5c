//! The paths that a file uses.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// A path in a `use`, or in the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// `crate`, `lower`, `schema`, `Version`.
    pub path: Vec<String>,
    /// The exported name, if the import is public.
    pub exported_as: Option<String>,
}

/// All paths of a file, except in code that is compiled only for tests.
pub fn paths(text: &str) -> Vec<Import> {
    let stream: TokenStream = text.parse().expect("rustc takes the file");
    let mut found = Vec::new();
    visit(stream, &mut found);
    found
}

/// The modules in separate files that a file declares only for tests.
pub fn test_modules(text: &str) -> BTreeSet<String> {
    let stream: TokenStream = text.parse().expect("rustc takes the file");
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let marked = (0..tokens.len()).filter(|&at| is_test_attribute(&tokens[at..]));
    marked
        .filter_map(|at| {
            let item = &tokens[at + 2..end_of_item(&tokens, at + 2)];
            match item {
                [.., TokenTree::Ident(word), TokenTree::Ident(name), end]
                    if word == "mod" && is_mark(end, ';') =>
                {
                    Some(name.to_string())
                }
                _ => None,
            }
        })
        .collect()
}

fn visit(stream: TokenStream, found: &mut Vec<Import>) {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let mut at = 0;
    let mut is_public = false;
    while at < tokens.len() {
        if is_test_attribute(&tokens[at..]) {
            at = end_of_item(&tokens, at + 2);
            continue;
        }
        match &tokens[at] {
            TokenTree::Ident(word) if word == "use" => {
                let length = tokens[at..].iter().take_while(|it| !is_mark(it, ';'));
                let end = at + length.count();
                tree(&tokens[at + 1..end], &[], is_public, found);
                at = end;
            }
            TokenTree::Ident(word) if is_path(&tokens[at + 1..]) => {
                let mut path = vec![word.to_string()];
                while is_path(&tokens[at + 1..])
                    && let Some(TokenTree::Ident(word)) = tokens.get(at + 3)
                {
                    path.push(word.to_string());
                    at += 3;
                }
                found.push(Import {
                    path,
                    exported_as: None,
                });
            }
            TokenTree::Group(group) => visit(group.stream(), found),
            _ => {}
        }
        // `pub`, or `pub(…)`.
        is_public = match &tokens[at.min(tokens.len() - 1)] {
            TokenTree::Ident(word) => word == "pub",
            TokenTree::Group(_) => is_public,
            _ => false,
        };
        at += 1;
    }
}

/// The paths between `use` and `;`, or in a `{…}` after `before`.
fn tree(tokens: &[TokenTree], before: &[String], is_public: bool, found: &mut Vec<Import>) {
    for part in tokens.split(|token| is_mark(token, ',')) {
        let mut path = before.to_vec();
        let mut renamed = None;
        let mut words = part.iter();
        while let Some(token) = words.next() {
            match token {
                TokenTree::Ident(word) if word == "as" => {
                    renamed = words.next().map(ToString::to_string);
                }
                TokenTree::Ident(word) if word == "self" && !path.is_empty() => {}
                TokenTree::Ident(word) => path.push(word.to_string()),
                TokenTree::Group(group) => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    tree(&inner, &path, is_public, found);
                    path.clear();
                }
                _ => {}
            }
        }
        if let Some(last) = path.last() {
            let name = renamed.unwrap_or_else(|| last.clone());
            found.push(Import {
                exported_as: is_public.then_some(name),
                path,
            });
        }
    }
}

fn is_mark(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(found) if found.as_char() == mark)
}

fn is_path(tokens: &[TokenTree]) -> bool {
    match tokens {
        [TokenTree::Punct(first), second, ..] => {
            first.as_char() == ':' && first.spacing() == Spacing::Joint && is_mark(second, ':')
        }
        _ => false,
    }
}

/// `#[cfg(test)]`, `#[cfg(all(test, …))]` and `#[cfg(any(test, …))]`.
fn is_test_attribute(tokens: &[TokenTree]) -> bool {
    let [TokenTree::Punct(mark), TokenTree::Group(group), ..] = tokens else {
        return false;
    };
    let text = group.stream().to_string().replace(' ', "");
    let is_of_test = ["cfg(test)", "cfg(all(test,", "cfg(any(test,"]
        .iter()
        .any(|begin| text.starts_with(begin));
    mark.as_char() == '#' && is_of_test
}

/// The end of the item that starts at `at`: after its `;`, its `{…}`, or the `,` of a field.
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
    let paths = paths(text).into_iter().map(|import| import.path);
    let modules: BTreeSet<String> = paths
        .filter(|path| path[0] == "crate")
        .filter_map(|path| path.into_iter().nth(1))
        .collect();
    let found: Vec<&str> = modules.iter().map(String::as_str).collect();
    assert_eq!(
        found,
        ["diagnostics", "driver", "home", "model", "store", "table"]
    );
}

#[test]
fn modules_of_tests_are_told_apart() {
    let text = "mod a; #[cfg(test)] mod b; #[cfg(test)] mod c { mod d; } \
                #[cfg(any(test, feature = \"testing\"))] pub mod e; #[cfg(test)] use b::x;";
    let found: Vec<String> = test_modules(text).into_iter().collect();
    assert_eq!(found, ["b", "e"]);
}

#[test]
fn exported_names_are_told_apart() {
    let text = "pub(super) use self::{shape::{self, Shape as Form}, parts}; use super::text; \
                fn f() { parts::all(super::text::TEXT) }";
    let found: Vec<String> = paths(text)
        .into_iter()
        .map(|import| match import.exported_as {
            Some(name) => format!("{} as {name}", import.path.join("::")),
            None => import.path.join("::"),
        })
        .collect();
    assert_eq!(
        found,
        [
            "self::shape as shape",
            "self::shape::Shape as Form",
            "self::parts as parts",
            "super::text",
            "parts::all",
            "super::text::TEXT",
        ]
    );
}
