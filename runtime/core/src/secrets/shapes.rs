//! Secrets detected by the shape of the surrounding text: `scheme://user:SECRET@host`, `password=SECRET` in URLs and arguments,
//! `--password SECRET`, `"token": "SECRET"`, `Authorization: Bearer SECRET`.

use std::ops::Range;

use super::names::tells_secret;

/// A user name of this length without a password is a token, as in `https://TOKEN@git.example.com`.
const TOKEN_LENGTH: usize = 20;

/// Logins and options are searched for within this many bytes, so that crafted text cannot cause quadratic time.
const MOST: usize = 4096;

/// The ranges of secrets in `text`, in order and without overlap.
pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    users_of_addresses(text, &mut found);
    assigned(text, &mut found);
    options(text, &mut found);
    headers(text, &mut found);
    // A template is not a secret value.
    found.retain(|range| !range.is_empty() && !is_template(&text[range.clone()]));
    without_overlap(&mut found);
    found
}

/// Sorts ranges; of those that overlap, the first and longest stays.
pub fn without_overlap(ranges: &mut Vec<Range<usize>>) {
    ranges.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    let mut end = 0;
    ranges.retain(|range| {
        let is_new = range.start >= end;
        end = end.max(range.end);
        is_new
    });
}

/// Only `${...}`.
fn is_template(text: &str) -> bool {
    text.starts_with("${") && text.ends_with('}') && text.matches("${").count() == 1
}

/// The start of `text`, short enough to be scanned at each of many positions.
fn near(text: &str) -> &str {
    &text[..text.floor_char_boundary(MOST)]
}

fn ends_word(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '`' | '|')
}

/// `://user:SECRET@`, and `jdbc:oracle:thin:user/SECRET@`.
fn users_of_addresses(text: &str, found: &mut Vec<Range<usize>>) {
    for (at, _) in text.match_indices("://") {
        let start = at + "://".len();
        let rest = near(&text[start..]);
        let end = rest
            .find(|c| ends_word(c) || matches!(c, '/' | '?' | '#'))
            .unwrap_or(rest.len());
        // A password may contain an unencoded `@`, and even a `/`.
        let Some(last) = rest[..end].rfind('@').or_else(|| late_at(rest)) else {
            continue;
        };
        match rest[..last].find(':') {
            Some(colon) => found.push(start + colon + 1..start + last),
            None if last >= TOKEN_LENGTH && is_web(&text[..at]) => {
                found.push(start..start + last);
            }
            None => {}
        }
    }
    for (at, prefix) in text.match_indices("jdbc:oracle:") {
        let start = at + prefix.len();
        let rest = near(&text[start..]);
        let end = rest.find(ends_word).unwrap_or(rest.len());
        let login = rest[..end].split('@').next().unwrap_or_default();
        if login.len() < end
            && let Some((user, password)) = login.split_once('/')
        {
            let from = start + user.len() + 1;
            found.push(from..from + password.len());
        }
    }
}

/// Whether the text before `://` ends with a web scheme.
fn is_web(before: &str) -> bool {
    before.ends_with("http") || before.ends_with("https")
}

/// The `@` of `user:pass/word@host`, where the password contains a `/`: the part after the colon is not a port then.
fn late_at(rest: &str) -> Option<usize> {
    let end = rest.find(ends_word).unwrap_or(rest.len());
    let word = &rest[..end];
    let (user, more) = word.split_once(':')?;
    if user.contains(['/', '?', '#', '@']) || more.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let at = more.find('@')?;
    // After the path of a URL whose host has no port, an `@` is an ordinary character.
    (!more[..at].contains(['?', '#'])).then(|| user.len() + 1 + at)
}

/// `NAME=SECRET` and `"NAME": "SECRET"`.
fn assigned(text: &str, found: &mut Vec<Range<usize>>) {
    let mut end = 0;
    for (at, sign) in text.match_indices(['=', ':']) {
        if at < end {
            continue;
        }
        let rest = &text[at + 1..];
        let name = name_before(text, at, sign == ":");
        if name.is_empty() || rest.starts_with('=') || !tells_secret(name) {
            continue;
        }
        let start = if sign == ":" {
            let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            if !rest[blanks..].starts_with('"') {
                continue;
            }
            at + 1 + blanks
        } else {
            at + 1
        };
        let value = value(text, start);
        end = value.end;
        found.push(value);
    }
}

/// The name that ends at `at`; quoted in JSON. A path component, such as `/token=5/`, does not count.
fn name_before(text: &str, at: usize, is_quoted: bool) -> &str {
    let before = &text[..at];
    let before = if is_quoted {
        match before.trim_end().strip_suffix('"') {
            Some(before) => before,
            None => return "",
        }
    } else {
        before
    };
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
    let name = before.trim_end_matches(is_part);
    if name.ends_with('/') {
        return "";
    }
    before[name.len()..].trim_start_matches('-')
}

/// The value that starts at `start`: up to its closing quote, or to the end of its word or parameter.
fn value(text: &str, start: usize) -> Range<usize> {
    let rest = &text[start..];
    if let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let inside = &rest[1..];
        let mut is_escaped = false;
        for (at, c) in inside.char_indices() {
            if c == quote && !is_escaped {
                return start + 1..start + 1 + at;
            }
            is_escaped = c == '\\' && !is_escaped;
        }
    }
    if rest.starts_with("${") {
        let end = rest.find('}').map_or(rest.len(), |end| end + 1);
        return start..start + end;
    }
    let end = rest
        .find(|c| ends_word(c) || matches!(c, '&' | ';' | '#'))
        .unwrap_or(rest.len());
    start..start + end
}

