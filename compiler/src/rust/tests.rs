use hpdlc_tests::cases;

use crate::rust::{Workflow, read};

/// The function around the statements of a case, unless it has one itself.
fn function(given: &str) -> String {
    if given.contains("fn work") {
        return given.to_owned();
    }
    format!(
        "async fn work(input: String, mode: String, limit: u64, strict: bool) -> Result {{\n{given}\nOk(())\n}}"
    )
}

fn workflow(source: &str) -> Workflow {
    let item: syn::ItemFn = syn::parse_str(source).expect("the case is a function");
    let attribute = item.attrs.iter().find(|it| it.path().is_ident("workflow"));
    let arguments = attribute.and_then(|it| match &it.meta {
        syn::Meta::List(list) => Some(list.tokens.clone()),
        _ => None,
    });
    read(arguments.unwrap_or_default(), &item)
}

/// A line for each node, and for each mistake with its place.
fn shown(source: &str, n_lines_before: usize) -> String {
    let workflow = workflow(source);
    let mut text = String::new();
    for mistake in &workflow.mistakes {
        let (start, end) = (mistake.place.from.start(), mistake.place.to.end());
        let line = source.lines().nth(start.line - 1).unwrap_or_default();
        let to = if end.line == start.line {
            end.column
        } else {
            line.chars().count()
        };
        let code: String = line.chars().take(to).skip(start.column).collect();
        text.push_str(&format!(
            "{}:{} `{code}`: {}\n",
            start.line - n_lines_before,
            start.column + 1,
            mistake.message
        ));
    }
    match workflow.document {
        Some(document) => {
            let nodes = document
                .text
                .replace(" xmlns=\"uri:oozie:workflow:1.0\"", "");
            for line in nodes.lines() {
                let depth = line.len() - line.trim_start().len();
                if depth == 4 && !line.starts_with("    </") {
                    text.push('\n');
                }
                if depth > 0 {
                    text.push_str(line.trim());
                }
            }
        }
        None if text.is_empty() => text.push_str("left to rustc\n"),
        None => {}
    }
    text
}

fn check(path: &str) {
    cases::check(path, |case| {
        let source = function(&case.given);
        let n_lines_before = usize::from(source != case.given);
        shown(&source, n_lines_before).trim().to_owned()
    });
}

#[test]
fn statements_become_nodes() {
    check("compiler/src/rust/tests/nodes.txt");
}

#[test]
fn what_is_no_workflow_is_refused_at_its_place() {
    check("compiler/src/rust/tests/refused.txt");
}

#[test]
fn parts_of_the_document_come_from_tokens() {
    let source = "async fn work(input: String) -> Result {\n    count(&input).named(\"first\").await?;\n    Ok(())\n}";
    let document = workflow(source).document.expect("it is sound");
    let from = |part: &str| {
        let start = document.text.find(part).expect("the document has it");
        let range = |n: usize| u32::try_from(n).expect("it is short");
        let place = document.place_of(&(range(start)..range(start + part.len())));
        let (start, end) = (place.from.start(), place.to.end());
        format!(
            "{}:{}-{}:{}",
            start.line, start.column, end.line, end.column
        )
    };
    for (part, expected) in [
        ("name=\"work\"", "1:0-1:38"),
        ("work\"", "1:0-1:38"),
        ("first\">", "2:4-2:32"),
        ("count", "2:4-2:9"),
        ("{input}", "2:10-2:16"),
        ("<action name", "2:4-2:32"),
        ("<ok to=", "2:4-2:32"),
    ] {
        assert_eq!(from(part), expected, "{part}");
    }
}
