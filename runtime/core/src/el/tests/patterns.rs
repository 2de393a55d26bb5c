//! Java's regular expressions.

use proptest::prelude::*;

use crate::el::regex::JavaRegex;

#[track_caller]
fn check_replace(vectors: &[(&str, &str, &str, &str)]) {
    for (pattern, text, replacement, expected) in vectors {
        let replaced = JavaRegex::new(pattern)
            .and_then(|regex| regex.replace_all(text, replacement))
            .unwrap_or_else(|error| format!("error: {error}"));
        assert_eq!(&replaced, expected, "{pattern:?} in {text:?}");
    }
}

/// Checks that every match is replaced by `_`.
#[track_caller]
fn check_matches(vectors: &[(&str, &str, &str)]) {
    for (pattern, text, expected) in vectors {
        check_replace(&[(pattern, text, "_", expected)]);
    }
}

#[test]
fn predefined_classes_are_ascii() {
    check_matches(&[
        (r"\d", "1\u{663}", "_\u{663}"),
        (r"\D", "1\u{663}", "1_"),
        (r"\w+", "aé_1", "_é_"),
        (r"\W", "aé", "a_"),
        (r"\s", " \t\u{A0}\u{B}", "__\u{A0}_"),
        (r"\S", " \u{A0}", " _"),
        (r"\h", " \t\u{A0}a", "___a"),
        (r"\H", " a", " _"),
        (r"\v", "\n\u{B}\u{2028}v", "___v"),
        // Unlike `\w`, up to JDK 18.
        (r"\bé", "é", "_"),
        (r"\B", "éa", "é_a"),
        (r"(?!b)+a", "ba", "b_"),
        (r"^*a", "aa", "__"),
        (r"\Ga", "aaba", "__ba"),
        (r"\b", "ab c", "_ab_ _c_"),
        (r"\B", "ab", "a_b"),
        (r"\p{Lower}", "aéA", "_éA"),
        (r"\p{Alpha}+", "aéA", "_é_"),
        (r"\P{Alpha}", "a1", "a_"),
        (r"\p{Punct}", "a$+<~b", "a____b"),
        (r"\p{L}", "aé1", "__1"),
        (r"\pL", "aé1", "__1"),
        (r"\p{Lu}", "aÉ", "a_"),
        (r"\p{IsGreek}", "aα", "a_"),
        (r"\p{script=Greek}", "aα", "a_"),
        (r"\p{IsAlphabetic}", "1é", "1_"),
        (r"\p{javaLowerCase}", "Aé", "A_"),
        (r"(?U)\w", "é-", "_-"),
        (r"(?U)\d", "\u{663}", "_"),
        (r"\R", "a\r\nb\nc\u{85}", "a_b_c_"),
    ]);
}

#[test]
fn case_folds_in_ascii_unless_asked() {
    check_matches(&[
        ("(?i)ab", "AB aB", "_ _"),
        ("(?i)é", "éÉ", "_É"),
        ("(?iu)é", "éÉ", "__"),
        ("(?i)[a-c]", "aBd", "__d"),
        ("(?i)[^a-c]", "aBd", "aB_"),
        ("(?iu)[é]", "éÉ", "__"),
        ("(?i)k", "k\u{212A}", "_\u{212A}"),
        ("a(?i)b", "aB AB", "_ AB"),
        ("(?i:a)b", "Ab AB", "_ AB"),
        ("(?:(?i)a)b", "Ab AB", "_ AB"),
        ("(?i)a|b", "AB", "__"),
        ("(?i)a(?-i)b", "Ab AB", "_ AB"),
    ]);
}

#[test]
fn lines_end_as_in_java() {
    check_matches(&[
        (".", "a\r\n\u{85}\u{2028}b", "_\r\n\u{85}\u{2028}_"),
        ("(?s).", "a\n", "__"),
        ("(?d).", "\r\n", "_\n"),
        ("^a$", "a\n", "_\n"),
        ("^a$", "a\r\n", "_\r\n"),
        ("^a$", "a\n\n", "a\n\n"),
        ("a$", "a\u{2029}", "_\u{2029}"),
        ("(?d)a$", "a\r", "a\r"),
        (r"a\Z", "a\n", "_\n"),
        (r"a\z", "a\n", "a\n"),
        ("^", "a\nb", "_a\nb"),
        ("(?m)^", "a\nb\r\nc\n", "_a\n_b\r\n_c\n"),
        ("(?m)$", "a\r\nb", "a_\r\nb_"),
        ("(?m)^", "", ""),
        ("(?dm)^", "a\rb\nc", "_a\rb\n_c"),
    ]);
}

