//! The calls of Hue, with its parameters, against jobs of all three kinds.

use std::collections::BTreeMap;

use serde_json::Value;

use super::kinds::{self, BUNDLE, COORDINATOR, WORKFLOW};

const CALLS: &str = include_str!("hue.txt");

/// What `config_gen` of Hue writes.
const BODY: &str = "<configuration>\n  <property>\n    <name>user.name</name>\n    <value><![CDATA[ada]]></value>\n  </property>\n</configuration>";

/// What is missing of `keys` at a place of an answer: `actions.0: id name=a`.
fn missing(answer: &Value, line: &str) -> Vec<String> {
    let (place, keys) = line.split_once(':').unwrap();
    let mut found = answer;
    for part in place.split('.').filter(|part| !part.is_empty()) {
        found = match part.parse::<usize>() {
            Ok(index) => &found[index],
            Err(_) => &found[part],
        };
    }
    let lacks = |key: &&str| match key.split_once('=') {
        Some((key, value)) => format!("{key}={}", found[key]) != format!("{key}={value}"),
        None => found.get(key).is_none(),
    };
    let lacking = keys.split_whitespace().filter(lacks);
    lacking.map(|key| format!("{place}: {key}")).collect()
}

#[test]
fn hue_finds_what_it_reads() {
    let proxy = |what: &str| format!("oozie.service.ProxyUserService.proxyuser.hue.{what}");
    let site = ["hosts", "groups"].map(|what| (proxy(what), "*".to_owned()));
    let server = kinds::server_with(BTreeMap::from(site));
    let (mut wrong, mut n) = (Vec::new(), 0);
    let lines = CALLS.lines().filter(|line| !line.starts_with('#'));
    let text = lines.collect::<Vec<_>>().join("\n");
    for call in text
        .split("\n\n")
        .map(str::trim)
        .filter(|it| !it.is_empty())
    {
        let mut lines = call.lines().map(str::trim);
        let (method, path) = lines.next().unwrap().split_once(' ').unwrap();
        let status = lines.next().unwrap();
        let path = [("W", WORKFLOW), ("C", COORDINATOR), ("B", BUNDLE)]
            .iter()
            .fold(path.to_owned(), |path, (name, id)| {
                let whole = format!("/job/{name}");
                match path.split_once(&whole) {
                    Some((before, after)) if !after.starts_with(char::is_alphanumeric) => {
                        format!("{before}/job/{id}{after}")
                    }
                    _ => path,
                }
            });
        let separator = if path.contains('?') { '&' } else { '?' };
        let path =
            format!("/oozie{path}{separator}user.name=hue&doAs=ada&timezone=America%2FLos_Angeles");
        let headers = [(
            "Content-Type".to_owned(),
            "application/xml;charset=UTF-8".to_owned(),
        )];
        let body = if method == "GET" { "" } else { BODY };
        let answer = server.send(method, &path, &headers, body);
        n += 1;
        if answer.status.as_u16().to_string() != status {
            wrong.push(format!("{call}\nis {}: {}", answer.status, answer.body));
            continue;
        }
        for line in lines {
            for what in missing(&answer.json(), line) {
                wrong.push(format!("{call}\nlacks {what}"));
            }
        }
    }
    assert!(n > 15, "{n} calls");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_key_that_is_not_there_is_found_out() {
    let answer = serde_json::json!({ "actions": [{ "id": 1 }] });
    assert_eq!(
        missing(&answer, "actions.0: id=1 name"),
        ["actions.0: name"]
    );
    assert_eq!(missing(&answer, ": total"), [": total"]);
}
