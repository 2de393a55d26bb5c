use quote::quote;
use syn::{File, Item, ItemFn, LitStr};

use super::*;

fn expanded(options: TokenStream, item: TokenStream) -> File {
    let tokens = expand(options, item, "log-watch");
    syn::parse2(tokens).expect("an expansion is a list of items")
}

/// The messages of an expansion.
fn said(file: &File) -> Vec<String> {
    let errors = file.items.iter().filter_map(|item| match item {
        Item::Macro(item) if item.mac.path.segments.last()?.ident == "compile_error" => {
            let text: LitStr = item.mac.parse_body().expect("one string");
            Some(text.value())
        }
        _ => None,
    });
    errors.collect()
}

fn text(tokens: impl quote::ToTokens) -> String {
    quote!(#tokens).to_string().replace(' ', "")
}

/// The function and its module.
#[track_caller]
fn parts(options: TokenStream, item: TokenStream) -> (String, String) {
    let file = expanded(options, item);
    assert_eq!(said(&file), Vec::<String>::new());
    let [function, module] = &file.items[..] else {
        panic!("the function and its module");
    };
    (text(function), text(module))
}

#[track_caller]
fn check_refused(item: TokenStream, expected: &[&str]) {
    let file = expanded(TokenStream::new(), item.clone());
    let said = said(&file);
    assert_eq!(said.len(), expected.len(), "{said:#?}");
    for (said, expected) in said.iter().zip(expected) {
        assert!(said.contains(expected), "{said}");
    }
    let written: ItemFn = syn::parse2(item).expect("it is a function");
    assert_eq!(text(&file.items[0]), text(written));
}

#[test]
fn a_function_stays_one_and_has_an_entry() {
    let written = quote! {
        /// The bucket.
        pub fn bucket(path: &str, n: i64) -> String {
            format!("{path}{n}")
        }
    };
    let (function, module) = parts(quote!(prefix = "acme"), written.clone());
    assert_eq!(function, text(written));
    for part in [
        "pubmodbucket{",
        "Function::own(\"acme\",\"bucket\",&[::hpdlc_flow::runtime::function::ANY;2usize],run,)",
        "call(\"acme:bucket\",values,|arguments|{",
        "let_path=arguments.take::<::std::string::String>(\"path\")?;let_n=arguments.take::<i64>(\"n\")?;",
        "letreturned=super::bucket(&_path,_n);",
        "name:\"bucket\",prefix:\"acme\",summary:\"Thebucket.\"",
        "Parameter{name:\"n\",r#type:::hpdlc_flow::runtime::function::ValueType{value:::hpdlc_flow::runtime::action::ValueKind::Int,occurs:::hpdlc_flow::runtime::function::Occurs::One,}}",
    ] {
        assert!(module.contains(part), "{part}: {module}");
    }
}

#[test]
fn a_text_may_be_given_by_reference_and_an_error_be_returned() {
    let (function, module) = parts(
        TokenStream::new(),
        quote! {
            fn r#type(mut path: String, day: super::Day) -> Result<u64> {
                read(path, day)
            }
        },
    );
    let expected = "fnr#type(path:impl::hpdlc_flow::runtime::function::IntoText,day:super::Day)->Result<u64>{\
        fnr#type(mutpath:String,day:super::Day)->Result<u64>{read(path,day)}\
        r#type(::hpdlc_flow::runtime::function::IntoText::into_text(path),day)}";
    assert_eq!(function, expected);
    for part in [
        "\"log_watch\",\"type\"",
        "let_day=arguments.take::<super::super::Day>(",
        "super::r#type(_path,_day).map_err(::hpdlc_flow::runtime::action::Error::from)?;",
    ] {
        assert!(module.contains(part), "{part}: {module}");
    }
}

#[test]
fn wrong_forms_are_refused_at_their_tokens() {
    check_refused(
        quote!(
            async fn bucket<T>(
                &self,
                (a, b): (u8, u8),
                list: &[u8],
                name: &mut str,
                any: impl ToString,
            ) {
            }
        ),
        &[
            "does not wait",
            "no type parameters",
            "gives a value",
            "not a method",
            "has a name",
            "write `[u8]`",
            "changes nothing",
            "one type for each argument",
        ],
    );
    check_refused(
        quote!(
            unsafe extern "C" fn bucket() -> u8 {
                1
            }
        ),
        &["cannot be `unsafe`", "cannot be `extern`"],
    );
}

#[test]
fn what_is_no_function_and_unknown_options_are_refused() {
    let file = expanded(
        TokenStream::new(),
        quote!(
            struct Bucket;
        ),
    );
    assert_eq!(said(&file), ["`#[function]` belongs above a function"]);
    let function = quote!(
        fn bucket() -> u8 {
            1
        }
    );
    for (options, expected) in [
        (quote!(name = "a"), "has one option"),
        (quote!(prefix), "has one option"),
        (quote!(prefix = 1), "has one option"),
        (quote!(prefix = "a", prefix = "b"), "has one option"),
        (quote!(prefix = "wf"), "none of those that Oozie has"),
        (quote!(prefix = "a-b"), "letters, digits and `_`"),
    ] {
        let said = said(&expanded(options, function.clone()));
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains(expected), "{said:?}");
    }
}
