//! Dependencies between sibling modules must not be circular.
//!
//! A file and its own children belong together, and may use each other. Of two modules with the same parent, each with everything
//! below it, at most one uses the other. An item counts where it is defined, not where it is exported from.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use super::imports::{self, Import};

/// The path of a module; empty for the crate itself.
pub type ModulePath = Vec<String>;

/// Sibling modules, each with those that it uses and one place of use.
type SiblingModules = BTreeMap<String, BTreeMap<String, String>>;

/// The files of a crate.
pub struct Crate {
    imports: BTreeMap<ModulePath, Vec<Import>>,
}

impl Crate {
    /// `files` are paths below the crate's sources, with their texts. Code that is compiled only for tests is excluded, as is
    /// `main.rs`, which is a separate crate.
    pub fn new<'f>(files: impl Iterator<Item = (&'f Path, &'f str)>) -> Crate {
        let module = |path: &Path| -> ModulePath {
            let path = path.with_extension("");
            let names = path.iter().filter_map(|name| name.to_str());
            let names: Vec<String> = names.map(str::to_owned).collect();
            match names.as_slice() {
                [root] if root == "lib" => Vec::new(),
                _ => names,
            }
        };
        let files: Vec<(ModulePath, &str)> = files
            .filter(|(path, _)| *path != Path::new("main.rs"))
            .map(|(path, text)| (module(path), text))
            .collect();
        let for_tests: BTreeSet<ModulePath> = files
            .iter()
            .flat_map(|(module, text)| {
                let names = imports::test_modules(text).into_iter();
                names.map(|name| [module.as_slice(), &[name]].concat())
            })
            .collect();
        let is_for_tests = |module: &ModulePath| {
            (1..=module.len()).any(|length| for_tests.contains(&module[..length]))
        };
        let imports = files
            .into_iter()
            .filter(|(module, _)| !is_for_tests(module))
            .map(|(module, text)| (module, imports::paths(text)));
        Crate {
            imports: imports.collect(),
        }
    }

    /// Every circle, as the names of its modules below their parent, with the places that close it.
    pub fn circles(&self) -> BTreeMap<String, Vec<String>> {
        let mut circles = BTreeMap::new();
        for (parent, beside) in self.beside() {
            let mut done: BTreeSet<&str> = BTreeSet::new();
            for start in beside.keys() {
                let circle: BTreeSet<&str> = reached(&beside, start)
                    .into_iter()
                    .filter(|other| reached(&beside, other).contains(start.as_str()))
                    .collect();
                if circle.is_empty() || !done.insert(start) {
                    continue;
                }
                done.extend(&circle);
                let places = circle.iter().flat_map(|module| &beside[*module]);
                let places = places.filter(|(other, _)| circle.contains(other.as_str()));
                let names: Vec<&str> = circle.iter().copied().collect();
                circles.insert(
                    format!("{}: {}", parent.join("/"), names.join(" ")),
                    places.map(|(_, place)| place.clone()).collect(),
                );
            }
        }
        circles
    }

    pub fn modules(&self) -> impl Iterator<Item = &ModulePath> {
        self.imports.keys()
    }

    /// Every path that a module uses, with the module that defines the item.
    pub fn named(&self) -> impl Iterator<Item = (&ModulePath, &[String], ModulePath)> {
        self.imports.iter().flat_map(move |(module, imports)| {
            imports.iter().filter_map(move |import| {
                let other = self.defined_in(module, &import.path)?;
                Some((module, import.path.as_slice(), other))
            })
        })
    }

    /// By parent, the modules that use their siblings.
    fn beside(&self) -> BTreeMap<ModulePath, SiblingModules> {
        let mut all: BTreeMap<ModulePath, SiblingModules> = BTreeMap::new();
        for (module, path, other) in self.named() {
            let shared = module.iter().zip(&other).take_while(|(a, b)| a == b);
            let n_shared = shared.count();
            let (Some(own), Some(named)) = (module.get(n_shared), other.get(n_shared)) else {
                // One is an ancestor of the other.
                continue;
            };
            let place = format!("{}.rs: {}", module.join("/"), path.join("::"));
            all.entry(module[..n_shared].to_vec())
                .or_default()
                .entry(own.clone())
                .or_default()
                .entry(named.clone())
                .or_insert(place);
        }
        all
    }

    /// The module that defines the item that `path` refers to in `module`; `None` for other crates.
    fn defined_in(&self, module: &ModulePath, path: &[String]) -> Option<ModulePath> {
        let mut current = module.clone();
        let mut rest = path;
        match path[0].as_str() {
            "crate" => {
                current.clear();
                rest = &rest[1..];
            }
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|word| word == "super") {
                    current.pop();
                    rest = &rest[1..];
                }
            }
            first => {
                current.push(first.to_owned());
                if !self.imports.contains_key(&current) {
                    // It may be a name that this file imports.
                    let imported = self.imports[module].iter().find(|import| {
                        import.path[0] != first && import.path.last() == path.first()
                    })?;
                    let path = [imported.path.as_slice(), &path[1..]].concat();
                    return self.defined_in(module, &path);
                }
                rest = &rest[1..];
            }
        }
        self.below(current, rest)
    }

    /// The module that defines the item that `rest` refers to from `current` on.
    fn below(&self, mut current: ModulePath, mut rest: &[String]) -> Option<ModulePath> {
        while let Some(name) = rest.first() {
            current.push(name.clone());
            if !self.imports.contains_key(&current) {
                current.pop();
                break;
            }
            rest = &rest[1..];
        }
        let imports = self.imports.get(&current)?;
        let exported = rest.first().and_then(|name| {
            imports
                .iter()
                .find(|import| import.exported_as.as_ref() == Some(name))
        });
        match exported {
            Some(import) => {
                let path = [import.path.as_slice(), &rest[1..]].concat();
                self.defined_in(&current, &path)
            }
            None => Some(current),
        }
    }
}

/// The transitive closure of the siblings that `start` uses.
fn reached<'b>(beside: &'b SiblingModules, start: &'b str) -> BTreeSet<&'b str> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![start];
    while let Some(module) = waiting.pop() {
        let named = beside.get(module).into_iter().flat_map(BTreeMap::keys);
        waiting.extend(
            named
                .filter(|name| reached.insert(name.as_str()))
                .map(String::as_str),
        );
    }
    reached
}

#[test]
fn circles_are_found_behind_what_a_parent_exports() {
    let files = [
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "mod x; mod y; pub use self::x::X; use crate::b::B;"),
        ("a/x.rs", "use super::y; pub struct X; fn f() { y::g() }"),
        ("a/y.rs", "fn g(x: super::X) {}"),
        ("b.rs", "fn h() { std::mem::drop(1) } use crate::c;"),
        ("c.rs", "mod d;"),
        ("c/d.rs", "use crate::b::B;"),
    ];
    let files = files.iter().map(|(path, text)| (Path::new(*path), *text));
    let circles = Crate::new(files).circles();
    let found: Vec<&str> = circles.keys().map(String::as_str).collect();
    assert_eq!(found, [": b c", "a: x y"]);
    assert_eq!(circles["a: x y"], ["a/x.rs: super::y", "a/y.rs: super::X"]);
}
