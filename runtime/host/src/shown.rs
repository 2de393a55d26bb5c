//! The output of the process: everything passes through here on its way to a terminal, a file or another program.
//!
//! Secrets known to the process are masked, and characters that would control a terminal are escaped.

use std::io::{self, IsTerminal, Write};

use hpdlc_core::visible;
use serde_json::Value;

use crate::{
    locale,
    mask::{self, mask_json},
};

fn masked(text: &str) -> String {
    mask::of_process(|secrets| secrets.masked(text))
}

/// Human-readable text of several lines, which may contain our colors.
pub fn text(text: &str) -> String {
    visible::colored(&masked(text)).into_owned()
}

/// A JSON value on one line.
pub fn json(value: &Value) -> String {
    let mut value = value.clone();
    mask::of_process(|secrets| mask_json(secrets, &mut value));
    visible::json(&value.to_string()).into_owned()
}

/// The output of an action: verbatim for a file or another program, escaped on a terminal.
pub fn output(text: &str) -> String {
    let masked = masked(text);
    if io::stdout().is_terminal() {
        visible::lines(&masked.replace("\r\n", "\n")).into_owned()
    } else {
        masked
    }
}

/// A document verbatim, but escaped on a terminal.
pub fn document(text: &str) -> String {
    if io::stdout().is_terminal() {
        visible::lines(&text.replace("\r\n", "\n")).into_owned()
    } else {
        text.to_owned()
    }
}

/// Prints a line to standard error. Write errors are ignored, so that the job continues.
pub fn say(line: &str) {
    let line = text(line);
    let line = if io::stderr().is_terminal() {
        locale::drawn(&line)
    } else {
        line.into()
    };
    let _ = writeln!(io::stderr(), "{line}");
}

/// A writer that passes lines on as [`text`] or [`json`] shows them: complete ones, so that no secret is split.
pub struct ShownLines<W: Write> {
    inner: W,
    kept_back: Vec<u8>,
    is_json: bool,
}

impl<W: Write> ShownLines<W> {
    /// For human-readable text, or for one JSON value per line.
    pub fn new(inner: W, is_json: bool) -> ShownLines<W> {
        ShownLines {
            inner,
            kept_back: Vec::new(),
            is_json,
        }
    }

    fn pass_on(&mut self, end: usize) -> io::Result<()> {
        let lines: Vec<u8> = self.kept_back.drain(..end).collect();
        let lines = String::from_utf8_lossy(&lines);
        if !self.is_json {
            return self.inner.write_all(text(&lines).as_bytes());
        }
        for line in lines.split_inclusive('\n') {
            let shown = match serde_json::from_str(line) {
                Ok(value) => json(&value),
                Err(_) => text(line.trim_end()),
            };
            self.inner.write_all(shown.as_bytes())?;
            self.inner.write_all(b"\n")?;
        }
        Ok(())
    }
}

impl<W: Write> Write for ShownLines<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        const MOST: usize = 64 * 1024;
        self.kept_back.extend_from_slice(bytes);
        if self.kept_back.len() >= MOST
            && let Some(last) = self.kept_back.iter().rposition(|byte| *byte == b'\n')
        {
            self.pass_on(last + 1)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass_on(self.kept_back.len())?;
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use hpdlc_core::secrets::Secrets;
    use serde_json::json;

    use super::*;
    use crate::mask::keep_from_all;

    #[test]
    fn whole_lines_are_shown() {
        keep_from_all(&Secrets::of([("lines.test.password", "hunter-of-lines")]));
        let mut written = Vec::new();
        let mut lines = ShownLines::new(&mut written, false);
        lines.write_all(b"a hunter-of").unwrap();
        lines.write_all("-lines\u{9b}\nb".as_bytes()).unwrap();
        lines.flush().unwrap();
        drop(lines);
        assert_eq!(String::from_utf8(written).unwrap(), "a ********\\x9b\nb");
    }

    #[test]
    fn what_the_process_knows_as_secret_is_shown_nowhere() {
        keep_from_all(&Secrets::of([("shown.test.password", "hunter-of-shown")]));
        assert_eq!(
            text("a hunter-of-shown\u{1b}]0;x\n"),
            "a ********\\x1b]0;x\n"
        );
        assert_eq!(output("hunter-of-shown\u{1b}[1m"), "********\u{1b}[1m");
        let value = json!({ "n": 1, "text": "hunter-of-shown\u{9b}" });
        assert_eq!(json(&value), r#"{"n":1,"text":"********\u009b"}"#);
    }
}
