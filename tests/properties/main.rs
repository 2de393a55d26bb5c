//! Property test: an expression has one meaning, whether compiled into a program, evaluated by `hpdlc eval`, or walked as a tree.
//!
//! Random templates become the arguments and the cases of a workflow; its `dryrun` shows the results of the compiled code.
//! `HPDL_CASES` sets their number, `HPDL_SEED` the seed.

use std::{
    collections::BTreeMap,
    env, fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use chrono::DateTime;
use hpdlc_core::el::{
    ast::Part, eval, inference, parser::parse_template, scope::NoJob, types::Type,
};
use serde_json::Value;

mod commons_el;
mod templates;

use self::templates::Templates;

/// More texts in one node do not test its generated code better.
const TEXTS_PER_NODE: usize = 50;

/// How the templates are used in the workflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TemplatePlace {
    /// Arguments of actions.
    Arguments,
    /// Cases of decisions, which become separate functions if they are certainly booleans.
    Cases,
}

impl TemplatePlace {
    fn path(self) -> &'static str {
        match self {
            TemplatePlace::Arguments => "argument",
            TemplatePlace::Cases => "case",
        }
    }
}

/// The result of a template: its value, or the error's text without the place.
type TemplateResult = Result<String, String>;

#[test]
fn compiled_code_eval_and_tree_walker_agree() {
    check_agreement(TemplatePlace::Arguments, |_| true);
}

#[test]
fn compiled_conditions_eval_and_tree_walker_agree() {
    check_agreement(TemplatePlace::Cases, |text| {
        let parsed = parse_template(text);
        parsed.is_ok_and(|template| {
            matches!(template.parts.as_slice(), [Part::Expr(expr)] if inference::infer(expr) == Type::Bool)
        })
    });
}

fn check_agreement(place: TemplatePlace, is_wanted: fn(&str) -> bool) {
    let n_cases = number("HPDL_CASES").unwrap_or(300);
    let seed = number("HPDL_SEED").unwrap_or(1);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let templates: Vec<String> = Templates::new(seed)
        .filter(|text| is_xml_text(text) && is_wanted(text))
        .take(count(n_cases))
        .collect();
    let properties = templates::properties();

    let walked: Vec<TemplateResult> = templates
        .iter()
        .map(|text| walk(text, &properties))
        .collect();
    let evaluated = evaluate(&templates, &properties);
    assert_same("eval", &templates, &walked, &evaluated, |ours, theirs| {
        ours == theirs
    });

    // A template that certainly fails is refused by the compiler, and is also an error of eval.
    let (accepted, refused) = compile(folder.path(), place, &templates);
    for &at in &refused {
        assert!(
            walked[at].is_err(),
            "`{}` is refused and has the value {:?}",
            templates[at],
            walked[at]
        );
    }
    assert!(
        accepted.len() * 2 > templates.len(),
        "most templates compile: {} do",
        accepted.len()
    );
    let compiled = dryrun(folder.path(), place, &properties, accepted.len());
    let at = |list: &[TemplateResult]| {
        accepted
            .iter()
            .map(|&at| list[at].clone())
            .collect::<Vec<_>>()
    };
    let texts: Vec<String> = accepted.iter().map(|&at| templates[at].clone()).collect();
    // The error of a compiled template also has its file and line.
    assert_same(
        "dryrun",
        &texts,
        &at(&walked),
        &compiled,
        |ours, theirs| match (ours, theirs) {
            (Err(ours), Err(theirs)) => {
                // There the help follows the expression.
                let problem = ours
                    .split_once("; ")
                    .map_or(ours.as_str(), |(problem, _)| problem);
                theirs.contains(problem)
            }
            (Ok(ours), Ok(theirs)) => ours == theirs,
            (Ok(_), Err(_)) | (Err(_), Ok(_)) => false,
        },
    );
    let n_values = compiled.iter().filter(|outcome| outcome.is_ok()).count();
    assert!(
        n_values * 4 > compiled.len(),
        "{n_values} of {} have values",
        compiled.len()
    );
}

