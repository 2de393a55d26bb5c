//! Texts that specify instances, and instances that cannot be there.

use super::*;

#[test]
fn single_instances() {
    for (instance, of_input, of_output) in [
        ("${coord:current(0)}", &[][..], &[][..]),
        ("${coord:current(-(coord:hoursInDay(0) - 24))}", &[], &[]),
        ("${coord:offset(-1, 'DAY')}", &[], &[]),
        ("2026-01-01T00:00Z", &[], &[]),
        ("${when}", &[], &[]),
        ("${late ? coord:current(-1) : coord:current(0)}", &[], &[]),
        ("${coord:latest(0)}", &[], &["H0713 coord:latest"]),
        ("${coord:future(1, 5)}", &[], &["H0713 coord:future"]),
        (
            "${coord:endOfDays(0)}",
            &["H0713 coord:endOfDays"],
            &["H0713 coord:endOfDays"],
        ),
        ("${coord:latest(1)}", &["H0715 1"], &["H0713 coord:latest"]),
        (
            "${coord:offset(1, 'days')}",
            &["H0715 'days'"],
            &["H0715 'days'"],
        ),
        ("", &["H0712 "], &["H0712 "]),
        (
            "${coord:current(0)}${coord:current(1)}",
            &["H0712 ${coord:current(0)}${coord:current(1)}"],
            &["H0712 ${coord:current(0)}${coord:current(1)}"],
        ),
        (
            "${coord:nominalTime()}",
            &["H0718 coord:nominalTime"],
            &["H0718 coord:nominalTime"],
        ),
        ("tomorrow", &["H0704 tomorrow"], &["H0704 tomorrow"]),
    ] {
        let right = "<instance>${coord:current(0)}</instance>";
        let tried = format!("<instance>{instance}</instance>");
        check(&of_sections(events(&tried, right)), &[], of_input);
        check(&of_sections(events(right, &tried)), &[], of_output);
    }
}

#[test]
fn instances_that_the_action_itself_writes() {
    const OWN: &str = "own_output_inputs ";
    for (input, output, is_reported) in [
        ("current(0)", "current(0)", true),
        ("current(1)", "current(0)", true),
        ("current(-1)", "current(0)", false),
        ("current(-1)", "current(-1)", true),
        ("offset(0, 'DAY')", "current(0)", true),
        ("offset(1, 'DAY')", "offset(24, 'HOUR')", false),
        ("offset(60, 'MINUTE')", "offset(1, 'HOUR')", true),
        ("latest(0)", "current(0)", false),
        ("current(n)", "current(0)", false),
    ] {
        let input = format!("${{coord:{input}}}");
        let instance = format!("<instance>{input}</instance>");
        let output = format!("<instance>${{coord:{output}}}</instance>");
        let sections = events(&instance, &output).replace("dataset='e'", "dataset='d'");
        let expected = is_reported.then(|| format!("{OWN}{input}"));
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        check(&of_sections(sections), &[], &expected);
    }
    let range = "<start-instance>${coord:current(-3)}</start-instance><end-instance>${coord:current(0)}</end-instance>";
    let output = "<instance>${coord:current(0)}</instance>";
    let sections = events(range, output).replace("/e/", "/d/");
    let expected = ["own_output_inputs ${coord:current(0)}"];
    check(&of_sections(sections.clone()), &[], &expected);
    let checked = sections.replacen(
        "</uri-template>",
        "</uri-template><done-flag>_CHECKED</done-flag>",
        1,
    );
    check(&of_sections(checked), &[], &[]);
    let usual = sections.replacen(
        "</uri-template>",
        "</uri-template><done-flag>_SUCCESS</done-flag>",
        1,
    );
    check(&of_sections(usual), &[], &expected);
    let optional = "<input-logic><or><data-in dataset='i'/></or></input-logic></input-events>";
    let sections = sections.replace("</input-events>", &format!("</input-events>{optional}"));
    let sections = sections.replace("</input-logic></input-events>", "</input-logic>");
    check(&of_sections(sections), &[], &[]);
}

#[test]
fn datasets_that_begin_after_the_end() {
    for (initial, instance, expected) in [
        ("2027-01-01T00:00Z", "current(0)", true),
        ("2026-12-31T00:00Z", "current(0)", false),
        ("2028-01-01T00:00Z", "current(1)", false),
        ("2028-01-01T00:00Z", "latest(0)", false),
        ("2028-01-01T00:00Z", "offset(-1, 'DAY')", true),
    ] {
        let instance = format!("<instance>${{coord:{instance}}}</instance>");
        let output = "<instance>${coord:current(0)}</instance>";
        let sections = events(&instance, output).replacen("2026-01-01T00:00Z", initial, 1);
        let expected: &[&str] = if expected {
            &["late_initial_instances d"]
        } else {
            &[]
        };
        check(&of_sections(sections), &[], expected);
    }
}

#[test]
fn ranges_of_instances() {
    for (start, end, expected) in [
        ("coord:current(-23)", "coord:current(0)", &[][..]),
        (
            "coord:current(0)",
            "coord:current(coord:daysInMonth(0) * 24 - 1)",
            &[],
        ),
        ("coord:latest(-3)", "coord:latest(0)", &[]),
        ("coord:future(0, 9)", "coord:future(3, 9)", &[]),
        ("coord:offset(-1, 'DAY')", "coord:offset(-1, 'HOUR')", &[]),
        (
            "coord:absolute('2026-01-01T00:00Z')",
            "coord:current(0)",
            &[],
        ),
        ("coord:endOfMonths(-1)", "coord:current(0)", &[]),
        ("coord:current(n)", "coord:current(0)", &[]),
        (
            "coord:current(0)",
            "coord:current(-1)",
            &["H0714 ${coord:current(0)}"],
        ),
        (
            "coord:offset(-1, 'HOUR')",
            "coord:offset(-90, 'MINUTE')",
            &["H0714 ${coord:offset(-1, 'HOUR')}"],
        ),
        (
            "coord:current(0)",
            "coord:latest(0)",
            &["H0714 ${coord:latest(0)}"],
        ),
        (
            "coord:absolute('2026-01-01T00:00Z')",
            "coord:absolute('2026-01-02T00:00Z')",
            &["H0714 ${coord:absolute('2026-01-02T00:00Z')}"],
        ),
        (
            "coord:absolute('soonZ')",
            "coord:current(0)",
            &["H0715 'soonZ'"],
        ),
    ] {
        let range = format!(
            "<start-instance>${{{start}}}</start-instance><end-instance>${{{end}}}</end-instance>"
        );
        let output = "<instance>${coord:current(0)}</instance>";
        check(&of_sections(events(&range, output)), &[], expected);
    }
}
