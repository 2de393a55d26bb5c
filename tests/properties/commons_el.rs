//! Property test: the expression language is that of commons-el 1.0. Random templates, and texts that are nearly templates,
//! are evaluated by both.
//!
//! The jars come from Maven's cache or, once, from its repository; without Maven or a Java compiler the test says so and
//! passes.

use std::{
    fs,
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

use hpdlc_tests::java;

use crate::{TemplateResult, count, evaluate, number, templates::Templates, templates::properties};

const PROJECT: &str = "<project xmlns=\"http://maven.apache.org/POM/4.0.0\">
  <modelVersion>4.0.0</modelVersion>
  <groupId>oracle</groupId><artifactId>oracle</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>commons-el</groupId><artifactId>commons-el</artifactId><version>1.0</version></dependency>
    <dependency><groupId>javax.servlet</groupId><artifactId>jsp-api</artifactId><version>2.0</version></dependency>
  </dependencies>
</project>
";

#[test]
fn commons_el_gives_the_same() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("properties/Oracle.java");
    let Some(classes) = java::compiled(folder.path(), PROJECT, &source) else {
        println!("skipped: Maven and a Java compiler are needed to ask commons-el");
        return;
    };
    let n_cases = count(number("HPDL_CASES").unwrap_or(3_000));
    let mut random = Templates::new(number("HPDL_SEED").unwrap_or(1));
    let templates: Vec<String> = (0..n_cases)
        .map(|at| match at % 4 {
            0 | 1 => random.template(),
            2 => random.mutated(),
            _ => random.nonsense(),
        })
        // Only hpdlc knows this function of Oozie.
        .filter(|text| !text.contains("appendAll") && !text.contains('\n'))
        .collect();
    let ours = evaluate(&templates, &properties());
    let theirs = asked(folder.path(), &classes, &templates);
    assert_eq!(ours.len(), theirs.len());
    let different: Vec<String> = templates
        .iter()
        .zip(ours.iter().zip(&theirs))
        .filter(|(_, (ours, theirs))| match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => ours != theirs,
            (Err(_), Err(_)) => false,
            (Ok(_), Err(_)) | (Err(_), Ok(_)) => true,
        })
        .map(|(text, (ours, theirs))| format!("{text}\n    ours   {ours:?}\n    theirs {theirs:?}"))
        .collect();
    assert!(
        different.is_empty(),
        "{} of {n_cases} differ:\n{}",
        different.len(),
        different.join("\n")
    );
    let n_values = theirs.iter().filter(|outcome| outcome.is_ok()).count();
    assert!(n_values * 4 > theirs.len(), "{n_values} have values");
}

fn asked(folder: &Path, classes: &str, templates: &[String]) -> Vec<TemplateResult> {
    let lines: String = properties()
        .iter()
        .map(|(name, value)| format!("{name}={}\n", value.replace('\\', "\\\\")))
        .collect();
    fs::write(folder.join("job.properties"), lines).expect("writes");
    let mut child = Command::new("java")
        .args(["-cp", classes, "Oracle", "job.properties"])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("where there is a Java compiler, there is Java");
    let mut stdin = child.stdin.take().expect("a pipe");
    let lines: String = templates.iter().map(|text| format!("{text}\n")).collect();
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let output = child.wait_with_output().expect("Java ends");
    writer
        .join()
        .expect("the writer does not panic")
        .expect("the oracle reads every line");
    assert!(output.status.success(), "Java ended with {}", output.status);
    let answers = String::from_utf8(output.stdout).expect("hexadecimal digits");
    answers
        .lines()
        .map(|line| {
            let (kind, digits) = line.split_at(1);
            let text = java::text_of(digits);
            if kind == "v" { Ok(text) } else { Err(text) }
        })
        .collect()
}
