use quote::quote;
use syn::{File, Item, ItemFn, LitStr};

use super::*;

fn expanded(options: TokenStream, item: TokenStream) -> File {
    syn::parse2(expand(options, item)).expect("an expansion is a list of items")
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

fn functions(items: &[Item]) -> Vec<&ItemFn> {
    let functions = items.iter().filter_map(|item| match item {
        Item::Fn(function) => Some(function),
        _ => None,
    });
    functions.collect()
}

/// The module and the shadow of an action without mistakes.
fn parts(file: &File) -> (&[Item], &ItemFn) {
    assert_eq!(said(file), Vec::<String>::new());
    let inner = file.items.iter().find_map(|item| match item {
        Item::Mod(module) => module.content.as_ref(),
        _ => None,
    });
    let (_, inner) = inner.expect("there is a module");
    (inner, functions(&file.items)[0])
}

fn text(tokens: impl quote::ToTokens) -> String {
    quote!(#tokens).to_string().replace(' ', "")
}

/// Checks what is said of a function that cannot be an action, and that rustc still sees it.
#[track_caller]
fn check_refused(item: TokenStream, expected: &[&str]) {
    let file = expanded(TokenStream::new(), item.clone());
    let said = said(&file);
    assert_eq!(said.len(), expected.len(), "{said:#?}");
    for (said, expected) in said.iter().zip(expected) {
        assert!(said.contains(expected), "{said}");
    }
    let written: ItemFn = syn::parse2(item).expect("it is a function");
    assert_eq!(text(functions(&file.items)[0]), text(written));
}

#[test]
fn a_function_becomes_an_entry_of_the_table_and_a_shadow() {
    let file = expanded(
        TokenStream::new(),
        quote! {
            /// Counts lines.
            pub(crate) fn count(path: String, r#type: Option<u64>) -> Result<Counted> {
                super::read(&path, self::LIMIT, crate::x, a::super_)
            }
        },
    );
    let (inner, shadow) = parts(&file);
    assert_eq!(
        text(&shadow.sig),
        "fncount(path:impl::hpdlc_flow::Gives<String>,r#type:impl::hpdlc_flow::Gives<Option<u64>>)->::hpdlc_flow::Pending<Counted>"
    );
    assert_eq!(text(&shadow.vis), "pub(crate)");
    let [itself] = functions(inner)[..] else {
        panic!("the function");
    };
    assert_eq!(
        text(itself),
        "#[doc=r\"Countslines.\"]pubfncount(path:String,r#type:Option<u64>)->Result<Counted>\
         {super::super::read(&path,super::LIMIT,crate::x,a::super_)}"
    );
    let module = text(&file.items[0]);
    for part in [
        "Arguments::of(texts,2usize)?",
        "let_type=arguments.take::<Option<u64>>(\"type\")?",
        "typeData=Counted;",
        "count(_path,_type).map_err(",
        "{name:\"path\",value:::hpdlc_flow::runtime::action::ValueKind::Text}",
        "{name:\"type\",value:::hpdlc_flow::runtime::action::ValueKind::Int}",
        "Action::of::<__HpdlCall>();",
    ] {
        assert!(module.contains(part), "{part}: {module}");
    }
}

#[test]
fn an_action_may_want_its_context_be_async_and_run_twice() {
    let file = expanded(
        quote!(idempotent),
        quote!(
            async fn fetch(cx: &Context, url: String) -> hpdlc_flow::Result {
                Ok(())
            }
        ),
    );
    let (_, shadow) = parts(&file);
    assert_eq!(
        text(&shadow.sig),
        "fnfetch(url:impl::hpdlc_flow::Gives<String>)->::hpdlc_flow::Pending<()>"
    );
    let module = text(&file.items[0]);
    for part in [
        "block_on(async{fetch(context,_url).await.map_err(",
        "Action::of::<__HpdlCall>().idempotent();",
    ] {
        assert!(module.contains(part), "{part}: {module}");
    }
}

#[test]
fn every_item_has_the_condition_of_the_function() {
    let file = expanded(
        TokenStream::new(),
        quote!(
            #[cfg(unix)]
            #[inline]
            fn count() -> Result {
                Ok(())
            }
        ),
    );
    let (inner, shadow) = parts(&file);
    assert_eq!(text(&shadow.attrs[0]), "#[cfg(unix)]");
    assert!(text(&file.items[0]).starts_with("#[cfg(unix)]"));
    assert_eq!(text(&functions(inner)[0].attrs[0]), "#[inline]");
}

#[test]
fn wrong_forms_are_refused_at_their_tokens() {
    check_refused(
        quote!(
            fn count<T>(path: T) -> Result {
                Ok(())
            }
        ),
        &["an action has no type parameters"],
    );
    check_refused(
        quote!(
            fn count(path: &str, name: &Path, other: &'static [u8]) -> Result {
                Ok(())
            }
        ),
        &["write `String`", "write `PathBuf`", "write `[u8]`"],
    );
    check_refused(
        quote!(
            fn count(path: String, cx: &Context) -> Result {
                Ok(())
            }
        ),
        &["`&Context` is the first parameter"],
    );
    check_refused(
        quote!(
            fn count(path: impl AsRef<str>) -> Result {
                Ok(())
            }
        ),
        &["it cannot be `impl`"],
    );
    check_refused(
        quote!(
            fn count(&self) -> Result {
                Ok(())
            }
        ),
        &["not a method"],
    );
    check_refused(
        quote!(
            fn count((a, b): (u8, u8)) -> Result {
                Ok(())
            }
        ),
        &["a parameter of an action has a name"],
    );
    check_refused(
        quote!(
            fn count() {}
        ),
        &["an action can fail"],
    );
    check_refused(
        quote!(
            fn count() -> Option<Counted> {
                None
            }
        ),
        &["an action can fail"],
    );
    check_refused(
        quote!(
            const unsafe extern "C" fn count() -> Result {
                Ok(())
            }
        ),
        &[
            "cannot be `const`",
            "cannot be `unsafe`",
            "cannot be `extern`",
        ],
    );
}

#[test]
fn what_is_no_function_and_unknown_options_are_refused() {
    let file = expanded(
        TokenStream::new(),
        quote!(
            struct Counted;
        ),
    );
    assert_eq!(said(&file), ["`#[action]` belongs above a function"]);
    let function = quote!(
        fn count() -> Result {
            Ok(())
        }
    );
    for options in [quote!(retry), quote!(idempotent, idempotent)] {
        let file = expanded(options, function.clone());
        let said = said(&file);
        assert!(said[0].contains("has one option"), "{said:?}");
        assert_eq!(said.len(), 1);
    }
}
