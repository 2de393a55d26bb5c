use hpdlc_core::el::parser::parse_template;

use super::*;

/// The proofs of cases, one word each: `open`, `never`, `always`, `by N`; and `all` where the default is unreachable.
fn words(cases: &[&str]) -> String {
    let templates: Vec<_> = cases
        .iter()
        .map(|case| parse_template(&format!("${{{case}}}")).unwrap())
        .collect();
    let exprs: Vec<Option<&Expr>> = templates
        .iter()
        .map(|template| template.expressions().next())
        .collect();
    let proofs = prove(&exprs);
    let mut words: Vec<String> = (0..cases.len())
        .map(|at| match proofs.cases.get(&at) {
            None => "open".to_owned(),
            Some(Proof::Never) => "never".to_owned(),
            Some(Proof::Always) => "always".to_owned(),
            Some(Proof::Shadowed(by)) => {
                let by: Vec<String> = by.iter().map(usize::to_string).collect();
                format!("by {}", by.join("+"))
            }
        })
        .collect();
    if proofs.exhaustive.is_some() {
        words.push("all".to_owned());
    }
    words.join(", ")
}

#[track_caller]
fn check(vectors: &[(&[&str], &str)]) {
    for (cases, expected) in vectors {
        assert_eq!(words(cases), *expected, "for {cases:?}");
    }
}

#[test]
fn equal_predicates_shadow_however_they_are_written() {
    check(&[
        (&["x eq 'a'", "x eq 'a'"], "open, by 0"),
        (&["x == 'a'", "('a'  eq x)"], "open, by 0"),
        (&["not (x eq 'a')", "x ne 'a'"], "open, by 0"),
        (&["x eq y", "y == x"], "open, by 0"),
        (&["x lt y", "y gt x"], "open, by 0"),
        (&["wf:conf('a')", "wf:conf(\"a\")"], "open, by 0"),
        (
            &["fs:exists(concat(a, 'b'))", "fs:exists(concat(a,'b'))"],
            "open, by 0",
        ),
        (&["x", "x eq 'true'"], "open, by 0"),
        (&["n gt 2 * 5", "n gt 10"], "open, by 0"),
    ]);
}

#[test]
fn narrower_predicates_are_shadowed() {
    check(&[
        (&["n gt 5", "n gt 10"], "open, by 0"),
        (&["n ge 5", "n eq 7"], "open, by 0"),
        (
            &["fs:fileSize(f) gt 10", "fs:fileSize(f) gt 10 * KB"],
            "open, by 0",
        ),
        (&["a eq 'x'", "a eq 'x' and b eq 'y'"], "open, by 0"),
        (&["a eq 'x' or b eq 'y'", "b eq 'y'"], "open, by 0"),
        (
            &["a eq 'x'", "b eq 'y'", "a eq 'x' and b eq 'y'"],
            "open, open, by 0",
        ),
        (&["x ne 'a'", "x eq 'b'"], "open, by 0"),
        (&["not empty x", "x eq 'b'"], "open, by 0"),
        (&["x ge 'm'", "x gt 'n'"], "open, by 0"),
        (&["n lt 5", "n gt 3", "n eq 4"], "open, open, by 0, all"),
        (&["n lt 5", "n gt 5", "n ne 5"], "open, open, by 0+1"),
        (&["n lt 4", "n gt 6", "n ne 5"], "open, open, open"),
    ]);
}

#[test]
fn wider_and_other_predicates_are_open() {
    check(&[
        (&["n gt 10", "n gt 5"], "open, open"),
        (&["a eq 'x' and b eq 'y'", "a eq 'x'"], "open, open"),
        (&["x eq 'a'", "x eq 'b'"], "open, open"),
        (&["x eq 'a'", "y eq 'a'"], "open, open"),
        (&["x eq 'true'", "x eq 'false'"], "open, open"),
        (&["x", "not x"], "open, open"),
        (&["wf:conf('x') eq ''", "empty wf:conf('x')"], "open, open"),
        (&["x eq '5'", "x eq 5"], "open, open"),
        (&["n lt 5", "n gt 5"], "open, open"),
        (&["n gt 5", "n gt 5.5"], "open, by 0"),
        // A text is compared with a whole number as a whole number.
        (&["n gt 5.5", "n gt 5"], "open, by 0"),
        (
            &["fs:fileSize(f) / 2 gt 5.5", "fs:fileSize(f) / 2 gt 5"],
            "open, open",
        ),
        (
            &[
                "wf:actionData('a')['k'] eq 'x'",
                "wf:actionData('b')['k'] eq 'x'",
            ],
            "open, open",
        ),
    ]);
}

#[test]
fn contradictions_and_tautologies_are_seen() {
    check(&[
        (&["x eq 'a' and x eq 'b'"], "never"),
        (&["n gt 5 and n lt 3"], "never"),
        (&["x ne 'a' or x ne 'b'"], "always"),
        (&["empty x or not empty x"], "always"),
        (&["x eq 'a' and y eq 'b'"], "open"),
        (&["n gt 3 and n lt 5"], "open"),
        (&["x eq 'a' ? y : false"], "open"),
    ]);
}

#[test]
fn pairs_that_cover_everything_leave_nothing_to_the_default() {
    check(&[
        (&["x eq 'a'", "x ne 'a'"], "open, open, all"),
        (&["fs:exists(p)", "not fs:exists(p)"], "open, open, all"),
        (&["empty x", "not empty x"], "open, open, all"),
        (&["n le 5", "n gt 5"], "open, open, all"),
        // A missing value satisfies neither.
        (&["wf:conf('n') le 5", "wf:conf('n') gt 5"], "open, open"),
        (
            &["x eq 'a'", "y eq 'b'", "x ne 'a'"],
            "open, open, open, all",
        ),
    ]);
}

#[test]
fn many_things_are_left_alone() {
    let wide: Vec<String> = (0..12).map(|n| format!("x{n} eq 'a'")).collect();
    let all = wide.join(" and ");
    assert_eq!(words(&[&all, "x0 eq 'a'"]), "open, open");
    assert_eq!(words(&["x0 eq 'a'", &all]), "open, open");
}

#[test]
fn cases_by_the_thousand_end() {
    let join = |case: &dyn Fn(usize) -> String| -> String {
        let cases: Vec<String> = (0..30_000).map(case).collect();
        let cases: Vec<&str> = cases.iter().map(String::as_str).collect();
        words(&cases)
    };
    let all_open = vec!["open"; 30_000].join(", ");
    assert_eq!(join(&|n| format!("x eq 'v{n}'")), all_open);
    assert_eq!(join(&|n| format!("x{n} eq 'a'")), all_open);
    assert_eq!(join(&|n| format!("x{n} eq x{}", n + 1)), all_open);
    assert_eq!(join(&|n| format!("x gt {n}.5")), all_open);
    let chained = join(&|n| format!("x{n} eq 'a' and x{} eq 'a'", n + 1));
    assert_eq!(chained, all_open);
    // Small groups are compared with each other, however many there are.
    let pairs = join(&|n| format!("x{} eq 'a'", n / 2));
    assert!(
        pairs.starts_with("open, by 0, open, by 2"),
        "{}",
        &pairs[..60]
    );
}
