//! Masks a document for display: secrets in it are masked, its markup and its expressions are kept.

use hpdlc_core::secrets::{MASK, Secrets};

use super::is_secret_element;

/// The text of an XML document with its secrets masked: the content of elements, properties and arguments whose names indicate a
/// secret, wherever it occurs, and what the shape of the text indicates.
pub fn masked(document: &str) -> String {
    let mut secrets = Secrets::default();
    walk(document, |piece| {
        if let DocumentPiece::Secret(text) = piece {
            secrets.add(text);
        }
    });
    let mut shown = String::with_capacity(document.len());
    walk(document, |piece| match piece {
        DocumentPiece::Markup(text) => shown.push_str(text),
        DocumentPiece::Text(text) => shown.push_str(&secrets.masked(text)),
        DocumentPiece::Secret(text) => {
            let inner = text.trim();
            let (before, after) = text.split_once(inner).unwrap_or((text, ""));
            shown.push_str(before);
            shown.push_str(MASK);
            shown.push_str(after);
        }
    });
    shown
}

enum DocumentPiece<'d> {
    Markup(&'d str),
    /// Text between tags, in a comment or in an attribute.
    Text(&'d str),
    /// A text that is a secret as a whole.
    Secret(&'d str),
}

/// The parser state needed to interpret the next text.
#[derive(Default)]
struct ElementContext<'d> {
    /// The open element, and the type of the enclosing action.
    element: &'d str,
    action: &'d str,
    /// The name and text of the last closed element.
    last: (&'d str, &'d str),
}

impl<'d> ElementContext<'d> {
    fn is_secret(&self, text: &str) -> bool {
        let text = text.trim();
        if text.is_empty() || text.contains("${") {
            return false;
        }
        let (last, before) = self.last;
        match self.element {
            // The name of a property precedes its value.
            "value" | "default-value" => last == "name" && super::is_secret_name(before.trim()),
            element => {
                let before = Some(before).filter(|_| last == element);
                is_secret_element(self.action, element, before)
            }
        }
    }

    fn tag(&mut self, tag: &'d str) {
        if let Some(name) = tag.strip_prefix("</") {
            self.last.0 = local(name);
            self.element = "";
        } else {
            let name = local(&tag[1..]);
            if self.element == "action" {
                self.action = name;
            }
            if name != self.last.0 && name != "value" && name != "default-value" {
                self.last = ("", "");
            }
            self.element = if tag.ends_with("/>") { "" } else { name };
        }
    }
}

/// The local name at the start of a tag.
fn local(name: &str) -> &str {
    let end = name
        .find(|c: char| c.is_whitespace() || c == '>' || c == '/')
        .unwrap_or(name.len());
    let name = &name[..end];
    name.rsplit(':').next().unwrap_or(name)
}

/// Splits a document into pieces, in order and without gaps.
fn walk<'d>(document: &'d str, mut found: impl FnMut(DocumentPiece<'d>)) {
    let mut context = ElementContext::default();
    let mut rest = document;
    while !rest.is_empty() {
        if let Some(comment) = rest.strip_prefix("<!--") {
            let end = comment.find("-->").unwrap_or(comment.len());
            found(DocumentPiece::Markup("<!--"));
            found(DocumentPiece::Text(&comment[..end]));
            rest = &comment[end..];
            if let Some(after) = rest.strip_prefix("-->") {
                found(DocumentPiece::Markup("-->"));
                rest = after;
            }
        } else if let Some(data) = rest.strip_prefix("<![CDATA[") {
            let end = data.find("]]>").unwrap_or(data.len());
            found(DocumentPiece::Markup("<![CDATA["));
            text(&mut context, &data[..end], &mut found);
            rest = &data[end..];
            if let Some(after) = rest.strip_prefix("]]>") {
                found(DocumentPiece::Markup("]]>"));
                rest = after;
            }
        } else if rest.starts_with('<') {
            let end = end_of_tag(rest);
            tag(&rest[..end], &mut found);
            context.tag(&rest[..end]);
            rest = &rest[end..];
        } else {
            let end = rest.find('<').unwrap_or(rest.len());
            text(&mut context, &rest[..end], &mut found);
            rest = &rest[end..];
        }
    }
}

fn text<'d>(
    context: &mut ElementContext<'d>,
    text: &'d str,
    found: &mut impl FnMut(DocumentPiece<'d>),
) {
    let is_secret = context.is_secret(text);
    if !context.element.is_empty() && !text.trim().is_empty() {
        context.last.1 = text;
    }
    found(if is_secret {
        DocumentPiece::Secret(text)
    } else {
        DocumentPiece::Text(text)
    });
}

/// The offset after the `>` of a tag; quotes may contain others.
fn end_of_tag(tag: &str) -> usize {
    let mut quote = None;
    for (at, char) in tag.char_indices() {
        match (char, quote) {
            ('>', None) => return at + 1,
            ('"' | '\'', None) => quote = Some(char),
            (char, Some(open)) if char == open => quote = None,
            _ => {}
        }
    }
    tag.len()
}

/// The values of attributes are reported as text.
fn tag<'d>(tag: &'d str, found: &mut impl FnMut(DocumentPiece<'d>)) {
    let mut rest = tag;
    while let Some(at) = rest.find(['"', '\'']) {
        let quote = if rest[at..].starts_with('"') {
            '"'
        } else {
            '\''
        };
        let Some(length) = rest[at + 1..].find(quote) else {
            break;
        };
        let end = at + 1 + length;
        found(DocumentPiece::Markup(&rest[..=at]));
        found(DocumentPiece::Text(&rest[at + 1..end]));
        found(DocumentPiece::Markup(&rest[end..=end]));
        rest = &rest[end + 1..];
    }
    found(DocumentPiece::Markup(rest));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(document: &str, expected: &str) {
        assert_eq!(masked(document), expected);
    }

    #[test]
    fn secrets_are_masked_where_they_stand_and_elsewhere() {
        check(
            "<action name='a'><hive2><password>hunter22</password><query>select 'hunter22'</query></hive2></action>",
            "<action name='a'><hive2><password>********</password><query>select '********'</query></hive2></action>",
        );
        check(
            "<property>\n <name>db.password</name>\n <value> hunter22 </value></property><!-- hunter22 -->",
            "<property>\n <name>db.password</name>\n <value> ******** </value></property><!-- ******** -->",
        );
        check(
            "<action name='a'><s:hive2><arg>-p</arg><arg><![CDATA[hive]]></arg></s:hive2></action>",
            "<action name='a'><s:hive2><arg>-p</arg><arg><![CDATA[********]]></arg></s:hive2></action>",
        );
        check(
            "<arg>--password</arg>\n<arg>x1y2</arg>",
            "<arg>--password</arg>\n<arg>********</arg>",
        );
        check(
            "<command>import --password hunter22 --table t</command><touchz path=\"file:/x?token=abcdef\"/>",
            "<command>import --password ******** --table t</command><touchz path=\"file:/x?token=********\"/>",
        );
    }

    #[test]
    fn what_is_no_secret_stays_as_it_is() {
        for document in [
            "<hive2><password>${wf:conf('p')}</password></hive2>",
            "<property><name>db.password</name><value>${p}</value></property>",
            "<property><name>queue</name><value>default</value></property>",
            "<arg>--token</arg><file>a</file>",
            "<a b=\"x > y\"/> <!-- open",
            "<?xml version=\"1.0\"?>\n<!DOCTYPE a><a>\r\n&amp;&#10;</a>\n",
            "",
            "no document at all",
            "<",
        ] {
            check(document, document);
        }
    }
}
