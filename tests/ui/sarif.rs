//! Every case of `ui` as a SARIF log: conformance to the 2.1.0 schema for the objects that hpdlc writes, and the same content
//! as `--format json`.

use hpdlc_tests::{command, hpdlc, run};
use serde_json::Value;

use super::{CheckCase, cases};

/// The output of a case in another format. Cases that choose a format themselves, or whose arguments are wrong, are skipped.
fn output_in(
    case: &CheckCase,
    format: &str,
    home: &std::path::Path,
) -> Option<(String, Option<i32>)> {
    if case.arguments.iter().any(|argument| argument == "--format") {
        return None;
    }
    let finished = run(command::command(hpdlc(), home)
        .args(["check", "--format", format])
        .args(&case.arguments)
        .current_dir(&case.current_dir));
    let is_usage = finished.stdout.is_empty() && finished.stderr.starts_with("error: ");
    (!is_usage).then_some((finished.stdout, finished.code))
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn number(value: &Value, key: &str) -> Option<u64> {
    value[key].as_u64()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// The faults of a location: its artifact must be in the list under the same name, and its region must be valid.
fn faults_of_place(place: &Value, run: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let artifact = &place["artifactLocation"];
    let listed = number(artifact, "index")
        .and_then(|index| list(run, "artifacts").get(usize::try_from(index).ok()?));
    if listed.is_none_or(|listed| listed["location"]["uri"] != artifact["uri"]) {
        faults.push(format!("the artifact is not in the list: {artifact}"));
    }
    let uri = text(artifact, "uri");
    let is_uri = !uri.is_empty()
        && uri.is_ascii()
        && !uri.contains(|c: char| {
            c.is_ascii_whitespace() || c.is_control() || "\"<>\\^`{|}".contains(c)
        });
    if !is_uri {
        faults.push(format!("not a URI reference: {uri}"));
    }
    if !place["region"].is_null() {
        faults.extend(fault_of_region(&place["region"]));
    }
    faults
}

fn fault_of_region(region: &Value) -> Option<String> {
    let [start_line, start_column, end_line, end_column] =
        ["startLine", "startColumn", "endLine", "endColumn"].map(|key| number(region, key));
    let is_region = start_line >= Some(1)
        && start_column >= Some(1)
        && end_column >= Some(1)
        && (start_line, start_column) <= (end_line, end_column);
    (!is_region).then(|| format!("not a region: {region}"))
}

/// All faults of a log.
fn faults_of_log(log: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let [run] = list(log, "runs") else {
        return vec!["there is not one run".to_owned()];
    };
    if log["version"] != "2.1.0" || run["columnKind"] != "utf16CodeUnits" {
        faults.push("the version or the kind of columns is wrong".to_owned());
    }
    let rules = list(&run["tool"]["driver"], "rules");
    for rule in rules {
        let has_words = ["shortDescription", "fullDescription", "help"]
            .iter()
            .all(|key| !text(&rule[key], "text").is_empty());
        if !has_words || text(rule, "name").is_empty() {
            faults.push(format!("a rule without words: {rule}"));
        }
    }
    for result in list(run, "results") {
        let rule =
            number(result, "ruleIndex").and_then(|index| rules.get(usize::try_from(index).ok()?));
        if rule.is_none_or(|rule| rule["id"] != result["ruleId"]) {
            faults.push(format!("the rule is not in the list: {result}"));
        }
        if !["error", "warning", "note"].contains(&text(result, "level"))
            || text(&result["message"], "text").is_empty()
        {
            faults.push(format!("no level or no message: {result}"));
        }
        let locations = list(result, "locations");
        if locations.len() != 1 {
            faults.push(format!("not one location: {result}"));
        }
        for location in locations.iter().chain(list(result, "relatedLocations")) {
            faults.extend(faults_of_place(&location["physicalLocation"], run));
        }
        for change in list(result, "fixes")
            .iter()
            .flat_map(|fix| list(fix, "artifactChanges"))
        {
            faults.extend(faults_of_place(change, run));
            if list(change, "replacements").is_empty() {
                faults.push(format!("a fix that changes nothing: {change}"));
            }
            for replacement in list(change, "replacements") {
                faults.extend(fault_of_region(&replacement["deletedRegion"]));
            }
        }
    }
    faults
}

#[test]
fn every_case_is_a_log_that_says_what_json_says() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let mut n_results = 0;
    for case in cases() {
        let (Some((log, code)), Some((lines, json_code))) = (
            output_in(&case, "sarif", home.path()),
            output_in(&case, "json", home.path()),
        ) else {
            continue;
        };
        let shown = case.path.display();
        let log: Value = serde_json::from_str(&log)
            .unwrap_or_else(|error| panic!("{shown} gives no JSON: {error}"));
        let faults = faults_of_log(&log);
        assert!(faults.is_empty(), "{shown}: {}", faults.join("\n"));
        let run = &log["runs"][0];
        assert_eq!(code, json_code, "{shown}");
        assert_eq!(
            run["invocations"][0]["exitCode"].as_i64(),
            code.map(i64::from),
            "{shown}"
        );

        let objects: Vec<Value> = lines
            .lines()
            .map(|line| serde_json::from_str(line).expect("each line is JSON"))
            .collect();
        let results = list(run, "results");
        assert_eq!(results.len(), objects.len(), "{shown}");
        for (result, object) in results.iter().zip(&objects) {
            assert_eq!(result["ruleId"], object["code"], "{shown}");
            assert_eq!(result["level"], object["severity"], "{shown}");
            let region = &result["locations"][0]["physicalLocation"]["region"];
            assert_eq!(region["startLine"], object["line"], "{shown}");
            assert!(text(&result["message"], "text").starts_with(text(object, "message")));
        }
        n_results += results.len();
    }
    assert!(
        n_results > 100,
        "the cases are where they were: {n_results}"
    );
}
