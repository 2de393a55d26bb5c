use super::*;

fn options() -> TokenStream {
    quote!(element = "s3-copy", namespace = "uri:acme:s3-copy:1.0")
}

#[test]
fn a_struct_is_read_from_its_elements_and_described() {
    let expanded = expand(
        options(),
        quote! {
            /// Copies between
            /// object stores.
            ///
            /// Slowly.
            #[derive(Debug)]
            pub struct S3Copy {
                /// From where.
                source_uri: Uri,
                #[element("skip")]
                exclude: Vec<String>,
                threads: Option<u32>,
                r#type: Kind,
                limit: std::time::Duration,
            }
        },
    );
    syn::parse2::<syn::File>(expanded.clone()).expect("a list of items");
    let text = expanded.to_string().replace(' ', "");
    for part in [
        "exclude:Vec<String>,threads:Option<u32>,",
        "constELEMENT:&'staticstr=\"s3-copy\"",
        "constNAMESPACE:&'staticstr=\"uri:acme:s3-copy:1.0\"",
        "source_uri:elements.one::<Uri>(\"source-uri\",\"source_uri\")?",
        "exclude:elements.repeated::<String>(\"skip\",\"exclude\")?",
        "threads:elements.optional::<u32>(\"threads\",\"threads\")?",
        "r#type:elements.one::<Kind>(\"type\",\"type\")?",
        "elements.end(&[\"source-uri\",\"skip\",\"threads\",\"type\",\"limit\"])?",
        "summary:\"Copiesbetweenobjectstores.\"",
        "name:\"source-uri\",value:::hpdlc_flow::runtime::action::ValueKind::Uri,occurs:::hpdlc_flow::runtime::action::Occurs::One,summary:\"Fromwhere.\"",
        "name:\"threads\",value:::hpdlc_flow::runtime::action::ValueKind::Int,occurs:::hpdlc_flow::runtime::action::Occurs::Optional,summary:\"\"",
        "name:\"limit\",value:::hpdlc_flow::runtime::action::ValueKind::Duration",
        "action_of::<_,S3Copy>()",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("#[element"), "{text}");
}

#[test]
fn every_mistake_has_one_message_and_the_struct_stays() {
    let copy = || {
        quote!(
            struct Copy {
                source: Uri,
            }
        )
    };
    for (options, item, expected) in [
        (
            options(),
            quote!(
                fn copy() {}
            ),
            "belongs above a struct",
        ),
        (
            options(),
            quote!(
                struct Copy(Uri);
            ),
            "give the fields names",
        ),
        (
            options(),
            quote!(
                struct Copy;
            ),
            "is written with braces",
        ),
        (
            options(),
            quote!(
                struct Copy<T> {
                    source: T,
                }
            ),
            "no type parameters",
        ),
        (quote!(element = "copy"), copy(), "the namespace is missing"),
        (
            quote!(namespace = "uri:acme:copy:1.0"),
            copy(),
            "the name of the element is missing",
        ),
        (
            quote!(element = "a b", namespace = "uri:acme:copy:1.0"),
            copy(),
            "`a b` is no name of an element",
        ),
        (
            quote!(element = "copy", namespace = "uri:acme:copy"),
            copy(),
            "ends in a version",
        ),
        (quote!(remote), copy(), "has `element = "),
        (
            options(),
            quote!(
                struct Copy {
                    source: &'static str,
                }
            ),
            "write `String`",
        ),
        (
            options(),
            quote!(
                struct Copy {
                    source: Option<Vec<Uri>>,
                }
            ),
            "write `Vec` without `Option`",
        ),
        (
            options(),
            quote!(
                struct Copy {
                    source: Vec<Option<Uri>>,
                }
            ),
            "it is no list",
        ),
        (
            options(),
            quote!(
                struct Copy {
                    source: (u8, u8),
                }
            ),
            "an element has one text",
        ),
        (
            options(),
            quote!(
                struct Copy {
                    #[element("b")]
                    a: Uri,
                    b: Uri,
                }
            ),
            "`b` is the name of two elements",
        ),
        (
            options(),
            quote!(
                struct Copy {
                    a_b: Uri,
                    #[element("a_b")]
                    c: Uri,
                }
            ),
            "`a_b` is the name of two elements",
        ),
        (
            options(),
            quote!(
                struct Copy {
                    #[element("3")]
                    a: Uri,
                }
            ),
            "`3` is no name of an element",
        ),
        (
            options(),
            quote!(
                struct Copy {
                    #[element(name = "b")]
                    a: Uri,
                }
            ),
            "a field has one option",
        ),
    ] {
        let text = expand(options, item).to_string();
        assert_eq!(text.matches("compile_error").count(), 1, "{text}");
        assert!(text.contains(expected), "{expected}: {text}");
        assert!(!text.contains("# [element"), "{text}");
    }
}
