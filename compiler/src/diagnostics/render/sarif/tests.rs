use serde_json::Value;

use super::*;
use crate::{diagnostics::render::testing, rules::RULES};

fn written(diagnostics: &[Diagnostic], sources: &SourceMap, exit_code: u8) -> Value {
    let mut output = Vec::new();
    write(RULES, diagnostics, sources, exit_code, &mut output).expect("a vector takes every byte");
    assert!(output.ends_with(b"}\n"));
    serde_json::from_slice(&output).expect("it is JSON")
}

#[test]
fn results_point_where_the_diagnostics_do() {
    let (sources, mut diagnostics) = testing::every_kind();
    diagnostics[0].suggestions[0].applicability = Applicability::MachineApplicable;
    let log = written(&diagnostics, &sources, 1);
    let run = &log["runs"][0];
    let rules = &run["tool"]["driver"]["rules"];
    assert_eq!(rules[0]["id"], "H9901");
    assert_eq!(rules[0]["name"], "UndefinedThing");
    assert_eq!(rules[0]["properties"]["oozie"][0], "E0708");
    assert_eq!(rules[1]["defaultConfiguration"]["level"], "warning");
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    assert_eq!(run["invocations"][0]["exitCode"], 1);

    let first = &run["results"][0];
    assert_eq!(first["ruleIndex"], 0);
    assert_eq!(first["level"], "error");
    let text = first["message"]["text"].as_str().expect("it is text");
    assert_eq!(
        text,
        "undefined node `clean-up`\nhelp: there is a node with a similar name"
    );
    let place = &first["locations"][0];
    assert_eq!(place["message"]["text"], "no node has this name");
    let place = &place["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "app/workflow.xml");
    // The preceding character takes two UTF-16 units, which shifts the column by one.
    let region =
        serde_json::json!({"startLine": 2, "startColumn": 26, "endLine": 2, "endColumn": 34});
    assert_eq!(place["region"], region);
    let related = &first["relatedLocations"][0];
    assert_eq!(related["id"], 1);
    assert_eq!(related["physicalLocation"]["region"]["startLine"], 10);
    let change = &first["fixes"][0]["artifactChanges"][0];
    assert_eq!(change["replacements"][0]["deletedRegion"], region);
    assert_eq!(
        change["replacements"][0]["insertedContent"]["text"],
        "cleanup"
    );

    let whole_file = &run["results"][2]["locations"][0]["physicalLocation"];
    assert_eq!(whole_file["artifactLocation"]["index"], 0);
    assert_eq!(whole_file["region"], Value::Null);
    let path = &run["results"][3]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!(path["uri"], "app/lib");
    let index = path["index"]
        .as_u64()
        .and_then(|index| usize::try_from(index).ok());
    assert_eq!(
        run["artifacts"][index.expect("it has one")]["location"]["uri"],
        "app/lib"
    );
}

#[test]
fn only_certain_suggestions_are_fixes() {
    let (sources, diagnostics) = testing::every_kind();
    let log = written(&diagnostics, &sources, 1);
    for result in log["runs"][0]["results"].as_array().expect("it is a list") {
        assert_eq!(result["fixes"], Value::Null);
    }
}

#[test]
fn nothing_to_say_is_a_log_too() {
    let log = written(&[], &SourceMap::default(), 0);
    assert_eq!(log["runs"][0]["results"], Value::Array(Vec::new()));
    assert_eq!(log["version"], "2.1.0");
    let log = written(&[], &SourceMap::default(), 2);
    assert_eq!(
        log["runs"][0]["invocations"][0]["executionSuccessful"],
        false
    );
}
