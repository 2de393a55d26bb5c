//! Formats tokens as readable text.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::Item;

use crate::codegen::layout;

/// The text of a file: its header comment, then its items, with blank lines where a reader expects them.
pub(crate) fn file(header: &str, tokens: TokenStream) -> String {
    let mut text = header.to_owned();
    let mut before = (!header.is_empty()).then_some(ItemKind::Header);
    for (kind, tokens) in items(tokens) {
        if before.is_some_and(|before| before != kind || !kind.stands_close()) {
            text.push('\n');
        }
        push_item(&mut text, kind, tokens);
        before = Some(kind);
    }
    text
}

/// The kind of an item, which determines its layout.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ItemKind {
    /// The header comment of the file.
    Header,
    Use,
    /// `mod name;`
    ModuleDeclaration,
    Constant,
    Static,
    Impl,
    /// Anything else.
    Other,
}

impl ItemKind {
    /// Whether two consecutive items of this kind have no blank line between them.
    fn stands_close(self) -> bool {
        match self {
            ItemKind::Use | ItemKind::ModuleDeclaration | ItemKind::Constant => true,
            ItemKind::Header | ItemKind::Static | ItemKind::Impl | ItemKind::Other => false,
        }
    }
}

/// Splits a file's tokens into items. An item ends with a semicolon or, unless its keyword requires a semicolon, with braces.
fn items(tokens: TokenStream) -> Vec<(ItemKind, TokenStream)> {
    let mut items = Vec::new();
    let mut item: Vec<TokenTree> = Vec::new();
    let mut kind = None;
    for token in tokens {
        let mut is_end = false;
        match &token {
            TokenTree::Ident(ident) if kind.is_none() => {
                kind = match ident.to_string().as_str() {
                    "use" => Some(ItemKind::Use),
                    "const" => Some(ItemKind::Constant),
                    "static" => Some(ItemKind::Static),
                    "mod" => Some(ItemKind::ModuleDeclaration),
                    "impl" => Some(ItemKind::Impl),
                    "fn" | "enum" | "struct" => Some(ItemKind::Other),
                    _ => None,
                };
            }
            TokenTree::Ident(ident) if kind == Some(ItemKind::Constant) && *ident == "fn" => {
                kind = Some(ItemKind::Other);
            }
            TokenTree::Punct(punct) => is_end = punct.as_char() == ';',
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                is_end = match kind {
                    Some(ItemKind::Impl | ItemKind::Other) => true,
                    Some(ItemKind::ModuleDeclaration) => {
                        kind = Some(ItemKind::Other);
                        true
                    }
                    Some(
                        ItemKind::Use | ItemKind::Constant | ItemKind::Static | ItemKind::Header,
                    )
                    | None => false,
                };
            }
            TokenTree::Group(_) | TokenTree::Ident(_) | TokenTree::Literal(_) => {}
        }
        item.push(token);
        if is_end {
            items.push((
                kind.take().unwrap_or(ItemKind::Other),
                item.drain(..).collect(),
            ));
        }
    }
    items
}

fn push_item(text: &mut String, kind: ItemKind, tokens: TokenStream) {
    match kind {
        ItemKind::Static if layout::push_static(text, tokens.clone()) => {}
        ItemKind::Impl => push_members(text, &pretty(tokens)),
        ItemKind::Header
        | ItemKind::Use
        | ItemKind::ModuleDeclaration
        | ItemKind::Constant
        | ItemKind::Static
        | ItemKind::Other => {
            text.push_str(&pretty(tokens));
        }
    }
}

fn pretty(tokens: TokenStream) -> String {
    let item = syn::parse2::<Item>(tokens).expect("generated tokens are items of Rust");
    prettyplease::unparse(&syn::File {
        shebang: None,
        frontmatter: None,
        attrs: Vec::new(),
        items: vec![item],
    })
}

/// Appends the text of an `impl`, with a blank line after every member but the last.
///
/// A member ends with the only line at its indentation that ends with a brace or a semicolon: multi-line strings are
/// escaped, and comments begin with a slash.
fn push_members(text: &mut String, item_text: &str) {
    let mut lines = item_text.lines().peekable();
    while let Some(line) = lines.next() {
        text.push_str(line);
        text.push('\n');
        let is_end = line
            .strip_prefix("    ")
            .is_some_and(|member| !member.starts_with([' ', '/']) && member.ends_with(['}', ';']));
        if is_end && lines.peek().is_some_and(|next| *next != "}") {
            text.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use quote::quote;

    use super::*;

    #[test]
    fn blank_lines_stand_between_items_and_not_within_lists() {
        let tokens = quote! {
            use a::b;
            use a::{c, d};
            mod d;
            mod e;
            #[doc = " Documented."]
            static F: u32 = 1;
            static H: &'static [i32] = &[-1];
            const J: u32 = 1;
            const fn g() {}
            mod i { fn k() {} }
            pub struct L {}
        };
        expect![[r#"
            // Head.

            use a::b;
            use a::{c, d};

            mod d;
            mod e;

            /// Documented.
            static F: u32 = 1;

            static H: &'static [i32] = &[-1];

            const J: u32 = 1;

            const fn g() {}

            mod i {
                fn k() {}
            }

            pub struct L {}
        "#]]
        .assert_eq(&file("// Head.\n", tokens));
    }

    #[test]
    fn blank_lines_stand_between_the_members_of_an_impl() {
        let tokens = quote! {
            impl A {
                const B: [u32; 1] = [1];
                #[doc = " Ends like a member; "]
                fn c() { if d { e(); } }
                fn f() {}
            }
        };
        expect![[r#"
            impl A {
                const B: [u32; 1] = [1];

                /// Ends like a member;
                fn c() {
                    if d {
                        e();
                    }
                }

                fn f() {}
            }
        "#]]
        .assert_eq(&file("", tokens));
    }

    #[test]
    fn file_without_items_is_its_header() {
        assert_eq!(file("// Head.\n", TokenStream::new()), "// Head.\n");
    }
}
