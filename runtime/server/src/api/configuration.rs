//! Properties as a Hadoop configuration.

use std::collections::BTreeMap;

/// Properties as a Hadoop configuration, as Oozie writes it: CRLF, two blanks.
pub(crate) fn text(properties: &BTreeMap<String, String>) -> String {
    let mut text = "<configuration>\r\n".to_owned();
    for (name, value) in properties {
        text.push_str(&format!(
            "  <property>\r\n    <name>{}</name>\r\n    <value>{}</value>\r\n  </property>\r\n",
            xml(name),
            xml(value)
        ));
    }
    text.push_str("</configuration>");
    text
}

/// As the text of an XML element; what XML cannot have is left out.
pub(crate) fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '\r' => escaped.push_str("&#xD;"),
            '\t' | '\n' => escaped.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_reads_back() {
        let properties: BTreeMap<String, String> = [("a", "<1>&\r\n2"), ("b", "x")]
            .map(|(k, v)| (k.to_owned(), v.to_owned()))
            .into();
        let written = text(&properties);
        let parsed = hpdlc_core::configuration::parse(&written).unwrap().to_map();
        assert_eq!(parsed, properties);
    }
}