/// `--password SECRET`, separated by blanks.
fn options(text: &str, found: &mut Vec<Range<usize>>) {
    let mut last = 0;
    for (at, _) in text.match_indices('-') {
        if at < last {
            continue;
        }
        let is_start = text[..at].chars().next_back().is_none_or(|c| {
            c.is_whitespace() || matches!(c, '"' | '\'' | '>' | '(' | '[' | ',' | '`')
        });
        if !is_start {
            continue;
        }
        let word = &text[at..];
        let end = near(word)
            .find(|c: char| c.is_whitespace() || matches!(c, '"' | '\''))
            .unwrap_or(near(word).len());
        last = at + end;
        if !is_secret_option(&word[..end]) {
            continue;
        }
        let rest = &word[end..];
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t', '"', '\'', ',']).len();
        let next = at + end + blanks;
        if blanks == 0 || text[next..].starts_with('-') {
            continue;
        }
        let quote = rest[..blanks].chars().next_back();
        let tail = &text[next..];
        let length = match quote.filter(|c| matches!(c, '"' | '\'')) {
            Some(quote) => tail.find(quote),
            None => tail.find(ends_word),
        };
        last = next + length.unwrap_or(tail.len());
        found.push(next..last);
    }
}

/// Whether the value after this argument is a secret: `--password`, `-token`.
pub(super) fn is_secret_option(argument: &str) -> bool {
    let name = argument.trim_start_matches('-');
    name.len() < argument.len() && !name.contains('=') && tells_secret(name)
}

/// `Authorization: Basic SECRET`.
fn headers(text: &str, found: &mut Vec<Range<usize>>) {
    const HEADER: &str = "authorization:";
    let mut end = 0;
    for (at, _) in text.match_indices(':') {
        if at < end {
            continue;
        }
        let Some(start) = (at + 1).checked_sub(HEADER.len()) else {
            continue;
        };
        let is_header = text
            .get(start..=at)
            .is_some_and(|header| header.eq_ignore_ascii_case(HEADER));
        if !is_header {
            continue;
        }
        let line = &text[at + 1..];
        let line = &line[..line.find(['\n', '\r', '"', '\'']).unwrap_or(line.len())];
        let blanks = line.len() - line.trim_start().len();
        // The word before the secret is the authentication scheme.
        let kind = line[blanks..].find(' ').map_or(0, |end| end + 1);
        let from = at + 1 + blanks + kind;
        end = at + 1 + line.len();
        found.push(from..end);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MASK, Secrets};

    #[test]
    fn addresses_and_arguments_show_where_their_secrets_are() {
        for (text, expected) in [
            (
                "jdbc:hive2://h:1/db;user=ann;password=a=b;ssl=true",
                "jdbc:hive2://h:1/db;user=ann;password=*;ssl=true",
            ),
            (
                "jdbc:postgresql://h/db?user=ann&password=hunter22",
                "jdbc:postgresql://h/db?user=ann&password=*",
            ),
            (
                "jdbc:derby:db;password=hunter22;create=true",
                "jdbc:derby:db;password=*;create=true",
            ),
            (
                "jdbc:oracle:thin:scott/tiger@//db:1521/x",
                "jdbc:oracle:thin:scott/*@//db:1521/x",
            ),
            (
                "cannot clone https://ann:hunter22@git.example.com/a.git: 404",
                "cannot clone https://ann:*@git.example.com/a.git: 404",
            ),
            (
                "https://ann:p/w@host/x https://ann:p@w@host/x",
                "https://ann:*@host/x https://ann:*@host/x",
            ),
            (
                "https://ghp_0123456789abcdefghij@github.com/a",
                "https://*@github.com/a",
            ),
            ("ssh://git@host/a:b@c", "ssh://git@host/a:b@c"),
            ("hdfs://nn:8020/a@b", "hdfs://nn:8020/a@b"),
            (
                "called http://h/p?id=1&token=abc#x, http://h/?access_token=z",
                "called http://h/p?id=1&token=*#x, http://h/?access_token=*",
            ),
            ("hdfs://nn:8020/password=1", "hdfs://nn:8020/password=1"),
            ("hdfs://nn:8020/day=1", "hdfs://nn:8020/day=1"),
            (
                "import --password hunter22 --table t",
                "import --password * --table t",
            ),
            (
                "import --password 'a b' --table t",
                "import --password '*' --table t",
            ),
            ("[\"--password\", \"x\"]", "[\"--password\", \"*\"]"),
            (
                "import --password-file /x --password --table t",
                "import --password-file /x --password --table t",
            ),
            ("-Ddb.password=x -Dn=1", "-Ddb.password=* -Dn=1"),
            ("DB_PASSWORD='a b' run", "DB_PASSWORD='*' run"),
            (r#"{"token": "a\"b","n":1}"#, r#"{"token": "*","n":1}"#),
            (
                "Authorization: Basic YTpi\nHost: x",
                "Authorization: Basic *\nHost: x",
            ),
            ("${password == 'a'}", "${password == 'a'}"),
            ("password=${db.password}", "password=${db.password}"),
            ("https://a:${pw}@h/", "https://a:${pw}@h/"),
            ("the password: none", "the password: none"),
            ("group.key=day", "group.key=day"),
            ("--", "--"),
        ] {
            let expected = expected.replace('*', MASK);
            assert_eq!(Secrets::default().masked(text), expected, "{text}");
        }
    }
}
