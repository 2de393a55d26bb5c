use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{Properties, parse, parse_captured, store};

fn properties(text: &[u8]) -> Properties {
    parse(text)
        .unwrap_or_else(|malformed| panic!("{}: {malformed:?}", String::from_utf8_lossy(text)))
}

/// Checks pairs of a text and its entries.
#[track_caller]
fn check(vectors: &[(&str, &[(&str, &str)])]) {
    for (text, expected) in vectors {
        let read = properties(text.as_bytes());
        let entries: Vec<_> = read
            .entries
            .iter()
            .map(|entry| (entry.key.as_str(), entry.value.as_str()))
            .collect();
        assert_eq!(entries, *expected, "for {text:?}");
    }
}

/// Each entry with its position and the text in its ranges, then the warnings.
#[track_caller]
fn check_places(bytes: &[u8], expected: Expect) {
    let read = properties(bytes);
    let mut shown = String::new();
    for entry in &read.entries {
        let cut = |range: &std::ops::Range<usize>| {
            String::from_utf8_lossy(&bytes[range.clone()]).into_owned()
        };
        shown += &format!(
            "{}: {:?} {:?} from {:?} {:?}\n",
            entry.line,
            entry.key,
            entry.value,
            cut(&entry.key_range),
            cut(&entry.value_range),
        );
    }
    for warning in &read.warnings {
        shown += &format!(
            "warning {}:{} {:?} {warning}\n",
            warning.line, warning.column, warning.range
        );
    }
    expected.assert_eq(&shown);
}

#[test]
fn separators() {
    check(&[
        ("k=v", &[("k", "v")]),
        ("k:v", &[("k", "v")]),
        ("k v", &[("k", "v")]),
        ("k\tv", &[("k", "v")]),
        ("k\x0cv", &[("k", "v")]),
        ("  k \t = \t v", &[("k", "v")]),
        ("k : v", &[("k", "v")]),
        ("k==v", &[("k", "=v")]),
        ("k=:v", &[("k", ":v")]),
        ("k : = v", &[("k", "= v")]),
        ("k  v = w", &[("k", "v = w")]),
        ("k=v \t", &[("k", "v \t")]),
        ("k", &[("k", "")]),
        ("k=", &[("k", "")]),
        ("k  ", &[("k", "")]),
        ("=v", &[("", "v")]),
        (": v", &[("", "v")]),
        (
            "nameNode=hdfs://host:8020",
            &[("nameNode", "hdfs://host:8020")],
        ),
        ("Hello world", &[("Hello", "world")]),
    ]);
}

#[test]
fn comments_and_blank_lines() {
    check(&[
        ("", &[]),
        ("\n \t\x0c\n\r\n", &[]),
        ("# a=b\n  ! c=d\nk=v", &[("k", "v")]),
        ("k=v # no comment", &[("k", "v # no comment")]),
        ("k#=v", &[("k#", "v")]),
        // A backslash does not continue a comment.
        ("# a\\\nk=v", &[("k", "v")]),
        // A continuation line is not a comment.
        ("k=a\\\n#b", &[("k", "a#b")]),
        ("\\\n# k=v", &[("#", "k=v")]),
    ]);
}

#[test]
fn line_ends_of_all_systems() {
    check(&[
        ("a=1\nb=2\n", &[("a", "1"), ("b", "2")]),
        ("a=1\r\nb=2\r\n", &[("a", "1"), ("b", "2")]),
        ("a=1\rb=2\r", &[("a", "1"), ("b", "2")]),
        ("a=1\n\rb=2", &[("a", "1"), ("b", "2")]),
        ("a=1\\\r\n 2", &[("a", "12")]),
        ("a=1\\\r2", &[("a", "12")]),
    ]);
}

#[test]
fn continuation_lines() {
    check(&[
        ("fruits apple, \\\n    pear", &[("fruits", "apple, pear")]),
        ("k=a\\\n\\\nb", &[("k", "ab")]),
        ("k\\\n=v", &[("k", "v")]),
        ("k=\\\n  v", &[("k", "v")]),
        ("ke\\\n  y=v", &[("key", "v")]),
        // Two backslashes are one backslash, three are one and a continuation.
        ("k=a\\\\\nb=c", &[("k", "a\\"), ("b", "c")]),
        ("k=a\\\\\\\nb", &[("k", "a\\b")]),
        // A blank line ends a continued value.
        ("k=a\\\n\nb=c", &[("k", "a"), ("b", "c")]),
        ("k=a\\\n   \nb=c", &[("k", "a"), ("b", "c")]),
        // So does the end of the file.
        ("k=a\\", &[("k", "a")]),
        ("\\", &[]),
        ("\\\n\nk=v", &[("k", "v")]),
    ]);
}

