use super::*;

#[test]
fn a_secret_that_contains_another_is_masked_whole() {
    let secrets = Secrets::of([
        ("a.password", "hunter"),
        ("b.password", "hunter-two"),
        ("place", "field"),
    ]);
    assert_eq!(
        secrets.masked("hunter-two and hunter in the field"),
        "******** and ******** in the field"
    );
}

#[test]
fn a_short_secret_is_masked_as_a_word() {
    let secrets = Secrets::of([
        ("c.password", "abc"),
        ("my.token", "7"),
        ("sort.key", "day"),
        ("max.tokens", "10000"),
        ("use.token", "true"),
    ]);
    assert_eq!(
        secrets.masked("abc 'abc' abcd _abc abc=7, 17 a day 10000 true"),
        "******** '********' abcd _abc ********=********, 17 a day 10000 true"
    );
}

#[test]
fn a_secret_is_known_as_others_write_it() {
    let secrets = Secrets::of([("db.password", "p@ss w&rd/1\"\\é")]);
    for text in [
        "p@ss w&rd/1\"\\é",
        "p%40ss%20w%26rd%2F1%22%5C%C3%A9",
        "p%40ss+w%26rd%2f1%22%5c%c3%a9",
        "p@ss w&amp;rd/1&quot;\\é",
        r#"p@ss w&rd\/1\"\\é"#,
    ] {
        assert_eq!(secrets.masked(&format!("<{text}>")), "<********>", "{text}");
    }
    assert_eq!(secrets.masked("p%40ss"), "p%40ss", "a part is none");
}

#[test]
fn each_line_of_a_secret_is_one() {
    let key = "-----BEGIN KEY-----\nMIIEabcd\nQUJD\n-----END KEY-----";
    let secrets = Secrets::of([("ssh.private.key", key)]);
    assert_eq!(secrets.masked("read MIIEabcd!"), "read ********!");
    assert_eq!(secrets.masked(&format!("[{key}]")), "[********]");
    let escaped = key.replace('\n', "\\n");
    assert_eq!(secrets.masked(&format!("[{escaped}]")), "[********]");
}

#[test]
fn the_password_of_an_address_is_a_secret_elsewhere_too() {
    let secrets = Secrets::of([
        ("repository", "https://ann:hunter22@git/a.git"),
        ("db", "jdbc:mysql://h/d?user=a&password=tiger99"),
    ]);
    assert_eq!(
        secrets.masked("hunter22 was refused, tiger99 too"),
        "******** was refused, ******** too"
    );
}

#[test]
fn what_is_added_is_masked() {
    let mut secrets = Secrets::of([("a.password", "one-one")]);
    secrets.add("two-two");
    let mut all = Secrets::default();
    all.extend(&secrets);
    assert_eq!(all.masked("one-one two-two"), "******** ********");
}

#[test]
fn any_text_can_be_looked_through() {
    let secrets = Secrets::of([("a.password", "é%é&"), ("b.token", "é")]);
    for text in [
        "%",
        "%4",
        "\\",
        "\\u00",
        "&",
        "é%",
        "é",
        "://",
        "=",
        "-",
        "a:\"",
        "authorization:",
    ] {
        secrets.masked(text);
    }
}

#[test]
fn one_of_many_is_found_as_it_is_and_encoded() {
    let many: Vec<(String, String)> = (0..2_000)
        .map(|n| (format!("p{n}.password"), format!("s3/cr t&{n}-{n}")))
        .collect();
    let pairs = many.iter().map(|(name, value)| (&**name, &**value));
    let mut secrets = Secrets::of(pairs);
    secrets.extend(&Secrets::of([("a.password", "s3/cr t&17-17-and-more")]));
    for (text, expected) in [
        ("x s3/cr t&17-17 y", "x ******** y"),
        ("x s3/cr t&17-17-and-more y", "x ******** y"),
        ("s3%2Fcr+t%2617-17", "********"),
        ("s3\\/cr t&amp;1999-1999.", "********."),
        ("\\u00733/cr t\\u00265-5", "********"),
        ("s3/cr t&2000-2000", "s3/cr t&2000-2000"),
        ("s3/cr t", "s3/cr t"),
    ] {
        assert_eq!(secrets.without_values(text), expected, "{text}");
    }
}
