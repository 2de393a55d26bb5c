//! The files of a generated crate that are not Rust, from the templates in `templates/`.
//!
//! The data of a template is final: texts and lists, with no logic in the template except for whether something is present.

use handlebars::Handlebars;
use serde::Serialize;

use crate::{
    analysis::{FeatureSet, PropertyUse},
    codegen::{names, one_line},
};

const CARGO_TOML: &str = include_str!("../../../templates/Cargo.toml.hbs");
const README: &str = include_str!("../../../templates/README.md.hbs");

/// The data about a crate.
#[derive(Clone, Copy, Debug)]
pub struct Manifest<'a> {
    pub hpdlc_version: &'a str,
    /// The application's name, for display.
    pub name: &'a str,
    /// The XML file, as given by the user.
    pub source: &'a str,
    pub runtime: RuntimeFrom<'a>,
    pub has_files: bool,
    /// The properties of a job of the program.
    pub properties: &'a [PropertyUse],
}

/// Where the crate finds the runtime.
#[derive(Clone, Copy, Debug)]
pub enum RuntimeFrom<'a> {
    /// In `runtime/` in the crate, which is a workspace of its own. `workspace` is the manifest of the runtime's
    /// workspace, which has no package.
    Beside {
        workspace: &'a str,
        features: FeatureSet,
    },
    /// In the workspace that the crate is a member of.
    Workspace,
}

/// `Cargo.toml`
pub fn cargo_toml(manifest: &Manifest<'_>) -> String {
    #[derive(Serialize)]
    struct Data<'a> {
        hpdlc_version: &'a str,
        package: String,
        source: String,
        workspace: Option<&'a str>,
        is_full: bool,
    }
    let data = Data {
        hpdlc_version: manifest.hpdlc_version,
        package: package_name(manifest.name),
        source: one_line(manifest.source),
        workspace: match manifest.runtime {
            RuntimeFrom::Beside { workspace, .. } => Some(workspace.trim_end()),
            RuntimeFrom::Workspace => None,
        },
        is_full: match manifest.runtime {
            RuntimeFrom::Beside { features, .. } => features == FeatureSet::Full,
            RuntimeFrom::Workspace => false,
        },
    };
    render(CARGO_TOML, toml_escaped, &data)
}

/// `README.md`
pub fn readme(manifest: &Manifest<'_>) -> String {
    #[derive(Serialize)]
    struct Data<'a> {
        hpdlc_version: &'a str,
        package: String,
        name: String,
        source: String,
        has_files: bool,
        required: Vec<String>,
        properties: Vec<ManifestRow>,
    }
    #[derive(Serialize)]
    struct ManifestRow {
        name: String,
        r#type: &'static str,
        default: String,
    }
    let data = Data {
        hpdlc_version: manifest.hpdlc_version,
        package: package_name(manifest.name),
        name: markdown_line(manifest.name),
        source: markdown_line(manifest.source),
        has_files: manifest.has_files,
        required: manifest
            .properties
            .iter()
            .filter(|property| property.is_required())
            .map(|property| one_line(&property.name))
            .collect(),
        properties: manifest
            .properties
            .iter()
            .map(|property| ManifestRow {
                name: markdown_line(&property.name),
                r#type: property.r#type.name(),
                default: match property.default() {
                    Some("") => "empty".to_owned(),
                    Some(default) => format!("`{}`", markdown_line(default)),
                    None if property.is_optional => "none, may be left out".to_owned(),
                    None => "none, must be given".to_owned(),
                },
            })
            .collect(),
    };
    render(README, handlebars::no_escape, &data)
}

/// The name of the package, and therefore of its executable: `access-logs`.
pub fn package_name(name: &str) -> String {
    // Folders that cargo creates beside an executable, and the name of hpdlc itself. The names of its other packages
    // begin with it.
    const TAKEN: &[&str] = &["build", "deps", "examples", "hpdlc", "incremental", "test"];
    let kebab = names::Namer::default()
        .claim(name, "workflow")
        .snake
        .replace('_', "-");
    let is_taken =
        TAKEN.contains(&kebab.as_str()) || kebab.starts_with("hpdlc-") || names::is_keyword(&kebab);
    if is_taken {
        format!("{kebab}-workflow")
    } else {
        kebab
    }
}

pub(super) fn render(template: &str, escape: fn(&str) -> String, data: &impl Serialize) -> String {
    let mut handlebars = Handlebars::new();
    handlebars.set_strict_mode(true);
    handlebars.register_escape_fn(escape);
    handlebars
        .render_template(template, data)
        .expect("the template is our own and asks for nothing but fields of its data")
}

/// Escapes text for a TOML basic string.
fn toml_escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            control if control.is_control() => {
                escaped.push_str(&format!("\\u{:04X}", u32::from(control)));
            }
            other => escaped.push(other),
        }
    }
    escaped
}