#[test]
fn escapes() {
    check(&[
        (r"k=\t|\n|\r|\f", &[("k", "\t|\n|\r|\x0c")]),
        (r"k=\\ \a \' \# \: \=", &[("k", "\\ a ' # : =")]),
        (r"a\ b\=c\:d\#e=v", &[("a b=c:d#e", "v")]),
        (r"k=\ v", &[("k", " v")]),
        (r"\#k=v", &[("#k", "v")]),
        // Backslashes in Windows paths are dropped, as in Java.
        (r"path=C:\data\new", &[("path", "C:data\new")]),
        (r"k=\u0041\u00e4\u00E4\u20AC", &[("k", "Aää€")]),
        (r"\u006b=v", &[("k", "v")]),
        (r"k=\u00411", &[("k", "A1")]),
        // An escaped separator is not a separator.
        (r"a\u003db=c", &[("a=b", "c")]),
        (r"k=\uD83D\uDE00!", &[("k", "😀!")]),
        (r"k=\ud83d\ude00", &[("k", "😀")]),
        ("k=\\uD83D\\\n  \\uDE00", &[("k", "😀")]),
        (r"k=\\u12", &[("k", r"\u12")]),
        (r"k=\U0041", &[("k", "U0041")]),
    ]);
}

#[test]
fn malformed_escapes_are_all_reported_with_their_place() {
    let text = "ok=1\n  k\\u12=v\nä=x\\uZZ\\u\nk=a\\\n   \\u00g0\n";
    let errors: Vec<_> = parse(text.as_bytes())
        .unwrap_err()
        .iter()
        .map(|error| {
            assert_eq!(&text[error.range.clone()], error.escape);
            format!("{}:{} {}", error.line, error.column, error.escape)
        })
        .collect();
    assert_eq!(errors, [r"2:4 \u12", r"3:4 \u", r"3:8 \u", r"5:4 \u00"]);
    expect![[r"line 2, column 4: `\u12` is not `\u` with four hexadecimal digits; write `\\` for a backslash"]]
        .assert_eq(&parse(text.as_bytes()).unwrap_err()[0].to_string());
}

