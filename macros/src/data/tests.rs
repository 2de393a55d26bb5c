use super::*;

/// The implementation of a type without mistakes.
#[track_caller]
fn check(input: TokenStream, parts: &[&str]) {
    let expanded = expand(input);
    syn::parse2::<syn::File>(expanded.clone()).expect("a list of items");
    let text = expanded.to_string().replace(' ', "");
    for part in parts {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[track_caller]
fn check_refused(input: TokenStream, expected: &[&str]) {
    let text = expand(input).to_string();
    assert_eq!(
        text.matches("compile_error").count(),
        expected.len(),
        "{text}"
    );
    for part in expected {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn a_struct_is_a_text_for_each_field() {
    check(
        quote!(
            pub struct Counted {
                lines: u64,
                r#type: Option<String>,
                #[data(json)]
                parts: Parts,
            }
        ),
        &[
            "DataforCounted",
            "texts_0()->::hpdlc_flow::runtime::action::Texts<u64>",
            "(texts_0().to)(&self.lines)",
            "data.get(\"type\")",
            "r#type:(texts_1().from)(data.get(\"type\")",
            "json::text(&self.parts)",
            "parts:::hpdlc_flow::runtime::action::json::value(data.get(\"parts\")",
        ],
    );
}

#[test]
fn an_enum_is_the_name_of_its_variant() {
    check(
        quote!(
            enum Verdict {
                Alarm,
                Calm,
            }
        ),
        &[
            "ValueforVerdict",
            "Verdict::Alarm=>\"Alarm\"",
            "Some(\"Calm\")=>::std::result::Result::Ok(Verdict::Calm)",
            "isnoVerdict:itisoneof`Alarm`,`Calm`",
        ],
    );
}

#[test]
fn wrong_forms_are_refused() {
    check_refused(
        quote!(
            struct Counted<T> {
                lines: T,
            }
        ),
        &["no type parameters"],
    );
    check_refused(
        quote!(
            struct Counted(u64);
        ),
        &["give the fields names"],
    );
    check_refused(
        quote!(
            struct Counted;
        ),
        &["there is no data"],
    );
    check_refused(
        quote!(union Counted { lines: u64 }),
        &["a union has no text"],
    );
    check_refused(
        quote!(
            enum Verdict {}
        ),
        &["an enum without variants"],
    );
    check_refused(
        quote!(
            enum Verdict {
                Alarm(u8),
                Calm,
                Other { n: u8 },
            }
        ),
        &["it has no fields", "it has no fields"],
    );
    check_refused(
        quote!(
            struct Counted {
                #[data(toml)]
                lines: u64,
                #[data(yaml)]
                parts: u64,
            }
        ),
        &["a field has one option", "a field has one option"],
    );
}
