//! The notification properties of 2009 (section 5 of the proposal), converted to the names and tokens of Oozie.
//!
//! They are not part of a document: they are in the file of defaults beside it and in the properties files that jobs are
//! submitted with.

use hpdlc_core::properties;

use crate::{
    diagnostics::Sink,
    migrate::{edits::TextEdits, migration_losses::Loss},
    source::{FileId, Span},
    syntax::xml::{Element, XmlDocument},
};

/// A property that requests notifications.
pub(super) struct Notification {
    old: &'static str,
    new: &'static str,
    /// The tokens to replace in its URL.
    tokens: &'static [(&'static str, &'static str)],
    /// What changes, as a headline.
    loss: &'static str,
    /// The behavior from now on.
    instead: &'static str,
}

const NOTIFICATIONS: [Notification; 2] = [
    Notification {
        old: "hws.action.notification.url",
        new: "oozie.wf.action.notification.url",
        tokens: &[("$wfId", "$jobId"), ("$nodeStatus", "$status")],
        loss: "what notifications say of the state of a node",
        instead: "named as in Oozie: `$status` is `S:RUNNING` at the start, `T:` and the next node at the end, and retries are not reported",
    },
    Notification {
        old: "hws.workflow.notification.url",
        new: "oozie.wf.workflow.notification.url",
        tokens: &[("$wfId", "$jobId"), ("$wfstatus", "$status")],
        loss: "that only the end of a job is notified",
        instead: "named as in Oozie: a job that starts, is suspended or goes on is notified too",
    },
];

/// The notification that a property of this name requests.
pub(super) fn find(name: &str) -> Option<&'static Notification> {
    NOTIFICATIONS.iter().find(|known| known.old == name)
}

/// The text of a properties file with the new names; `None` if nothing changes.
pub(crate) fn migrated_properties(file: FileId, text: &str, sink: &mut Sink) -> Option<String> {
    if !NOTIFICATIONS.iter().any(|known| text.contains(known.old)) {
        return None;
    }
    // Malformed files are reported when a job is submitted with them.
    let parsed = properties::parse(text.as_bytes()).ok()?;
    let mut edits = TextEdits::default();
    for entry in &parsed.entries {
        let Some(known) = find(&entry.key) else {
            continue;
        };
        let place = span(file, &entry.key_range);
        if parsed.entries.iter().any(|other| other.key == known.new) {
            known.leave(place, sink);
            continue;
        }
        edits.replace(entry.key_range.clone(), known.new);
        known.edit_tokens(text, entry.value_range.clone(), &mut edits);
        known.tell(place, sink);
    }
    applied(edits, text)
}

/// The text of a configuration document with the new names; `None` if nothing changes.
pub(crate) fn migrated_configuration(
    document: &XmlDocument<'_>,
    text: &str,
    sink: &mut Sink,
) -> Option<String> {
    let root = document.root();
    let named: Vec<(String, Element<'_>, Element<'_>)> = root
        .elements_named("property")
        .filter_map(|property| {
            let name = property.element("name")?;
            let decoded = name.trimmed_text().as_str().to_owned();
            Some((decoded, name, property))
        })
        .collect();
    let mut edits = TextEdits::default();
    for (name, element, property) in &named {
        let Some(known) = find(name) else { continue };
        let place = element.content_span();
        if named.iter().any(|(other, ..)| other == known.new) {
            known.leave(place, sink);
            continue;
        }
        edits.replace(place.range(), known.new);
        if let Some(value) = property.element("value") {
            known.edit_tokens(text, value.content_span().range(), &mut edits);
        }
        known.tell(place, sink);
    }
    applied(edits, text)
}

fn applied(edits: TextEdits, text: &str) -> Option<String> {
    let changed = edits.applied(text, 0..text.len());
    (changed != text).then_some(changed)
}

impl Notification {
    /// Replaces the tokens in a part of `text`. Tokens contain no characters that need escaping.
    fn edit_tokens(&self, text: &str, part: std::ops::Range<usize>, edits: &mut TextEdits) {
        for (old, new) in self.tokens {
            for (at, _) in text[part.clone()].match_indices(old) {
                let start = part.start + at;
                edits.replace(start..start + old.len(), *new);
            }
        }
    }

    fn tell(&self, place: Span, sink: &mut Sink) {
        sink.emit(Loss {
            place,
            what: self.loss,
            instead: self.instead.to_owned(),
            help: None,
        });
    }

    fn leave(&self, place: Span, sink: &mut Sink) {
        sink.emit(Loss {
            place,
            what: "a notification",
            instead: format!("left as it is: `{}` is given too", self.new),
            help: None,
        });
    }

    /// The loss of notifications about a sub-workflow.
    pub(super) fn loss_of_child(&self, place: Span) -> Loss {
        Loss {
            place,
            what: "a notification of a sub-workflow",
            instead: "left as it is, and without a meaning now".to_owned(),
            help: Some(format!(
                "Oozie notifies of the actions of a sub-workflow if the job of its parent has `{}`, and of its end never",
                NOTIFICATIONS[0].new
            )),
        }
    }
}

fn span(file: FileId, range: &std::ops::Range<usize>) -> Span {
    let offset = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    Span::new(file, offset(range.start), offset(range.end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::xml;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>, n_losses: usize) {
        let mut sink = Sink::default();
        let found = if text.starts_with('<') {
            let document =
                xml::parse(FileId(0), text, &mut sink).expect("the document is well-formed");
            migrated_configuration(&document, text, &mut sink)
        } else {
            migrated_properties(FileId(0), text, &mut sink)
        };
        assert_eq!(found.as_deref(), expected);
        assert_eq!(sink.into_sorted().len(), n_losses, "{text}");
    }

    #[test]
    fn properties_keep_all_but_names_and_tokens() {
        check(
            "# hws.action.notification.url\nhws.action.notification.url : http\\://h/?$wfId&\\\n  n=$nodeName&s=$nodeStatus\nother=$wfId\n",
            Some(
                "# hws.action.notification.url\noozie.wf.action.notification.url : http\\://h/?$jobId&\\\n  n=$nodeName&s=$status\nother=$wfId\n",
            ),
            1,
        );
        check(
            "hws.workflow.notification.url=http://h/$wfId/$wfstatus",
            Some("oozie.wf.workflow.notification.url=http://h/$jobId/$status"),
            1,
        );
        check("a=hws.action.notification.url\n", None, 0);
        check("", None, 0);
    }

    #[test]
    fn configurations_keep_all_but_names_and_tokens() {
        check(
            "<configuration>\n  <property><name> hws.workflow.notification.url </name><value>http://h/?i=$wfId&amp;s=$wfstatus</value></property>\n  <property><name>x</name><value>$wfId</value></property>\n</configuration>",
            Some(
                "<configuration>\n  <property><name>oozie.wf.workflow.notification.url</name><value>http://h/?i=$jobId&amp;s=$status</value></property>\n  <property><name>x</name><value>$wfId</value></property>\n</configuration>",
            ),
            1,
        );
        check("<configuration/>", None, 0);
    }

    #[test]
    fn names_that_oozie_has_are_not_given_twice() {
        check(
            "hws.action.notification.url=a\noozie.wf.action.notification.url=b\n",
            None,
            1,
        );
    }
}
