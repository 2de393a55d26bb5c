use hpdlc_tests::cases;

use crate::rust::{Mistake, Workflow, read};

/// The function around the statements of a case, unless it has one itself.
fn function(given: &str) -> String {
    if given.contains("async fn ") || given.contains("fn work") {
        return given.to_owned();
    }
    format!(
        "async fn work(input: String, mode: String, limit: u64, strict: bool) -> Result {{\n{given}\nOk(())\n}}"
    )
}

fn workflow(source: &str) -> Workflow {
    let mut item: syn::ItemFn = syn::parse_str(source).expect("the case is a function");
    let is_ours = |it: &syn::Attribute| it.path().is_ident("workflow");
    let attribute = item.attrs.iter().find(|it| is_ours(it));
    let arguments = attribute.and_then(|it| match &it.meta {
        syn::Meta::List(list) => Some(list.tokens.clone()),
        _ => None,
    });
    item.attrs.retain(|it| !is_ours(it));
    read(arguments.unwrap_or_default(), &item)
}

/// A line for each mistake, with its place and the code there.
pub(super) fn at_places(mistakes: &[Mistake], source: &str, n_lines_before: usize) -> String {
    let mut text = String::new();
    for mistake in mistakes {
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
    text
}

/// A line for each node, and for each mistake with its place.
fn shown(source: &str, n_lines_before: usize) -> String {
    let workflow = workflow(source);
    let mut text = at_places(&workflow.mistakes, source, n_lines_before);
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

/// A source file of the crate of workflows, which declares for rustc what is read here.
#[expect(
    clippy::disallowed_methods,
    reason = "the crate depends on the compiler, so only its text can be compared"
)]
pub(super) fn of_crate_of_workflows(file: &str) -> syn::File {
    let file = hpdlc_tests::repository().join("macros/flow/src").join(file);
    let text = std::fs::read_to_string(file).expect("the crate of workflows has it");
    syn::parse_file(&text).expect("it compiles")
}

/// A call of each method that all actions have.
const METHODS_OF_ALL: &[&str] = &[
    "credentials(\"hive\")",
    "named(\"a\")",
    "on_lost(Lost::Error)",
    "property(\"a\", 1)",
    "retry(1, minutes(2))",
    "retry_policy(\"periodic\")",
    "sla(Sla { nominal_time: \"a\", should_end: minutes(1), ..Sla::default() })",
    "timeout(seconds(1))",
];

#[test]
fn the_methods_of_all_actions_are_those_of_the_crate_of_workflows() {
    let file = of_crate_of_workflows("builder.rs");
    let mut declared = Vec::new();
    for item in &file.items {
        let syn::Item::Impl(item) = item else {
            continue;
        };
        for method in &item.items {
            let syn::ImplItem::Fn(method) = method else {
                continue;
            };
            // Without `self`, as `new`, it is no method.
            if item.trait_.is_none() && method.sig.receiver().is_some() {
                declared.push((method.sig.ident.to_string(), method.sig.inputs.len() - 1));
            }
        }
    }
    declared.sort();
    let called = METHODS_OF_ALL.iter().map(|call| {
        let call: syn::ExprCall = syn::parse_str(call).expect("it is a call");
        let name = quote::ToTokens::to_token_stream(&call.func).to_string();
        (name, call.args.len())
    });
    assert_eq!(declared, called.collect::<Vec<_>>());
    for call in METHODS_OF_ALL {
        let found = workflow(&function(&format!("count(&input).{call}.await?;")));
        assert!(found.document.is_some(), "{call}");
    }
}

#[test]
fn an_argument_that_only_expressions_name_is_used() {
    let found = workflow(
        "#[workflow(fail_message = \"${limits}\")]
        async fn work(a: String, #[property(\"in.dir\")] b: String, c: String, limit: String, limits: String) -> Result {
            fs().mkdir(el!(\"${a}/${wf:conf('in.dir')}\")).await
        }",
    );
    let shadow = found.shadow.item().to_string();
    let of_arguments = ["a", "b", "c", "limit", "limits"];
    let used = of_arguments.map(|name| shadow.contains(&format!("let _ = & {name} ;")));
    assert_eq!(used, [true, true, false, false, true]);
}