#[track_caller]
fn assert_same(
    what: &str,
    templates: &[String],
    walked: &[TemplateResult],
    others: &[TemplateResult],
    is_same: impl Fn(&TemplateResult, &TemplateResult) -> bool,
) {
    assert_eq!(
        templates.len(),
        others.len(),
        "{what} answers every template"
    );
    let different: Vec<String> = templates
        .iter()
        .zip(walked.iter().zip(others))
        .filter(|(_, (ours, theirs))| !is_same(ours, theirs))
        .map(|(text, (ours, theirs))| {
            format!("{text}\n    walker {ours:?}\n    {what:<6} {theirs:?}")
        })
        .collect();
    assert!(
        different.is_empty(),
        "{} differ:\n{}",
        different.len(),
        different.join("\n")
    );
}

fn walk(text: &str, properties: &BTreeMap<String, String>) -> TemplateResult {
    let template = parse_template(text).map_err(|error| error.to_string())?;
    let scope = NoJob::new(properties, DateTime::UNIX_EPOCH);
    eval::evaluate_template(&template, &scope).map_err(|error| error.to_string())
}

fn evaluate(templates: &[String], properties: &BTreeMap<String, String>) -> Vec<TemplateResult> {
    let mut command = Command::new(hpdlc());
    command
        .arg("eval")
        .args(definitions(properties))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn().expect("hpdlc starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let lines = templates
        .iter()
        .fold(String::new(), |lines, text| lines + text + "\n");
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let output = child.wait_with_output().expect("hpdlc ends");
    writer
        .join()
        .expect("the writer does not panic")
        .expect("eval reads every line");
    assert!(output.status.success(), "eval ended with {}", output.status);
    let answers = String::from_utf8(output.stdout).expect("JSON is UTF-8");
    answers
        .lines()
        .map(|line| outcome(&serde_json::from_str(line).expect("a JSON object a line")))
        .collect()
}

fn outcome(answer: &Value) -> TemplateResult {
    match (answer["value"].as_str(), answer["error"].as_str()) {
        (Some(value), None) => Ok(value.to_owned()),
        (None, Some(error)) => Err(error.to_owned()),
        (Some(_), Some(_)) | (None, None) => panic!("neither a value nor an error: {answer}"),
    }
}

/// Builds a workflow of the templates that the compiler accepts; returns the indices of those and of the others.
fn compile(folder: &Path, place: TemplatePlace, templates: &[String]) -> (Vec<usize>, Vec<usize>) {
    let mut accepted: Vec<usize> = (0..templates.len()).collect();
    let mut refused = Vec::new();
    let application = folder.join("app");
    fs::create_dir_all(&application).expect("a folder");
    let document = application.join("workflow.xml");
    // A refused template could only hide another error in passes that stop, and none does: two rounds are enough.
    for _ in 0..3 {
        let texts: Vec<&str> = accepted.iter().map(|&at| templates[at].as_str()).collect();
        fs::write(&document, workflow(place, &texts)).expect("writes");
        let output = Command::new(hpdlc())
            .args(["check", "--format", "json"])
            .arg(&document)
            .output()
            .expect("hpdlc starts");
        let stdout = String::from_utf8(output.stdout).expect("JSON is UTF-8");
        let lines: Vec<usize> = stdout
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("a JSON object a line"))
            .filter(|diagnostic| diagnostic["severity"] == "error")
            .map(|diagnostic| count(diagnostic["line"].as_u64().expect("a line")))
            .collect();
        if lines.is_empty() {
            let built = Command::new(hpdlc())
                .arg("build")
                .arg(&application)
                .arg("-o")
                .arg(folder.join("program"))
                .output()
                .expect("hpdlc starts");
            assert!(
                built.status.success(),
                "{}",
                String::from_utf8_lossy(&built.stderr)
            );
            refused.sort_unstable();
            return (accepted, refused);
        }
        let is_refused = |place: usize| lines.contains(&line_of(place));
        refused.extend(
            accepted
                .iter()
                .enumerate()
                .filter(|(place, _)| is_refused(*place))
                .map(|(_, at)| at),
        );
        let mut place = 0;
        accepted.retain(|_| {
            place += 1;
            !is_refused(place - 1)
        });
    }
    panic!(
        "the compiler refuses {} again and again",
        document.display()
    );
}

