//! The `use` items of a generated module: exactly the names that its tokens hold.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use crate::codegen::{
    fingerprint::{self, Scan},
    names,
};

/// What generated modules may take from the runtime's table.
const TABLE: &[&str] = &[
    "Action",
    "App",
    "Body",
    "Bundle",
    "BundleCoordinator",
    "Case",
    "Child",
    "Coordinator",
    "Custom",
    "Dataset",
    "Email",
    "Entry",
    "Event",
    "File",
    "Fs",
    "FsOperation",
    "Git",
    "Http",
    "Include",
    "Instances",
    "Java",
    "Logic",
    "LogicKind",
    "NodeDef",
    "NodeKind",
    "Outside",
    "Parameter",
    "ParameterDefault",
    "PigHost",
    "Placed",
    "PrepareOperation",
    #[cfg(test)]
    "Probe",
    "Program",
    "Properties",
    "Property",
    "Retry",
    "Settings",
    "Shell",
    "Sla",
    "Ssh",
    "SubWorkflow",
    "Template",
    "Test",
    "Tool",
    "ToolKind",
    "Uses",
    "call",
    "evaluate",
];

/// What generated modules take from elsewhere: the module, and its items that they may use.
const OTHERS: &[(&str, &[&str])] = &[
    ("hpdlc_runtime", &["Finished", "RunError", "Runtime"]),
    ("hpdlc_runtime::core::definition", &["NodeId", "Outcome"]),
    ("hpdlc_runtime::core::el", &["functions", "ops", "results"]),
    ("hpdlc_runtime::core::el::error", &["ElError"]),
    (
        "hpdlc_runtime::core::el::scope",
        &["Scope", "variable", "variable_text"],
    ),
    ("hpdlc_runtime::core::el::value", &["Value"]),
    ("hpdlc_runtime::table", TABLE),
];

/// The tokens of a module with the `use` items that they need.
pub(crate) struct Imported {
    pub(crate) uses: TokenStream,
    /// Of the items; the `use` items follow from them.
    pub(crate) fingerprint: u64,
}

/// The `use` items for `items`.
pub(crate) fn of(items: &TokenStream) -> Imported {
    let mut names: Vec<&'static str> = OTHERS
        .iter()
        .flat_map(|(_, known)| known.iter())
        .copied()
        .collect();
    names.sort_unstable();
    let Scan { fingerprint, used } = fingerprint::scan(items, &names);
    let others = OTHERS.iter().filter_map(|(module, known)| {
        let module = module.split("::").map(names::ident);
        use_item(&quote!(::#(#module)::*), known, &used)
    });
    Imported {
        uses: quote!(#(#others)*),
        fingerprint,
    }
}

fn use_item(
    module: &TokenStream,
    known: &[&'static str],
    used: &BTreeSet<&'static str>,
) -> Option<TokenStream> {
    let found: Vec<_> = known
        .iter()
        .filter(|name| used.contains(**name))
        .map(|name| names::ident(name))
        .collect();
    match found.as_slice() {
        [] => None,
        [only] => Some(quote!(use #module::#only;)),
        several => Some(quote!(use #module::{#(#several),*};)),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::codegen::format;

    #[test]
    fn what_is_used_is_imported_and_nothing_else() {
        let items = quote! {
            static A: NodeDef = NodeDef { kind: NodeKind::Action(Body::Shell) };
            fn f(scope: &dyn Scope) -> Result<String, ElError> { self::Retry::new(Node::Java) }
        };
        expect![[r#"
            use ::hpdlc_runtime::core::el::error::ElError;
            use ::hpdlc_runtime::core::el::scope::Scope;
            use ::hpdlc_runtime::table::{Body, NodeDef, NodeKind};
        "#]]
        .assert_eq(&format::file("", of(&items).uses));
    }
}
