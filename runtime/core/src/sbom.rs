//! What a program is made of, as a document of CycloneDX 1.5: `--version --sbom`.

use std::ffi::OsString;

use serde_json::{Value, json};

/// The options, in any order and alone.
pub fn is_asked(arguments: impl IntoIterator<Item = OsString>) -> bool {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    arguments.sort();
    let words: Vec<Option<&str>> = arguments.iter().map(|it| it.to_str()).collect();
    matches!(
        words[..],
        [Some("--sbom"), Some("--version")] | [Some("--sbom"), Some("-V")]
    )
}

/// The document about a program; `components` has a line for each package: name, version and license, separated by tabs.
///
/// It says nothing of when and where it was made, so that equal programs have equal documents.
pub fn document(program: &str, version: &str, components: &str) -> String {
    let listed: Vec<Value> = components.lines().filter_map(component).collect();
    let document = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "program",
                "name": program,
                "version": version,
            },
        },
        "components": listed,
    });
    format!("{document:#}\n")
}

fn component(line: &str) -> Option<Value> {
    let mut fields = line.split('\t');
    let (name, version) = (fields.next()?, fields.next()?);
    let license = fields.next().unwrap_or_default();
    let purl = match name {
        "rust-std" => format!("pkg:generic/rust-std@{version}"),
        "sqlite" => format!("pkg:generic/sqlite@{version}"),
        _ => format!("pkg:cargo/{name}@{version}"),
    };
    let mut component = json!({
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": version,
        "purl": purl,
    });
    if !license.is_empty() {
        // Older manifests have a slash for "or".
        let expression = license.replace('/', " OR ");
        component["licenses"] = json!([{ "expression": expression }]);
    }
    Some(component)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_has_a_component_for_each_line() {
        let lines = "chrono\t0.4.41\tMIT OR Apache-2.0\nold\t1.0.0\tMIT/Apache-2.0\nours\t0.1.0\t";
        let document = document("load", "abc", lines);
        let value: Value = serde_json::from_str(&document).unwrap();
        assert_eq!(value["metadata"]["component"]["name"], "load");
        let components = value["components"].as_array().unwrap();
        assert_eq!(components[0]["purl"], "pkg:cargo/chrono@0.4.41");
        assert_eq!(
            components[1]["licenses"][0]["expression"],
            "MIT OR Apache-2.0"
        );
        assert!(components[2].get("licenses").is_none());
    }

    #[test]
    fn the_options_are_alone_in_any_order() {
        let asked = |words: &[&str]| is_asked(words.iter().map(OsString::from));
        assert!(asked(&["--version", "--sbom"]) && asked(&["--sbom", "-V"]));
        assert!(!asked(&["--sbom"]) && !asked(&["run", "--version", "--sbom"]) && !asked(&[]));
    }
}