/// The line of the template at index `place` in [`workflow`].
fn line_of(place: usize) -> usize {
    // Two lines before the first node, two around the texts of each.
    let node = place / TEXTS_PER_NODE;
    2 + node * 2 + 1 + place + 1
}

/// A chain of nodes with the templates as their texts, each on a line of its own.
fn workflow(place: TemplatePlace, templates: &[&str]) -> String {
    let n_nodes = templates.len().div_ceil(TEXTS_PER_NODE);
    let mut xml =
        "<workflow-app name=\"law\" xmlns=\"uri:oozie:workflow:1.0\">\n<start to=\"a0\"/>\n"
            .to_owned();
    for (number, texts) in templates.chunks(TEXTS_PER_NODE).enumerate() {
        let next = if number + 1 == n_nodes {
            "end".to_owned()
        } else {
            format!("a{}", number + 1)
        };
        xml.push_str(&match place {
            TemplatePlace::Arguments => format!(
                "<action name=\"a{number}\"><shell xmlns=\"uri:oozie:shell-action:1.0\"><exec>true</exec>\n"
            ),
            TemplatePlace::Cases => format!("<decision name=\"a{number}\"><switch>\n"),
        });
        for text in texts {
            let text = text
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;");
            xml.push_str(&match place {
                TemplatePlace::Arguments => format!("<argument>{text}</argument>\n"),
                TemplatePlace::Cases => format!("<case to=\"end\">{text}</case>\n"),
            });
        }
        xml.push_str(&match place {
            TemplatePlace::Arguments => {
                format!("</shell><ok to=\"{next}\"/><error to=\"end\"/></action>\n")
            }
            TemplatePlace::Cases => format!("<default to=\"{next}\"/></switch></decision>\n"),
        });
    }
    xml.push_str("<end name=\"end\"/></workflow-app>\n");
    xml
}

/// The results of the templates in the compiled program.
fn dryrun(
    folder: &Path,
    place: TemplatePlace,
    properties: &BTreeMap<String, String>,
    n_templates: usize,
) -> Vec<TemplateResult> {
    let output = Command::new(folder.join("program"))
        .args(["dryrun", "--json"])
        .args(definitions(properties))
        .envs(hpdlc_tests::command::home_variables(folder.join("home")))
        .output()
        .expect("the program starts");
    let stdout = String::from_utf8(output.stdout).expect("JSON is UTF-8");
    let plan: Value = serde_json::from_str(&stdout).unwrap_or_else(|error| {
        panic!(
            "{error}: {stdout} {}",
            String::from_utf8_lossy(&output.stderr)
        )
    });
    let values = |node: &Value| node["values"].as_array().cloned().unwrap_or_default();
    let outcomes: Vec<TemplateResult> = plan["nodes"]
        .as_array()
        .into_iter()
        .flatten()
        .flat_map(values)
        .filter(|value| {
            value["path"]
                .as_str()
                .is_some_and(|path| path.starts_with(place.path()))
        })
        .map(|value| outcome(&value))
        .collect();
    assert_eq!(outcomes.len(), n_templates, "dryrun shows every text");
    outcomes
}

fn definitions(properties: &BTreeMap<String, String>) -> impl Iterator<Item = String> {
    properties
        .iter()
        .flat_map(|(name, value)| ["-D".to_owned(), format!("{name}={value}")])
}

/// Element text is trimmed, so a template with blanks around it would be another one.
fn is_xml_text(text: &str) -> bool {
    !text.is_empty() && text.trim() == text
}

fn hpdlc() -> PathBuf {
    if let Some(path) = env::var_os("HPDLC") {
        return PathBuf::from(path);
    }
    // target/release/deps/properties-HASH
    let own = env::current_exe().expect("a process knows its executable");
    let path = own
        .parent()
        .and_then(Path::parent)
        .expect("cargo puts tests into deps")
        .join("hpdlc");
    assert!(
        path.is_file(),
        "{} is missing: build the package hpdlc first",
        path.display()
    );
    path
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok().map(|text| {
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is no number: {text}"))
    })
}

fn count(number: u64) -> usize {
    usize::try_from(number).expect("it fits")
}
