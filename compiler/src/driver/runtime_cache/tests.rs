use super::*;
use crate::driver::writer;
use crate::driver::{
    place::{self, Checkout},
    toolchain::imaginary,
};

/// A checkout with a cached runtime: every file that the stamp refers to.
struct Cached {
    folder: tempfile::TempDir,
    places: BuildPlaces,
}

impl Cached {
    fn new() -> Cached {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let workspace = folder.path().join("checkout");
        let places = BuildPlaces {
            cache: folder.path().join("cache"),
            checkout: Some(Checkout {
                target: workspace.join("target"),
                workspace,
            }),
        };
        let cached = Cached { folder, places };
        for path in [
            "checkout/Cargo.lock",
            "checkout/Cargo.toml",
            "checkout/runtime/src/lib.rs",
        ] {
            cached.write(path, "one");
        }
        cached.write("deps/libhpdlc_runtime-1.rlib", "rlib");
        cached.write("deps/libmacros-2.so", "so");
        let artifacts = cargo_messages::CargoArtifacts {
            libraries: ["deps/libhpdlc_runtime-1.rlib", "deps/libmacros-2.so"]
                .map(|path| cached.folder.path().join(path))
                .into(),
            rlib_name: "libhpdlc_runtime-1.rlib".to_owned(),
            wanted_versions: Vec::new(),
            rlibs: BTreeMap::new(),
            folders: BTreeSet::new(),
        };
        let key = cached.key_folder();
        fs::create_dir_all(&key).expect("creates");
        let sources = sources(&cached.places, &BTreeSet::new()).expect("reads");
        let stamp = collect(&key, sources, &artifacts).expect("links");
        stamp::write(&key.join("stamp.json"), &stamp).expect("writes");
        cached
    }

    fn key_folder(&self) -> PathBuf {
        self.places
            .cache
            .join("runtime")
            .join(key(&self.places, &imaginary()))
    }

    fn write(&self, path: &str, text: &str) {
        writer::replace(&self.folder.path().join(path), text.as_bytes()).expect("writes");
    }

    fn stamp(&self) -> Option<RuntimeStamp> {
        stamp_if_current(&self.key_folder(), &self.places, &[]).expect("reads")
    }
}

fn key(places: &BuildPlaces, toolchain: &Toolchain) -> String {
    super::key(places, toolchain, FeatureSet::Local, &[])
}

#[test]
fn each_feature_set_has_a_folder_of_its_own() {
    let cached = Cached::new();
    assert_ne!(
        key(&cached.places, &imaginary()),
        super::key(&cached.places, &imaginary(), FeatureSet::Full, &[])
    );
}

#[test]
fn target_folders_that_nobody_has_used_for_a_month_are_removed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["current", "other", "no target folder"] {
        fs::create_dir_all(folder.path().join(name)).expect("creates");
    }
    for name in ["current", "other"] {
        fs::create_dir_all(folder.path().join(name).join("release/deps")).expect("creates");
    }
    let left = |now: SystemTime| {
        remove_unused(folder.path(), "current", now);
        ["current", "other", "no target folder"].map(|name| folder.path().join(name).exists())
    };
    let now = SystemTime::now();
    assert_eq!(left(now), [true; 3]);
    assert_eq!(left(now + 2 * UNUSED), [true, false, true]);
}

#[test]
fn untouched_runtime_is_current() {
    let cached = Cached::new();
    let stamp = cached.stamp().expect("it is current");
    let rlib = cached.key_folder().join(&stamp.folder).join(&stamp.rlib);
    assert_eq!(fs::read(rlib).expect("reads"), b"rlib");
}

#[test]
fn changed_new_and_removed_sources_outdate_it() {
    for path in [
        "checkout/runtime/src/lib.rs",
        "checkout/runtime/src/new.rs",
        "checkout/Cargo.lock",
    ] {
        let cached = Cached::new();
        cached.write(path, "changed");
        assert_eq!(cached.stamp(), None, "{path}");
    }
    let cached = Cached::new();
    fs::remove_file(cached.folder.path().join("checkout/runtime/src/lib.rs")).expect("removes");
    assert_eq!(cached.stamp(), None);
}

#[test]
fn sources_of_other_packages_do_not_count() {
    let cached = Cached::new();
    cached.write("checkout/compiler/src/lib.rs", "changed");
    assert!(cached.stamp().is_some());
}

#[test]
fn later_builds_of_cargo_do_not_reach_the_cached_libraries() {
    let cached = Cached::new();
    cached.write("deps/libhpdlc_runtime-1.rlib", "another build's");
    let stamp = cached.stamp().expect("it is current");
    let rlib = cached.key_folder().join(&stamp.folder).join(&stamp.rlib);
    assert_eq!(fs::read(rlib).expect("reads"), b"rlib");
}

