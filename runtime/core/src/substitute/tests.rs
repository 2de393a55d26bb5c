use super::*;

const PROPERTIES: &[(&str, &str)] = &[
    ("empty", ""),
    ("env", "prod"),
    ("queue_prod", "fast"),
    ("base", "/data/${env}"),
    ("logs", "${base}/logs"),
    ("a.b-c", "dotted"),
    ("expression", "${wf:conf('env')}"),
    ("opening", "${"),
    ("env()", "odd"),
    ("self", "x${self}"),
    ("ping", "${pong}"),
    ("pong", "${ping}"),
];

fn lookup(name: &str) -> Option<&'static str> {
    PROPERTIES
        .iter()
        .find(|(key, _)| *key == name)
        .map(|(_, value)| *value)
}

#[track_caller]
fn check(vectors: &[(&str, &str)]) {
    for (value, expected) in vectors {
        let actual = substitute(value, lookup).unwrap_or_else(|error| error.to_string());
        assert_eq!(actual, *expected, "for `{value}`");
    }
}

#[test]
fn references_to_properties_are_replaced() {
    check(&[
        ("", ""),
        ("plain", "plain"),
        ("${env}", "prod"),
        ("<${env}|${env}>", "<prod|prod>"),
        ("${empty}", ""),
        ("${a.b-c}", "dotted"),
        ("${logs}/x", "/data/prod/logs/x"),
        ("grüße ${env} ✓", "grüße prod ✓"),
        // Hadoop accepts any name; a property with exactly that name is used.
        ("${env()}", "odd"),
        // Its pattern has no escape syntax either.
        ("\\${env}", "\\prod"),
    ]);
}

#[test]
fn names_may_be_composed() {
    check(&[
        ("${queue_${env}}", "fast"),
        ("${queue_${nope}}", "${queue_${nope}}"),
    ]);
}

#[test]
fn what_is_no_property_stays_and_does_not_stop_the_scan() {
    check(&[
        ("${nope} ${env}", "${nope} prod"),
        ("${wf:id()}/${env}", "${wf:id()}/prod"),
        ("${wf:conf('env')} ${1 + 1}", "${wf:conf('env')} ${1 + 1}"),
        ("${ env }", "${ env }"),
        ("${}", "${}"),
        ("${env", "${env"),
        ("$env} $ {env} }", "$env} $ {env} }"),
        ("$${env}", "$prod"),
        ("${'${'}env}", "${'${'}env}"),
        ("#{env}", "#{env}"),
    ]);
}

#[test]
fn inserted_text_is_not_read_again() {
    check(&[
        ("${expression}", "${wf:conf('env')}"),
        ("${opening}env}", "${env}"),
    ]);
}

#[test]
fn cycles_are_named() {
    check(&[
        (
            "${self}",
            "variable substitution depth too large: a property refers to itself: `self` -> `self`",
        ),
        (
            "${env}${ping}",
            "variable substitution depth too large: a property refers to itself: `ping` -> `pong` -> `ping`",
        ),
    ]);
}

/// `p00` refers to `p01` and so on; the last of `n` properties is plain text.
fn staircase(n: usize) -> BTreeMap<String, String> {
    (0..n)
        .map(|step| {
            let value = if step + 1 == n {
                "end".to_owned()
            } else {
                format!("${{p{:05}}}", step + 1)
            };
            (format!("p{step:05}"), value)
        })
        .collect()
}

#[test]
fn twenty_levels_pass_and_one_more_does_not() {
    // Twenty references require twenty-one properties.
    let resolved = resolve_all(&staircase(21)).unwrap();
    assert!(resolved.values().all(|value| value == "end"));
    let error = resolve_all(&staircase(22)).unwrap_err();
    assert!(
        matches!(&error, SubstituteError::TooDeep { chain } if chain.len() == 22),
        "{error}"
    );

    let properties = staircase(21);
    let lookup = |name: &str| properties.get(name).map(String::as_str);
    assert_eq!(substitute("${p00001}", lookup).as_deref(), Ok("end"));
    let error = substitute("${p00000}", lookup).unwrap_err();
    assert!(
        matches!(&error, SubstituteError::TooDeep { chain } if chain.len() == 21),
        "{error}"
    );
}

#[test]
fn depth_does_not_depend_on_what_was_finished_before() {
    // In reverse order, so that every value is memoized when the next one refers to it.
    let rising: BTreeMap<String, String> = (0..22)
        .map(|step: usize| {
            let value = step
                .checked_sub(1)
                .map_or("end".to_owned(), |below| format!("${{p{below:02}}}"));
            (format!("p{step:02}"), value)
        })
        .collect();
    let error = resolve_all(&rising).unwrap_err();
    let SubstituteError::TooDeep { chain } = &error else {
        panic!("{error}")
    };
    assert_eq!(chain.first().map(String::as_str), Some("p21"));
    assert_eq!(chain.last().map(String::as_str), Some("p00"));
}

#[test]
fn a_chain_of_thousands_is_an_error_and_not_a_stack_overflow() {
    assert!(matches!(
        resolve_all(&staircase(50_000)),
        Err(SubstituteError::TooDeep { .. })
    ));
}

#[test]
fn doubling_at_every_level_is_stopped() {
    let mut properties = BTreeMap::from([("p00".to_owned(), "x".repeat(1000))]);
    for level in 1..=20 {
        let reference = format!("${{p{:02}}}", level - 1);
        properties.insert(format!("p{level:02}"), reference.repeat(10));
    }
    assert!(matches!(
        resolve_all(&properties),
        Err(SubstituteError::TooLong { .. })
    ));

    // Each value is short enough, but not all of them together.
    let mut many = BTreeMap::from([("a".to_owned(), "x".repeat(limits::MAX_TEXT / 2))]);
    for number in 0..20 {
        many.insert(format!("b{number:02}"), "${a}".to_owned());
    }
    let error = resolve_all(&many).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("references between properties make more than 64 MiB"),
        "{error}"
    );

    // A single value that is too long.
    let long = BTreeMap::from([("a".to_owned(), "x".repeat(limits::MAX_TEXT + 1))]);
    assert!(matches!(
        resolve_all(&long),
        Err(SubstituteError::TooLong { chain }) if chain == ["a"]
    ));

    // The same tree with empty leaves is accepted, and fast although it has 10^20 paths.
    properties.insert("p00".to_owned(), String::new());
    assert_eq!(
        resolve_all(&properties)
            .unwrap()
            .get("p20")
            .map(String::as_str),
        Some("")
    );
}
