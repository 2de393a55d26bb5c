//! Parses a callback's HTTP request: only the query of its request line is used.

use std::io::{BufRead, BufReader, Read};

/// Oozie accepts no longer body (`CallbackServlet`, E0403).
const MAX_BODY: u64 = 2_048;

/// Maximum bytes of the head.
const MAX_HEAD: u64 = 16 * 1024;

/// What was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallbackRequest {
    pub job: String,
    pub node: String,
    pub state: String,
    pub token: String,
    pub content_type: Option<String>,
    /// Invalid UTF-8 is replaced.
    pub body: String,
}

/// Why a request is refused: Oozie's code, and the message.
pub type RequestRefusal = (&'static str, &'static str);

const INVALID: RequestRefusal = ("E0402", "no callback: id, status or token is missing");

/// Reads a request; its body has no effect on the result.
pub(super) fn read(stream: impl Read) -> Result<CallbackRequest, RequestRefusal> {
    let mut reader = BufReader::new(stream.take(MAX_HEAD + MAX_BODY));
    let mut first = String::new();
    reader.read_line(&mut first).map_err(|_| INVALID)?;
    let mut line = String::new();
    let (mut length, mut content_type) = (0, None);
    loop {
        line.clear();
        let n = reader.read_line(&mut line).map_err(|_| INVALID)?;
        if n == 0 || line.trim().is_empty() {
            break;
        }
        let Some((name, value)) = line.split_once(':') else {
            continue;
        };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse::<u64>().unwrap_or(u64::MAX);
        } else if name.eq_ignore_ascii_case("content-type") {
            content_type = Some(value.trim().to_owned());
        }
        if length > MAX_BODY {
            return Err(("E0403", "the body is too long"));
        }
    }
    let request = parse(&first)?;
    let mut body = Vec::new();
    let n_read = reader.take(length).read_to_end(&mut body);
    if n_read.is_err() || u64::try_from(body.len()).unwrap_or(u64::MAX) < length {
        return Err(("E0402", "the body is incomplete"));
    }
    Ok(CallbackRequest {
        content_type,
        body: String::from_utf8_lossy(&body).into_owned(),
        ..request
    })
}

fn parse(first: &str) -> Result<CallbackRequest, RequestRefusal> {
    let mut words = first.split_whitespace();
    let target = match (words.next(), words.next()) {
        (Some("GET" | "POST"), Some(target)) => target,
        (_, _) => return Err(INVALID),
    };
    let (path, query) = target.split_once('?').ok_or(INVALID)?;
    // A reverse proxy in front of the listener may prepend a path.
    if !path.ends_with("/callback") {
        return Err(("E0402", "there is nothing but /callback"));
    }
    let of = |name: &str| {
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        pairs.find_map(|(key, value)| (key == name).then(|| value.into_owned()))
    };
    let id = of("id").ok_or(INVALID)?;
    let (job, node) = id.split_once('@').ok_or(INVALID)?;
    Ok(CallbackRequest {
        job: job.to_owned(),
        node: node.to_owned(),
        state: of("status").ok_or(INVALID)?,
        token: of("token").ok_or(INVALID)?,
        content_type: None,
        body: String::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_callbacks_are_taken() {
        let request = |text: &str| read(text.as_bytes()).map_err(|(code, _)| code);
        let expected = CallbackRequest {
            job: "1-W".to_owned(),
            node: "a b".to_owned(),
            state: "SUCCEEDED".to_owned(),
            token: "ff".to_owned(),
            content_type: None,
            body: String::new(),
        };
        let get =
            "GET /callback?id=1-W@a%20b&status=SUCCEEDED&token=ff HTTP/1.1\r\nHost: x\r\n\r\n";
        assert_eq!(request(get), Ok(expected.clone()));
        let post = "POST /oozie/callback?token=ff&id=1-W%40a+b&status=SUCCEEDED HTTP/1.1\r\nContent-Length: 9\r\ncontent-type: text/plain\r\n\r\nsome text";
        let posted = CallbackRequest {
            content_type: Some("text/plain".to_owned()),
            body: "some text".to_owned(),
            ..expected
        };
        assert_eq!(request(post), Ok(posted));
        assert_eq!(request(&post[..post.len() - 1]), Err("E0402"), "cut short");
        for (bad, code) in [
            ("", "E0402"),
            ("GET /callback HTTP/1.1\r\n\r\n", "E0402"),
            ("GET /callback?id=1-W@a&token=ff HTTP/1.1\r\n\r\n", "E0402"),
            (
                "GET /callback?id=1-W&status=x&token=ff HTTP/1.1\r\n\r\n",
                "E0402",
            ),
            (
                "GET /other?id=1-W@a&status=x&token=ff HTTP/1.1\r\n\r\n",
                "E0402",
            ),
            (
                "PUT /callback?id=1-W@a&status=x&token=ff HTTP/1.1\r\n\r\n",
                "E0402",
            ),
            (
                "POST /callback?id=1-W@a&status=x&token=ff HTTP/1.1\r\ncontent-length: 4096\r\n\r\n",
                "E0403",
            ),
        ] {
            assert_eq!(request(bad), Err(code), "{bad}");
        }
    }
}
