//! The character set that a message declares. What is sent is UTF-8, a superset of ASCII.

/// `content_type` with the character set in which `body` is sent: the declared one, if the bytes are the same in it.
pub(super) fn with_charset(content_type: &str, body: &str) -> String {
    let mut parts: Vec<String> = parameters(content_type)
        .into_iter()
        .map(|part| part.trim().to_owned())
        .collect();
    let named = parts
        .iter()
        .skip(1)
        .position(|part| charset(part).is_some())
        .map(|at| at + 1);
    match named {
        None => parts.push("charset=utf-8".to_owned()),
        Some(at) => {
            let is_right = charset(&parts[at]).is_some_and(|name| is_same(name, body));
            if !is_right {
                parts[at] = "charset=utf-8".to_owned();
            }
        }
    }
    parts.join("; ")
}

/// The type, and each of its parameters.
fn parameters(content_type: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut begin, mut is_quoted) = (0, false);
    for (at, character) in content_type.char_indices() {
        match character {
            '"' => is_quoted = !is_quoted,
            ';' if !is_quoted => {
                parts.push(&content_type[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&content_type[begin..]);
    parts
}

/// The name of the character set, if the parameter is one.
fn charset(parameter: &str) -> Option<&str> {
    let (name, value) = parameter.split_once('=')?;
    name.trim()
        .eq_ignore_ascii_case("charset")
        .then(|| value.trim().trim_matches('"'))
}

/// Whether the bytes of `body` mean the same in that character set.
fn is_same(name: &str, body: &str) -> bool {
    let name = name.to_ascii_lowercase();
    if ["utf-8", "utf8"].contains(&&*name) {
        return true;
    }
    // Encodings with wider units are no supersets of ASCII.
    body.is_ascii() && !name.starts_with("utf") && !name.starts_with("ucs")
}

#[cfg(test)]
mod tests {
    use super::with_charset;

    #[test]
    fn a_message_says_what_it_is_sent_in() {
        for (content_type, body, expected) in [
            ("text/plain", "ü", "text/plain; charset=utf-8"),
            ("text/html ;charset=UTF-8", "ü", "text/html; charset=UTF-8"),
            (
                "text/plain; charset=iso-8859-1",
                "u",
                "text/plain; charset=iso-8859-1",
            ),
            (
                "text/plain; Charset=\"iso-8859-1\"; format=flowed",
                "ü",
                "text/plain; charset=utf-8; format=flowed",
            ),
            (
                "text/plain; charset=utf-16",
                "u",
                "text/plain; charset=utf-8",
            ),
            (
                "text/x-charset; a=\"b; charset=x\"",
                "u",
                "text/x-charset; a=\"b; charset=x\"; charset=utf-8",
            ),
            ("nonsense", "u", "nonsense; charset=utf-8"),
        ] {
            assert_eq!(
                with_charset(content_type, body),
                expected,
                "{content_type} {body}"
            );
        }
    }
}