#[test]
fn escapes_are_characters() {
    check_matches(&[
        (r"\Q.*\E+", ".** .x", "_ .x"),
        (r"\Qa", "a", "_"),
        (r"[\Q^]\E]", "]^a", "__a"),
        (r"\\Q", "\\Q", "_"),
        (r"\cA", "\u{1}", "_"),
        (r"\0101", "A", "_"),
        (r"\0777", "\u{3F}7", "_"),
        (r"\x41\x{1F600}", "A\u{1F600}", "_"),
        (r"\u0041\uD83D\uDE00", "A\u{1F600}", "_"),
        (r"\t\e\a\f", "\t\u{1B}\u{7}\u{C}", "_"),
        (r"\.\-\/\$", ".-/$", "_"),
        ("-~#&", "-~#&", "_"),
        ("é", "é", "_"),
        ("}", "}", "_"),
        ("]", "]", "_"),
    ]);
}

#[test]
fn classes_have_unions_and_intersections() {
    check_matches(&[
        ("[abc]", "abd", "__d"),
        ("[^abc]", "abd", "ab_"),
        ("[a-d[m-p]]", "amz", "__z"),
        ("[a-z&&[def]]", "adz", "a_z"),
        ("[a-z&&[^bc]]", "abz", "_b_"),
        ("[^a-z&&[def]]", "adA", "_d_"),
        ("[a-z&&def]", "adz", "a_z"),
        ("[a-z&&[a-m]&&[k-z]]", "akmz", "a__z"),
        ("[]a]", "]a", "__"),
        ("[^]a]", "]ab", "]a_"),
        ("[a-]", "a-b", "__b"),
        ("[-a]", "a-b", "__b"),
        ("[a^]", "a^", "__"),
        ("[.*$]", ".*$a", "___a"),
        ("[a&b]", "a&b", "___"),
        (r"[\d-x]", "1-x", "___"),
        (r"[\D]", "1x", "1_"),
        (r"[\w&&[^\d]]", "a1", "_1"),
        (r"[\p{Upper}\s]", "A b", "__b"),
        ("[[:alpha:]]", ":alph", "_____"),
        ("[[:alpha:]&&[:a]]", ":alph", "__lph"),
        ("[[:]]", ":a", "_a"),
        ("[^[:a]]", ":ab", ":a_"),
        ("[~~]", "~a", "_a"),
        ("[+--]", "+,-.", "___."),
        (r"[\P{L}\P{N}]", "a1", "__"),
        (r"[^\p{L}\p{N}]", "a1-", "a1_"),
    ]);
}

#[test]
fn groups_and_quantifiers() {
    check_matches(&[
        ("a{2,3}", "aaaaa", "__"),
        ("a{2}", "aaa", "_a"),
        ("a{1,}?", "aa", "__"),
        ("a++b", "aab", "_"),
        ("a++a", "aaa", "aaa"),
        ("a{1,2}+a", "aa", "aa"),
        ("(?>a|ab)c", "abc", "abc"),
        (r"(a)\1", "aab", "_b"),
        (r"(a)\11", "aa1", "_"),
        (r"(?<x>a)\k<x>", "aab", "_b"),
        ("(?<=a)b", "ab b", "a_ b"),
        ("(?<!a)b", "ab b", "ab _"),
        ("a(?=b)", "ab ac", "_b ac"),
        ("a(?!b)", "ab ac", "ab _c"),
        ("(?x) a b # comment\n c", "abc", "_"),
        ("(?x)a +", "aa", "_"),
        ("(?x)[ a b ]", "a b", "_ _"),
        (r"\Ga", "aaba", "__ba"),
        ("a|", "ab", "__b_"),
        ("(?:)a", "a", "_"),
    ]);
}

#[test]
fn empty_matches_beside_matches_count() {
    check_matches(&[
        ("a*", "aab", "__b_"),
        ("x*", "abc", "_a_b_c_"),
        ("", "é\u{1F600}", "_é_\u{1F600}_"),
    ]);
}

