//! Extensions: a crate with an action type and a function, which `hpdl.toml` names and an executable is linked with.

use std::{
    fs,
    path::{Path, PathBuf},
};

use hpdlc_tests::{FinishedCommand, command, folder::write, hpdlc};

use super::{
    git::git,
    harness::{World, text},
    run,
};

/// Cargo compiles the runtime and hpdlc's macros for the extension.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(1800);

const WORKFLOW: &str = r#"<workflow-app xmlns="uri:oozie:workflow:1.0" name="extended">
    <start to="copy"/>
    <action name="copy">
        <acme-copy xmlns="uri:acme:copy:1.0">
            <source>${input}</source>
            <target>${input}.copy</target>
        </acme-copy>
        <ok to="count"/>
        <error to="fail"/>
    </action>
    <action name="count">
        <rust xmlns="uri:hpdl:rust-action:0.1">
            <function>acme::count</function>
            <argument>${input}.copy</argument>
        </rust>
        <ok to="named"/>
        <error to="fail"/>
    </action>
    <decision name="named">
        <switch>
            <case to="done">${acme:file_name(input) eq 'input' and acme:file_name(wf:id()) eq wf:id()}</case>
            <default to="fail"/>
        </switch>
    </decision>
    <kill name="fail"><message>${wf:errorCode(wf:lastErrorNode())}</message></kill>
    <end name="done"/>
</workflow-app>
"#;

/// The cache of an hpdlc outside of a checkout: kept, as that of a user is.
fn installed_cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("installed")
}

/// Cargo's target folder, which holds the folder for files of tests.
fn target() -> &'static Path {
    let files = Path::new(env!("CARGO_TARGET_TMPDIR"));
    files.parent().expect("it is in the target folder")
}

/// A new extension and an application that uses it.
struct Extended {
    folder: tempfile::TempDir,
    hpdlc: PathBuf,
}

impl Extended {
    fn new() -> Extended {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Extended::by(folder, hpdlc())
    }

    /// By an hpdlc that has nothing but itself.
    fn installed() -> Extended {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let copy = folder.path().join("bin/hpdlc");
        fs::create_dir(folder.path().join("bin")).expect("creates");
        fs::copy(hpdlc(), &copy).expect("copies");
        let cache = installed_cache();
        let n_sources = fs::read_dir(cache.join("sources")).map_or(0, Iterator::count);
        // All runtimes are compiled anew, but not what they have in common; of old sources, too much would stay.
        let outdated = match n_sources > 8 {
            true => cache,
            false => cache.join("runtime"),
        };
        if outdated.exists() {
            fs::remove_dir_all(&outdated).expect("it is ours");
        }
        Extended::by(folder, copy)
    }

    fn by(folder: tempfile::TempDir, hpdlc: PathBuf) -> Extended {
        let extended = Extended { folder, hpdlc };
        let begun = extended.hpdlc(&["new", "extension", "acme"]);
        assert_eq!(begun.code, Some(0), "{}", begun.stderr);
        let path = |path: &str| extended.folder.path().join(path);
        write(
            &path("app/hpdl.toml"),
            "[extensions]\nacme = { path = \"../acme\" }\n",
        );
        write(&path("app/workflow.xml"), WORKFLOW);
        write(&path("input"), "one\ntwo\n");
        extended
    }

    fn hpdlc(&self, arguments: &[&str]) -> FinishedCommand {
        let home = self.folder.path().join("home");
        let mut command = command::command(&self.hpdlc, &home);
        command.args(arguments).current_dir(self.folder.path());
        if self.hpdlc.starts_with(self.folder.path()) {
            // What both are compiled with is compiled once.
            command
                .env("HPDLC_CACHE", installed_cache())
                .env("CARGO_TARGET_DIR", target());
        }
        command::run_within(&mut command, PATIENCE)
    }

    fn change(&self, path: &str, from: &str, to: &str) {
        let path = self.folder.path().join(path);
        let text = fs::read_to_string(&path).expect("reads");
        assert!(text.contains(from), "{text}");
        write(&path, text.replacen(from, to, 1));
    }

    #[track_caller]
    fn refused(&self, parts: &[&str]) {
        let built = self.hpdlc(&["build", "app", "-o", "program"]);
        assert_eq!(built.code, Some(2), "{}", built.stderr);
        for part in parts {
            assert!(built.stderr.contains(part), "{part}: {}", built.stderr);
        }
        assert_eq!(
            built.stderr.matches("error: ").count(),
            1,
            "{}",
            built.stderr
        );
        assert!(!self.folder.path().join("program").exists());
    }
}

