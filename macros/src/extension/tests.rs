use super::*;

fn text(input: TokenStream) -> String {
    expand(input, Some("acme")).to_string().replace(' ', "")
}

#[test]
fn an_extension_is_a_static_and_a_test() {
    let text = text(quote! {
        name: "acme",
        actions: [count, files::r#move],
        types: [copy::S3Copy],
        functions: [bucket, crate::days::r#type],
    });
    for part in [
        "[(&str,&::hpdlc_flow::runtime::action::Action);3usize]",
        "(\"count\",::hpdlc_flow::runtime::action::named::<hpdl_listed_0::Named>())",
        "(\"move\",::hpdlc_flow::runtime::action::named::<hpdl_listed_1::Named>())",
        "[::hpdlc_flow::runtime::action::type_entry::<copy::S3Copy>()]",
        "functions:&[HPDL_FUNCTIONS[0usize].1,HPDL_FUNCTIONS[1usize].1]",
        "::hpdlc_flow::runtime::function::named::<hpdl_listed_3::Named>()",
        "pubconstbucket:&::hpdlc_flow::runtime::function::Function=super::HPDL_FUNCTIONS[0usize].0;",
        "pubconstr#type:&::hpdlc_flow::runtime::function::Function=super::HPDL_FUNCTIONS[1usize].0;",
        "usecountashpdl_listed_0;",
        "usefiles::r#moveashpdl_listed_1;",
        "usecrate::days::r#typeashpdl_listed_3;",
        "pubmodhpdl_listed_3{",
        "name:\"acme\"",
        "hold_to_manifest(&EXTENSION",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn every_mistake_has_one_message() {
    for (input, expected) in [
        (
            quote!(actions: [count]),
            "the name of the extension is missing",
        ),
        (quote!(name: "Acme"), "is no name of an extension"),
        (quote!(name: "fn"), "is no name of an extension"),
        (quote!(name: "wf"), "is a name of Oozie or hpdlc"),
        (quote!(name: "other"), "is that of its crate: `acme`"),
        (quote!(name: "acme", name: "acme"), "`name` is said twice"),
        (quote!(name: "acme", type: []), "an extension has `name:"),
        (
            quote!(name: "acme", actions: [a::count, b::count]),
            "`count` is the name of two actions",
        ),
        (
            quote!(name: "acme", actions: [a::Count]),
            "`Count` is a type: name it in `types`",
        ),
        (
            quote!(name: "acme", functions: [Bucket]),
            "`Bucket` is a type: name it in `types`",
        ),
        (
            quote!(name: "acme", functions: [a::bucket, b::bucket]),
            "`bucket` is the name of two functions",
        ),
        (
            quote!(name: "acme", types: [A, A]),
            "this type is named twice",
        ),
    ] {
        let text = expand(input, Some("acme")).to_string();
        assert_eq!(text.matches("compile_error").count(), 1, "{text}");
        assert!(text.contains(expected), "{expected}: {text}");
    }
}