/// Escapes text for a code span in a table row: no line breaks, bars or backticks.
fn markdown_line(text: &str) -> String {
    one_line(text).replace('|', "\\|").replace('`', "'")
}

#[cfg(test)]
pub(super) mod tests {
    use expect_test::expect;

    use super::*;
    use crate::analysis::PropertyType;

    pub(in crate::codegen) fn property(
        name: &str,
        default: Option<&str>,
        is_optional: bool,
    ) -> PropertyUse {
        PropertyUse {
            name: name.to_owned(),
            uses: Vec::new(),
            is_declared: false,
            declared_at: None,
            description: None,
            parameter_default: None,
            config_default: default.map(str::to_owned),
            is_optional,
            r#type: PropertyType::String,
        }
    }

    fn of_its_own(features: FeatureSet) -> Manifest<'static> {
        Manifest {
            hpdlc_version: "0.1.0",
            name: "Access logs",
            source: "C:\\apps\\\"x\"/workflow.xml",
            runtime: RuntimeFrom::Beside {
                workspace: "[workspace]\nmembers = [\"runtime\"]\n\n",
                features,
            },
            has_files: false,
            properties: &[],
        }
    }

    #[test]
    fn program_that_leaves_the_machine_has_the_full_runtime() {
        let text = cargo_toml(&of_its_own(FeatureSet::Full));
        let line = r#"hpdlc-runtime = { path = "runtime", features = ["full"] }"#;
        assert!(text.lines().any(|it| it == line), "{text}");
    }

    #[test]
    fn crate_of_its_own_is_a_workspace() {
        let manifest = of_its_own(FeatureSet::Local);
        expect![[r##"
            # A workflow compiled by hpdlc 0.1.0: the graph in src/, the files of the application in app/.

            [package]
            name = "access-logs"
            description = "The workflow of C:\\apps\\\"x\"/workflow.xml"
            version = "0.1.0"
            edition = "2024"
            publish = false

            [dependencies]
            hpdlc-runtime = { path = "runtime" }

            # What follows serves the runtime, whose sources stand in runtime/.

            [workspace]
            members = ["runtime"]
        "##]].assert_eq(&cargo_toml(&manifest));
    }

    #[test]
    fn member_takes_the_runtime_of_its_workspace() {
        let manifest = Manifest {
            hpdlc_version: "0.1.0",
            name: "hello",
            source: "hello/workflow.xml",
            runtime: RuntimeFrom::Workspace,
            has_files: false,
            properties: &[],
        };
        expect![[r##"
            # A workflow compiled by hpdlc 0.1.0: the graph in src/, the files of the application in app/.

            [package]
            name = "hello"
            description = "The workflow of hello/workflow.xml"
            version = "0.1.0"
            edition = "2024"
            publish = false

            [dependencies]
            hpdlc-runtime.workspace = true
        "##]].assert_eq(&cargo_toml(&manifest));
    }

    #[test]
    fn readme_lists_the_properties() {
        let properties = [
            property("inputDir", None, false),
            property("queue", Some("a|b"), false),
            property("mode", None, true),
            property("tag", Some(""), false),
        ];
        let manifest = Manifest {
            hpdlc_version: "0.1.0",
            name: "access-logs",
            source: "access-logs/workflow.xml",
            runtime: RuntimeFrom::Workspace,
            has_files: true,
            properties: &properties,
        };
        expect![[r#"
            # access-logs

            The workflow of `access-logs/workflow.xml`, compiled by hpdlc 0.1.0. The XML stays the source: change it there and run `hpdlc emit` again.

            | folder | holds |
            |---|---|
            | `src/` | the nodes as arrays, where they lead, and the expressions as Rust functions |
            | `app/` | the files of the application, which the program unpacks |
            | `runtime/` | the engine, the job store and the executors, the same for every workflow |

            ## Build and run

            ```sh
            cargo build --release
            ./target/release/access-logs run -D inputDir=...
            ```

            A file of properties goes in with `-c FILE`. `./target/release/access-logs --help` lists the other commands.

            ## Properties

            | property | type | default |
            |---|---|---|
            | `inputDir` | string | none, must be given |
            | `queue` | string | `a\|b` |
            | `mode` | string | none, may be left out |
            | `tag` | string | empty |
        "#]].assert_eq(&readme(&manifest));
    }

    #[track_caller]
    fn check_package_name(name: &str, expected: &str) {
        assert_eq!(package_name(name), expected);
    }

    #[test]
    fn package_names_are_ones_that_cargo_takes() {
        check_package_name("Access logs (daily)", "access-logs-daily");
        check_package_name("2009_report", "workflow-2009-report");
        check_package_name("${name}", "name");
        check_package_name("日本", "workflow");
        check_package_name("test", "test-workflow");
        check_package_name("match", "match-workflow");
        check_package_name("hpdlc-runtime", "hpdlc-runtime-workflow");
    }
}
