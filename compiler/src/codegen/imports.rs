//! The `use` items of a generated module: exactly the names that occur in its tokens.

use std::collections::BTreeSet;

use hpdlc_core::action;
use proc_macro2::TokenStream;
use quote::quote;

use crate::codegen::{
    fingerprint::{self, Scan},
    names,
};

/// The module of the runtime's table.
const TABLE_MODULE: &str = "hpdlc_runtime::table";

/// The items that generated modules may import from it, besides the names of action types.
const TABLE: &[&str] = &[
    "Action",
    "App",
    "Body",
    "Bundle",
    "BundleCoordinator",
    "Child",
    "Controls",
    "Coordinator",
    "Dataset",
    "Entry",
    "Event",
    "File",
    "Include",
    "Instances",
    "Logic",
    "LogicKind",
    "Next",
    "NodeDef",
    "NodeKind",
    "Outside",
    "Part",
    "Parameter",
    "ParameterDefault",
    "Placed",
    "PrepareOperation",
    "Program",
    "Property",
    "Retry",
    "Row",
    "Settings",
    "Sla",
    "SlaTexts",
    "Template",
    "Uses",
    "call",
    "definitions",
];

/// Other modules, each with the items that generated modules may import. A name with `::` matches only at the beginning
/// of a path, because a variable can have the same name.
const OTHERS: &[(&str, &[&str])] = &[
    ("hpdlc_runtime", &["Finished", "RunError", "Runtime"]),
    ("hpdlc_runtime::core::definition", &["NodeId"]),
    (
        "hpdlc_runtime::core::el",
        &["functions::", "ops", "results"],
    ),
    (
        "hpdlc_runtime::core::el::functions",
        &[
            "Needs",
            "basic::",
            "coord::",
            "fs::",
            "hadoop::",
            "hcat::",
            "proposal::",
            "wf::",
        ],
    ),
    ("hpdlc_runtime::core::el::error", &["ElError"]),
    (
        "hpdlc_runtime::core::el::scope",
        &["Scope", "variable", "variable_text"],
    ),
    ("hpdlc_runtime::core::el::value", &["Value"]),
];

/// The names of modules and functions that may be imported: no generated module can have them.
pub(crate) fn taken() -> Vec<&'static str> {
    let others = OTHERS.iter().flat_map(|(_, items)| items.iter());
    let names = TABLE.iter().chain(others);
    names
        .map(|name| name.trim_end_matches("::"))
        .filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
        .collect()
}

/// The `use` items that the tokens of a module need.
pub(crate) struct Imported {
    pub(crate) uses: TokenStream,
    /// Of the items only; they determine the `use` items.
    pub(crate) fingerprint: u64,
}

/// The name of the module with constants for the names of properties.
pub(crate) const PROPERTIES: &str = "p";

/// The module of property names, a sibling of the modules of nodes.
const PROPERTIES_PATH: &str = "p::";

/// The name of the module with the functions of the program.
pub(crate) const OWN_FUNCTIONS: &str = "own_functions";

/// The module of functions, a sibling of the modules of nodes.
const OWN_FUNCTIONS_PATH: &str = "own_functions::";

/// The `use` items for `items` of a submodule of an application's module.
pub(crate) fn of_nodes(items: &TokenStream) -> Imported {
    of_module(items, true)
}

/// The `use` items for `items`.
pub(crate) fn of(items: &TokenStream) -> Imported {
    of_module(items, false)
}

fn of_module(items: &TokenStream, is_below_application: bool) -> Imported {
    let of_table = TABLE.iter().copied().chain(action::NAMES.iter().copied());
    let modules: Vec<(&str, BTreeSet<&'static str>)> = OTHERS
        .iter()
        .map(|(module, known)| (*module, known.iter().copied().collect()))
        .chain([(TABLE_MODULE, of_table.collect())])
        .collect();
    let mut names: Vec<&'static str> = modules
        .iter()
        .flat_map(|(_, known)| known)
        .copied()
        .chain([PROPERTIES_PATH, OWN_FUNCTIONS_PATH])
        .collect();
    names.sort_unstable();
    let Scan { fingerprint, used } = fingerprint::scan(items, &names);
    let uses = modules.iter().filter_map(|(module, known)| {
        let module = module.split("::").map(names::ident);
        use_item(&quote!(::#(#module)::*), known.intersection(&used))
    });
    let mut uses: TokenStream = uses.collect();
    for (path, sibling) in [
        (PROPERTIES_PATH, PROPERTIES),
        (OWN_FUNCTIONS_PATH, OWN_FUNCTIONS),
    ] {
        if is_below_application && used.contains(path) {
            let sibling = names::ident(sibling);
            uses.extend(quote!(use super::#sibling;));
        }
    }
    Imported { uses, fingerprint }
}

fn use_item<'n>(
    module: &TokenStream,
    used: impl Iterator<Item = &'n &'static str>,
) -> Option<TokenStream> {
    let found: Vec<_> = used
        .map(|name| names::ident(name.trim_end_matches(':')))
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