#[test]
fn missing_or_changed_library_outdates_it() {
    let cached = Cached::new();
    let library = |name: &str| {
        let folder = cached.stamp().expect("it is current").folder;
        cached.key_folder().join(folder).join(name)
    };
    let macros = library("libmacros-2.so");
    writer::replace(&macros, b"half").expect("writes");
    assert_eq!(cached.stamp(), None);
    fs::remove_file(macros).expect("removes");
    assert_eq!(cached.stamp(), None);
}

#[test]
fn other_compiler_or_sources_have_another_place() {
    let cached = Cached::new();
    let mut newer = imaginary();
    newer.version = "rustc 0.0.1".to_owned();
    assert_ne!(
        key(&cached.places, &imaginary()),
        key(&cached.places, &newer)
    );
    let installed = BuildPlaces {
        checkout: None,
        ..cached.places.clone()
    };
    assert_ne!(
        key(&cached.places, &imaginary()),
        key(&installed, &imaginary())
    );
}

#[test]
fn libraries_and_macros_are_read_from_cargo_messages() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    let hashed = path("deps/libhpdlc_runtime-9f.rlib");
    writer::replace(&hashed, b"").expect("writes");
    let artifact = |name: &str, kind: &str, files: &[PathBuf]| {
        serde_json::json!({
            "reason": "compiler-artifact",
            "target": { "name": name, "kind": [kind] },
            "filenames": files,
        })
        .to_string()
    };
    let stdout = [
        "not JSON".to_owned(),
        serde_json::json!({ "reason": "build-script-executed" }).to_string(),
        artifact(
            "build-script-build",
            "custom-build",
            &[path("build/x/build-script-build")],
        ),
        artifact(
            "serde",
            "lib",
            &[path("deps/libserde-1.rlib"), path("deps/libserde-1.rmeta")],
        ),
        artifact(
            "serde_derive",
            "proc-macro",
            &[path("deps/libserde_derive-2.so")],
        ),
        artifact(
            "hpdlc_runtime",
            "lib",
            &[
                path("libhpdlc_runtime.rlib"),
                path("deps/libhpdlc_runtime-9f.rmeta"),
            ],
        ),
        serde_json::json!({ "reason": "build-finished", "success": true }).to_string(),
    ]
    .join("\n");
    let artifacts = cargo_messages::artifacts(&stdout, "hpdlc_runtime").expect("it is among them");
    assert_eq!(artifacts.rlib_name, "libhpdlc_runtime-9f.rlib");
    assert_eq!(
        artifacts.libraries.into_iter().collect::<Vec<_>>(),
        [
            hashed,
            path("deps/libserde-1.rlib"),
            path("deps/libserde_derive-2.so")
        ]
    );
    assert_eq!(cargo_messages::artifacts(&stdout, "other"), None);
}

#[test]
fn script_that_the_linker_refuses_is_done_without() {
    let places = place::find().expect("tests lie in a target folder");
    let toolchain = toolchain::find(&places).expect("it runs these tests");
    let runtime = ready(
        &places,
        &toolchain,
        FeatureSet::Local,
        &[],
        &ProgressLines::silent(),
    )
    .unwrap_or_else(|failure| panic!("{failure:?}"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let libraries = folder.path().join("lib");
    fs::create_dir(&libraries).expect("creates");
    for library in fs::read_dir(&runtime.folder).expect("reads").flatten() {
        let link = libraries.join(library.file_name());
        std::os::unix::fs::symlink(library.path(), link).expect("links");
    }
    let script = libraries.join(LINKER_SCRIPT);
    writer::replace(&script, b"SECTIONS {").expect("writes");
    let state = FileState::of(&script).expect("it is there");
    let rlib = runtime.rlib.file_name().and_then(|name| name.to_str());
    let mut stamp = RuntimeStamp {
        sources: TreeState::new(),
        folder: "lib".to_owned(),
        rlib: rlib.expect("a name").to_owned(),
        libraries: BTreeMap::from([(LINKER_SCRIPT.to_owned(), state)]),
        folds: false,
        extensions: BTreeMap::new(),
        folders: BTreeSet::new(),
        copies: BTreeMap::new(),
    };
    let linked = try_to_link(&toolchain, folder.path(), &mut stamp);
    assert_eq!(linked.expect("there is a linker"), Ok(()));
    assert_eq!(stamp.small(&libraries), None);
}
