use expect_test::{Expect, expect};
use quote::quote;

use super::*;

/// Formats a static, and checks that its tokens are unchanged.
#[track_caller]
fn check(tokens: &TokenStream, expect: Expect) {
    let mut text = String::new();
    assert!(
        push_static(&mut text, quote!(#tokens;)),
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
fn documentation_of_an_element_becomes_a_comment() {
    let mut text = String::new();
    let is_tree = push_static(
        &mut text,
        quote! {
            /// Two.
            static A: [Def; 2] = [
                /// The first,
                /// with another line.
                Def { name: "a" },
                /// The second.
                Def { name: "b", kind: Kind::Action(Action { name: "long enough to break it" }) },
            ];
        },
    );
    assert!(is_tree);
    expect![[r#"
        /// Two.
        static A: [Def; 2] = [
            // The first,
            // with another line.
            Def { name: "a" },
            // The second.
            Def {
                name: "b",
                kind: Kind::Action(Action { name: "long enough to break it" }),
            },
        ];
    "#]]
    .assert_eq(&text);
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