#[test]
fn every_entry_keeps_its_place() {
    check_places(
        b"# c\n\n  key = a\\\n   b \r\nempty\n k\\ 2:\\u0041",
        expect![[r#"
            3: "key" "ab " from "key" "a\\\n   b "
            5: "empty" "" from "empty" ""
            6: "k 2" "A" from "k\\ 2" "\\u0041"
        "#]],
    );
}

#[test]
fn a_later_duplicate_wins_with_a_warning() {
    check_places(
        b"a=1\nb=2\n  a=3\na=4",
        expect![[r#"
            1: "a" "1" from "a" "1"
            2: "b" "2" from "b" "2"
            3: "a" "3" from "a" "3"
            4: "a" "4" from "a" "4"
            warning 3:3 10..11 `a` is already set in line 1; the later value counts
            warning 4:1 14..15 `a` is already set in line 1; the later value counts
        "#]],
    );
    assert_eq!(
        properties(b"a=1\na=3")
            .to_map()
            .get("a")
            .map(String::as_str),
        Some("3")
    );
}

#[test]
fn half_a_surrogate_pair_is_replaced_with_a_warning() {
    check_places(
        br"a=\uD83D b=\uDE00\uD83D\u0041",
        expect![[r#"
            1: "a" "� b=��A" from "a" "\\uD83D b=\\uDE00\\uD83D\\u0041"
            warning 1:3 2..8 `\uD83D` is half of a surrogate pair; it is read as U+FFFD
            warning 1:12 11..17 `\uDE00` is half of a surrogate pair; it is read as U+FFFD
            warning 1:18 17..23 `\uD83D` is half of a surrogate pair; it is read as U+FFFD
        "#]],
    );
}

#[test]
fn utf8_is_read_as_such() {
    check_places(
        "# ü\ncity=Zürich ✓\ntown=Köln\n".as_bytes(),
        expect![[r#"
            2: "city" "Zürich ✓" from "city" "Zürich ✓"
            3: "town" "Köln" from "town" "Köln"
            warning 2:7 11..13 text beyond ASCII is read as UTF-8, where Java reads ISO 8859-1; `\uXXXX` is safe in both
        "#]],
    );
}

#[test]
fn what_is_not_utf8_is_read_as_latin1() {
    check_places(
        b"city=Z\xfcrich\nk=v",
        expect![[r#"
            1: "city" "Zürich" from "city" "Z�rich"
            2: "k" "v" from "k" "v"
            warning 1:7 6..7 the file is not valid UTF-8 and is read as ISO 8859-1; `\uXXXX` is safe in both
        "#]],
    );
}

#[test]
fn comments_may_hold_any_text() {
    assert_eq!(properties("# Grüße\nk=v".as_bytes()).warnings, []);
    assert_eq!(properties(b"# Gr\xfc\xdfe\nk=v").warnings, []);
}

#[test]
fn a_byte_order_mark_is_not_part_of_the_first_key() {
    check_places(
        "\u{feff}k=v".as_bytes(),
        expect![[r#"
            1: "k" "v" from "k" "v"
            warning 1:1 0..3 the byte order mark is skipped, where Java makes it part of the first key
        "#]],
    );
}

#[test]
fn captured_output_is_never_refused() {
    let captured = parse_captured("INFO starting\nlines=20000\nINFO C:\\users\\me\ndir=C:\\u12\n");
    let expected: BTreeMap<_, _> = [
        ("INFO", r"C:\usersme"),
        ("lines", "20000"),
        ("dir", r"C:\u12"),
    ]
    .map(|(key, value)| (key.to_owned(), value.to_owned()))
    .into();
    assert_eq!(captured.data, expected);
    let warnings: Vec<_> = captured
        .warnings
        .iter()
        .map(|w| format!("{}:{} {w}", w.line, w.column))
        .collect();
    assert_eq!(
        warnings,
        [
            r"3:8 `\u` is not `\u` with four hexadecimal digits; it is kept as it is",
            r"4:7 `\u12` is not `\u` with four hexadecimal digits; it is kept as it is",
        ]
    );
}

#[test]
fn stored_text_is_sorted_escaped_and_ascii() {
    let properties: BTreeMap<_, _> = [
        ("b key", "  two spaces"),
        ("a=b:c", "x=y:z#!\\"),
        ("control", "\t\n\r\x0c\u{1}\u{7f}"),
        ("unicode", "ä€😀"),
        ("empty", ""),
    ]
    .map(|(key, value)| (key.to_owned(), value.to_owned()))
    .into();
    expect![[r"
        a\=b\:c=x\=y\:z\#\!\\
        b\ key=\  two spaces
        control=\t\n\r\f\u0001\u007F
        empty=
        unicode=\u00E4\u20AC\uD83D\uDE00
    "]]
    .assert_eq(&store(&properties));
}

proptest! {
    #[test]
    fn what_is_stored_reads_back(
        properties in prop::collection::btree_map(any::<String>(), any::<String>(), 0..8)
    ) {
        let read = parse(store(&properties).as_bytes()).map_err(|e| TestCaseError::fail(format!("{e:?}")))?;
        prop_assert_eq!(read.to_map(), properties);
        prop_assert_eq!(read.warnings, vec![]);
    }

    /// Syntax characters are generated far more often than by chance.
    #[test]
    fn any_bytes_are_read_without_panic_and_places_lie_in_the_text(
        bytes in prop::collection::vec(
            prop_oneof![prop::sample::select(b"\\u0D83cE=: \t\n\r#!".to_vec()), any::<u8>()],
            0..64,
        )
    ) {
        if let Ok(read) = parse(&bytes) {
            for entry in &read.entries {
                prop_assert!(bytes.get(entry.key_range.clone()).is_some());
                prop_assert!(bytes.get(entry.value_range.clone()).is_some());
                prop_assert!(entry.key_range.end <= entry.value_range.start);
            }
        }
    }
}
