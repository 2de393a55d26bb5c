//! Rust files with workflows, coordinators and bundles. Each function with such an attribute is a document of its own, named after its
//! file and itself: `src/main.rs#daily`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use proc_macro2::TokenStream;
use syn::{Attribute, Item, ItemFn, Meta};
use toml::de::DeTable;

use crate::{driver::below::below, rust};

/// What a function is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FunctionKind {
    Workflow,
    Coordinator,
    Bundle,
}

/// The attributes by their last segments.
const ATTRIBUTES: [(&str, FunctionKind); 3] = [
    ("workflow", FunctionKind::Workflow),
    ("coordinator", FunctionKind::Coordinator),
    ("bundle", FunctionKind::Bundle),
];

/// A function with `#[workflow(arguments)]`, or as a coordinator or bundle.
pub(super) struct DocumentFunction {
    pub(super) kind: FunctionKind,
    pub(super) arguments: TokenStream,
    pub(super) function: ItemFn,
}

impl DocumentFunction {
    pub(super) fn name(&self) -> String {
        self.function.sig.ident.to_string()
    }
}

/// Whether a path is that of a Rust file.
pub(super) fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}

/// Whether a Rust file may have documents; most have none and need not be parsed.
pub(super) fn may_have_documents(text: &str) -> bool {
    let mut names = ATTRIBUTES.iter().map(|(name, _)| name);
    text.contains("#[") && names.any(|name| text.contains(name))
}

/// The path that stands for a function of a Rust file.
pub fn document(file: &Path, function: &str) -> PathBuf {
    PathBuf::from(format!("{}#{function}", file.display()))
}

/// The file and the function of a path that stands for a function of a Rust file.
pub fn parts(document: &Path) -> Option<(&Path, &str)> {
    let (file, function) = document.to_str()?.rsplit_once('#')?;
    let file = Path::new(file);
    is_rust(file).then_some((file, function))
}

/// The documents of a Rust file, those of modules in it included, in order.
///
/// # Errors
///
/// The text is no Rust.
pub(super) fn functions(text: &str) -> syn::Result<Vec<DocumentFunction>> {
    let mut found = Vec::new();
    collect(syn::parse_file(text)?.items, &mut found);
    Ok(found)
}

fn collect(items: Vec<Item>, found: &mut Vec<DocumentFunction>) {
    for item in items {
        match item {
            Item::Mod(module) => {
                if let Some((_, items)) = module.content {
                    collect(items, found);
                }
            }
            Item::Fn(mut function) => {
                let attributes = function.attrs.iter().map(kind_of);
                let first = attributes.enumerate().find_map(|(at, it)| Some((at, it?)));
                let Some((at, kind)) = first else { continue };
                let arguments = match function.attrs.remove(at).meta {
                    Meta::List(list) => list.tokens,
                    Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
                };
                found.push(DocumentFunction {
                    kind,
                    arguments,
                    function,
                });
            }
            _ => {}
        }
    }
}

/// What a function with this attribute is.
fn kind_of(attribute: &Attribute) -> Option<FunctionKind> {
    let name = &attribute.path().segments.last()?.ident;
    let known = ATTRIBUTES.iter().find(|(known, _)| name == known);
    known.map(|(_, kind)| *kind)
}

/// The folder of the files of a document, which only a workflow has.
pub(super) fn folder(package: &Path, function: &DocumentFunction) -> PathBuf {
    let files = match function.kind {
        FunctionKind::Workflow => rust::folder_of_files(function.arguments.clone()),
        FunctionKind::Coordinator | FunctionKind::Bundle => None,
    };
    files.map_or_else(
        || package.to_owned(),
        |files| below(package, Path::new(&files)),
    )
}

/// The folder of the package that a Rust file belongs to: the nearest one with a `Cargo.toml`, else that of the file.
pub(super) fn package(file: &Path) -> PathBuf {
    let own = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        Some(_) | None => Path::new("."),
    };
    let has_manifest = |folder: &Path| folder.join("Cargo.toml").is_file();
    let given = own.ancestors().filter(|it| !it.as_os_str().is_empty());
    if let Some(folder) = given.clone().find(|folder| has_manifest(folder)) {
        return folder.to_owned();
    }
    if has_manifest(Path::new(".")) && own.is_relative() {
        return PathBuf::from(".");
    }
    let absolute = own.canonicalize().unwrap_or_else(|_| own.to_owned());
    let found = absolute.ancestors().find(|folder| has_manifest(folder));
    found.map_or_else(|| own.to_owned(), Path::to_owned)
}

/// The name of the package in a folder.
pub(super) fn package_name(package: &Path) -> Option<String> {
    let manifest = fs::read_to_string(package.join("Cargo.toml")).ok()?;
    let manifest = DeTable::parse(&manifest).ok()?;
    let package = manifest.get_ref().get("package")?.get_ref().as_table()?;
    let name = package.get("name")?.get_ref().as_str()?;
    Some(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_a_function_of_a_file() {
        let path = document(Path::new("src/main.rs"), "daily");
        assert_eq!(path, Path::new("src/main.rs#daily"));
        assert_eq!(parts(&path), Some((Path::new("src/main.rs"), "daily")));
        for other in ["src/main.rs", "app#1/workflow.xml", "notes#daily"] {
            assert_eq!(parts(Path::new(other)), None, "{other}");
        }
    }

    #[test]
    fn functions_of_modules_are_found_with_their_arguments() {
        let text = "
            #[workflow] async fn one() -> Result { Ok(()) }
            async fn other() {}
            mod inner {
                /// Documented.
                #[hpdlc_flow::workflow(name_node = \"hdfs://nn\")]
                pub async fn two() -> Result { Ok(()) }
                #[coordinator(workflow = two)]
                #[dataset(logs)]
                fn three() -> two::Params { two::Params {} }
            }
            #[bundle] fn four() -> Bundle { Bundle::new() }
        ";
        assert!(may_have_documents(text));
        let found = functions(text).expect("it is Rust");
        let shown: Vec<(FunctionKind, String, String)> = found
            .iter()
            .map(|it| (it.kind, it.name(), it.arguments.to_string()))
            .collect();
        let expected = [
            (FunctionKind::Workflow, "one", ""),
            (FunctionKind::Workflow, "two", "name_node = \"hdfs://nn\""),
            (FunctionKind::Coordinator, "three", "workflow = two"),
            (FunctionKind::Bundle, "four", ""),
        ];
        let expected =
            expected.map(|(kind, name, arguments)| (kind, name.to_owned(), arguments.to_owned()));
        assert_eq!(shown, expected);
        assert!(functions("fn {").is_err());
    }
}