/// The application names the crate by a branch of a repository, and a copy of its manifest.
#[test]
fn an_extension_in_a_repository_follows_its_manifest() {
    let extended = Extended::new();
    let path = |path: &str| extended.folder.path().join(path);
    let far = path("far");
    let copied = |file: &str| {
        let text = fs::read_to_string(path("acme").join(file)).expect("reads");
        write(&far.join(file), text);
    };
    for file in ["Cargo.toml", "src/lib.rs", "hpdl-extension.json"] {
        copied(file);
    }
    // As it would be published: it names the version of hpdlc, and not a folder.
    let manifest = fs::read_to_string(far.join("Cargo.toml")).expect("reads");
    let lines = manifest.lines().map(|line| match line {
        line if line.starts_with("hpdlc-flow = ") => {
            format!("hpdlc-flow = \"{}\"", env!("CARGO_PKG_VERSION"))
        }
        line => line.to_owned(),
    });
    write(
        &far.join("Cargo.toml"),
        lines.collect::<Vec<_>>().join("\n"),
    );
    let commit = || {
        git(&far, &["add", "."]);
        git(&far, &["commit", "-q", "-m", "one more"]);
    };
    git(&far, &["init", "-q", "-b", "main"]);
    commit();
    write(&path("other/workflow.xml"), WORKFLOW);
    write(
        &path("other/hpdl.toml"),
        format!(
            "[extensions]\nacme = {{ git = \"file://{}\", branch = \"main\", manifest = \"acme.json\" }}\n",
            far.display()
        ),
    );
    let copy_manifest = || {
        let text = fs::read_to_string(far.join("hpdl-extension.json")).expect("reads");
        write(&path("other/acme.json"), text);
    };
    let build = || extended.hpdlc(&["build", "other", "-o", "other-program"]);
    copy_manifest();
    let built = build();
    assert_eq!(built.code, Some(0), "{}", built.stderr);

    // The branch goes on: the next copy of the manifest brings its code.
    for file in ["far/src/lib.rs", "far/hpdl-extension.json"] {
        extended.change(file, "The copy.", "The second copy.");
    }
    commit();
    let built = build();
    assert_eq!(
        built.code,
        Some(0),
        "what was built stays: {}",
        built.stderr
    );
    copy_manifest();
    let built = build();
    assert_eq!(built.code, Some(0), "{}", built.stderr);

    // A copy that says something else.
    extended.change("other/acme.json", "The second copy.", "The third copy.");
    let stale = build();
    assert_eq!(stale.code, Some(2), "{}", stale.stderr);
    for part in [
        "the manifest of extension `acme` is stale",
        "copy `hpdl-extension.json` of the crate again",
    ] {
        assert!(stale.stderr.contains(part), "{part}: {}", stale.stderr);
    }
}

#[test]
fn an_application_with_extensions_is_not_emitted() {
    let extended = Extended::new();
    let emitted = extended.hpdlc(&["emit", "app", "-o", "crate"]);
    assert_eq!(emitted.code, Some(2), "{}", emitted.stderr);
    let said = "`emit` cannot write an application with extensions yet, and this one uses `acme`";
    assert!(emitted.stderr.contains(said), "{}", emitted.stderr);
    assert!(!extended.folder.path().join("crate").exists());
}

/// One test, since an extension is compiled for minutes.
#[test]
fn an_extension_is_checked_linked_and_held_to_its_manifest() {
    let extended = Extended::new();
    let checked = extended.hpdlc(&["check", "app"]);
    assert_eq!((checked.code, &*checked.stderr), (Some(0), ""));
    let written = extended.hpdlc(&["extension", "acme"]);
    assert_eq!(written.code, Some(0), "{}", written.stderr);
    assert!(written.stderr.contains("Unchanged"), "{}", written.stderr);

    let world = World::of_folder(&extended.folder.path().join("app"));
    let input = extended.folder.path().join("input");
    let (_, info) = run(&world, &["-D", &format!("input={}", input.display())], 0);
    let actions = info["actions"].as_array().expect("a list");
    let action = |name: &str| {
        let found = actions.iter().find(|action| action["name"] == name);
        found.unwrap_or_else(|| panic!("{info:#}"))
    };
    assert_eq!(action("copy")["type"], "acme-copy", "{info:#}");
    assert_eq!(action("copy")["data"]["bytes"], "8", "{info:#}");
    assert_eq!(action("count")["data"]["lines"], "2", "{info:#}");
    world.run(&["-D", "input=/no/such/file"]).expect(1);
    let info = world.info(&text(&world.jobs()[0]["id"]));
    let actions = info["actions"].as_array().expect("a list");
    let codes = actions.iter().map(|action| &action["error_code"]);
    assert!(
        codes.into_iter().any(|code| code == "NOT_COPIED"),
        "{info:#}"
    );

    // The code takes another element, and the manifest does not say so.
    extended.change(
        "acme/src/lib.rs",
        "    target: PathBuf,",
        "    to: PathBuf,",
    );
    extended.change("acme/src/lib.rs", "&self.target", "&self.to");
    extended.refused(&[
        "the manifest of extension `acme` is stale",
        "by the code `\"name\": \"to\",`",
        "`hpdlc extension app/../acme` writes it again",
    ]);
    extended.change("acme/src/lib.rs", "&self.to)", "&self.target)");
    extended.refused(&["extension `acme` does not compile", "no field `target`"]);
}

/// No registry has `hpdlc-flow`: the sources of everything that an extension is compiled with are in hpdlc.
#[test]
fn an_installed_hpdlc_compiles_an_extension() {
    let extended = Extended::installed();
    let path = |path: &str| extended.folder.path().join(path);
    let manifest = fs::read_to_string(path("acme/Cargo.toml")).expect("reads");
    let by_version = format!(
        "hpdlc-flow = {{ version = \"{}\" }}",
        env!("CARGO_PKG_VERSION")
    );
    assert!(manifest.contains(&by_version), "{manifest}");
    let config = fs::read_to_string(path("acme/.cargo/config.toml")).expect("reads");
    assert!(config.contains("[patch.crates-io]"), "{config}");
    let checked = extended.hpdlc(&["check", "app"]);
    assert_eq!((checked.code, &*checked.stderr), (Some(0), ""));

    let input = format!("input={}", path("input").display());
    let run = || extended.hpdlc(&["run", "app", "-D", &input]);
    let ran = run();
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let copied = fs::read_to_string(path("input.copy")).expect("reads");
    assert_eq!(copied, "one\ntwo\n");
    let again = run();
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    assert!(!again.stderr.contains("Compiling"), "{}", again.stderr);

    extended.change("acme/src/lib.rs", "&self.target", "&self.to");
    let wrong = extended.hpdlc(&["extension", "acme"]);
    assert_eq!(wrong.code, Some(2), "{}", wrong.stderr);
    assert!(wrong.stderr.contains("no field `to`"), "{}", wrong.stderr);
}