#[test]
fn replacements_are_read_as_in_java() {
    check_replace(&[
        ("(a)(b)", "ab", "$2$1", "ba"),
        ("(a)", "a", "$1x", "ax"),
        ("(a)", "a", "$10", "a0"),
        ("(a)", "a", "$0$0", "aa"),
        ("(a)|b", "ab", "[$1]", "[a][]"),
        ("(?<n>a)", "a", "${n}${n}", "aa"),
        ("a", "a", r"\$1\\", r"$1\"),
        ("a", "a", r"\n", "n"),
        (
            "a",
            "a",
            "$1",
            "error: replacement `$1`: there is no group 1",
        ),
        (
            "a",
            "a",
            "${n}",
            "error: replacement `${n}`: no group has the name `n`",
        ),
        (
            "a",
            "a",
            "$",
            "error: replacement `$`: expected a group number or name after `$`, found the end",
        ),
        (
            "a",
            "a",
            "$x",
            "error: replacement `$x`: expected a group number or name after `$`, found `x`",
        ),
        (
            "a",
            "a",
            "\\",
            "error: replacement `\\`: expected a character after `\\`, found the end",
        ),
        ("a", "b", "$1", "b"),
    ]);
}

#[test]
fn split_drops_trailing_empties() {
    for (pattern, text, expected) in [
        (",", "a,b,,", vec!["a", "b"]),
        (",", ",a", vec!["", "a"]),
        (",", "", vec![""]),
        (",", ",", vec![]),
        (",", "ab", vec!["ab"]),
        ("", "abc", vec!["a", "b", "c"]),
        ("(?=b)", "abab", vec!["a", "ba", "b"]),
        (r"\s*,\s*", "a , b,c", vec!["a", "b", "c"]),
        ("x*", "axb", vec!["a", "", "b"]),
        ("[|]", "a|b", vec!["a", "b"]),
    ] {
        let regex = JavaRegex::new(pattern).expect("the pattern is valid");
        assert_eq!(regex.split(text), Ok(expected), "{pattern:?} in {text:?}");
    }
}

#[test]
fn what_java_refuses_or_has_no_equal_is_an_error() {
    for pattern in [
        "(",
        ")",
        "a)",
        "[",
        "[a",
        "[]",
        "[^]",
        "*",
        "+a",
        "a**",
        "a{,3}",
        "a{2",
        "a{",
        "{",
        "a{3,2}",
        "a{99999999999}",
        r"\",
        r"\y",
        r"\E",
        r"\X",
        r"\N{DIGIT ONE}",
        r"\b{g}",
        "(?<a_1>x)",
        "(?<>x)",
        "(?<1>x)",
        "(?<a>x)(?<a>y)",
        r"\k<a>",
        r"\1",
        r"(a)\2",
        r"(?i)(a)\1",
        "(?z)",
        "(?i",
        "(?",
        "(?#x)",
        r"\p{InGreek}",
        r"\p{Nope}",
        r"\p{IsNope}",
        r"\p{",
        r"\p",
        r"(?i)\p{Lower}",
        r"\x4",
        r"\x{110000}",
        r"\u12",
        r"\uD800",
        r"\08",
        r"\c",
        "[b-a]",
        r"[a-\d]",
        "[a&&]",
        "[&&a]",
        r"[\b]",
        "(?i)*",
        r"\p{Cs}",
    ] {
        let result = JavaRegex::new(pattern);
        assert!(result.is_err(), "{pattern:?} gave {result:?}");
    }
}

#[test]
fn deep_patterns_are_an_error() {
    for repeated in ["(", "[", "(?:"] {
        let error = JavaRegex::new(&repeated.repeat(100_000)).expect_err("it is too deep");
        assert!(
            error
                .message
                .ends_with("expected at most 50 levels of nesting, found more")
        );
    }
}

#[test]
fn endless_backtracking_is_an_error() {
    let regex = JavaRegex::new(r"^(?:(a|aa)+)\1c").expect("the pattern is valid");
    let text = format!("{}bc", "a".repeat(60));
    assert!(regex.replace_all(&text, "x").is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_pattern_works_or_is_refused(pattern in "\\PC{0,12}", text in "\\PC{0,8}") {
        if let Ok(regex) = JavaRegex::new(&pattern) {
            let _ = regex.replace_all(&text, "$0");
            let _ = regex.split(&text);
        }
    }

    #[test]
    fn replacing_by_the_match_changes_nothing(
        pattern in "([a-c.^$*+?|]|[(][?:=!<>i]{0,2}|[)]|\\[|\\]|&&|-|:|\\{[0-3],?[0-3]?\\}|\\\\[dDwWsSbBhHvVRAzZGQEpnux1-3]){0,12}",
        text in "[a-c\r\n1 ]{0,8}"
    ) {
        if let Ok(regex) = JavaRegex::new(&pattern)
            && let Ok(replaced) = regex.replace_all(&text, "$0")
        {
            prop_assert_eq!(replaced, text);
        }
    }

    #[test]
    fn quoted_text_matches_itself(text in "[^\\\\]{1,8}") {
        let regex = JavaRegex::new(&format!("\\Q{text}\\E")).expect("quoted text is a pattern");
        prop_assert_eq!(regex.replace_all(&text, ""), Ok(String::new()));
    }
}
