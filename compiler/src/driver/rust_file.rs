//! Rust files with workflows. Each function with `#[workflow]` is a document of its own, named after its file and itself:
//! `src/main.rs#daily`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use proc_macro2::TokenStream;
use syn::{Item, ItemFn, Meta};
use toml::de::DeTable;

use crate::{driver::below::below, rust};

/// The attribute of a workflow, by its last segment.
const ATTRIBUTE: &str = "workflow";

/// A function with `#[workflow(arguments)]`.
pub(super) struct WorkflowFunction {
    pub(super) arguments: TokenStream,
    pub(super) function: ItemFn,
}

impl WorkflowFunction {
    pub(super) fn name(&self) -> String {
        self.function.sig.ident.to_string()
    }
}

/// Whether a path is that of a Rust file.
pub(super) fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}

/// Whether a Rust file may have workflows; most have none and need not be parsed.
pub(super) fn may_have_workflows(text: &str) -> bool {
    text.contains("workflow") && text.contains("#[")
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

/// The workflows of a Rust file, those of modules in it included, in order.
///
/// # Errors
///
/// The text is no Rust.
pub(super) fn workflows(text: &str) -> syn::Result<Vec<WorkflowFunction>> {
    let mut found = Vec::new();
    collect(syn::parse_file(text)?.items, &mut found);
    Ok(found)
}

fn collect(items: Vec<Item>, found: &mut Vec<WorkflowFunction>) {
    for item in items {
        match item {
            Item::Mod(module) => {
                if let Some((_, items)) = module.content {
                    collect(items, found);
                }
            }
            Item::Fn(mut function) => {
                let at = function.attrs.iter().position(|attribute| {
                    let segments = &attribute.path().segments;
                    segments.last().is_some_and(|last| last.ident == ATTRIBUTE)
                });
                let Some(at) = at else { continue };
                let arguments = match function.attrs.remove(at).meta {
                    Meta::List(list) => list.tokens,
                    Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
                };
                found.push(WorkflowFunction {
                    arguments,
                    function,
                });
            }
            _ => {}
        }
    }
}

/// The folder of the files of a workflow.
pub(super) fn folder(package: &Path, workflow: &WorkflowFunction) -> PathBuf {
    match rust::folder_of_files(workflow.arguments.clone()) {
        Some(files) => below(package, Path::new(&files)),
        None => package.to_owned(),
    }
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
            }
        ";
        assert!(may_have_workflows(text));
        let found = workflows(text).expect("it is Rust");
        let shown: Vec<(String, String)> = found
            .iter()
            .map(|it| (it.name(), it.arguments.to_string()))
            .collect();
        let expected = [("one", ""), ("two", "name_node = \"hdfs://nn\"")];
        let expected = expected.map(|(name, arguments)| (name.to_owned(), arguments.to_owned()));
        assert_eq!(shown, expected);
        assert!(workflows("fn {").is_err());
    }
}
