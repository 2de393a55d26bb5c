use hpdlc_tests::cases;

use crate::rust::{read_bundle, tests::at_places};

/// The document, or the mistakes with their places.
fn shown(given: &str) -> String {
    let mut source = given.to_owned();
    let mut n_lines_before = 0;
    if !given.contains("fn all") {
        source = format!("#[bundle]\nfn all(start: String, limit: u64) -> Bundle {{\n{given}\n}}");
        n_lines_before = 2;
    }
    let mut item: syn::ItemFn = syn::parse_str(&source).expect("the case is a function");
    let attribute = item.attrs.remove(0);
    let arguments = match attribute.meta {
        syn::Meta::List(list) => list.tokens,
        _ => proc_macro2::TokenStream::new(),
    };
    let bundle = read_bundle(arguments, &item);
    let mistakes = at_places(&bundle.mistakes, &source, n_lines_before);
    match bundle.document {
        Some(document) => document.text.replace(" xmlns=\"uri:oozie:bundle:0.2\"", ""),
        None if mistakes.is_empty() => "left to rustc".to_owned(),
        None => mistakes,
    }
}

#[test]
fn functions_become_documents_or_are_refused_at_their_place() {
    cases::check("compiler/src/rust/bundle/tests/bundles.txt", |case| {
        shown(&case.given).trim().to_owned()
    });
}
