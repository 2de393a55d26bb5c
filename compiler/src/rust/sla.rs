//! Service levels: `Sla { … }` behind an action, or `#[sla(…)]` above a workflow, becomes an `sla:info` block.

use syn::{Expr, ExprStruct, Ident, Member};

use crate::rust::{
    document::{Element, Text},
    place::Place,
    reader::Reader,
    tokens::{is_macro, is_named, is_named_path, without_raw},
};

pub(super) const NAMESPACE: &str = "uri:oozie:sla:0.2";

/// A field of `Sla`, and the element that it becomes.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    element: &'static str,
    /// Whether it is a duration, which Oozie wants in minutes, and no text.
    pub(super) is_duration: bool,
    is_required: bool,
}

const fn text(name: &'static str, element: &'static str) -> Field {
    Field {
        name,
        element,
        is_duration: false,
        is_required: false,
    }
}

const fn duration(name: &'static str, element: &'static str) -> Field {
    Field {
        is_duration: true,
        ..text(name, element)
    }
}

impl Field {
    const fn required(mut self) -> Field {
        self.is_required = true;
        self
    }

    /// The name of its element without the prefix.
    pub(super) fn local_name(&self) -> &'static str {
        self.element.strip_prefix("sla:").unwrap_or(self.element)
    }
}

/// In the order of the schema.
pub(super) const FIELDS: &[Field] = &[
    text("nominal_time", "sla:nominal-time").required(),
    duration("should_start", "sla:should-start"),
    duration("should_end", "sla:should-end").required(),
    duration("max_duration", "sla:max-duration"),
    text("alert_events", "sla:alert-events"),
    text("alert_contact", "sla:alert-contact"),
    text("notification_msg", "sla:notification-msg"),
    text("upstream_apps", "sla:upstream-apps"),
];

impl Reader {
    /// The block of `.sla(Sla { … })`.
    pub(super) fn sla_of_action(&mut self, place: Place, given: &Expr) -> Option<Element> {
        let Expr::Struct(given) = given else {
            self.mistake(
                Place::of(given),
                "a service level is written where it is given: `.sla(Sla { nominal_time: &day, should_end: minutes(30), ..Sla::default() })`",
            );
            return None;
        };
        let fields = self.fields(given)?;
        self.sla(place, &fields, |reader, value| {
            Some(reader.value(value)?.into_text())
        })
    }

    fn fields<'e>(&mut self, given: &'e ExprStruct) -> Option<Vec<(&'e Ident, &'e Expr)>> {
        if !is_named_path(&given.path, "Sla") {
            return self.left_to_rustc();
        }
        if let Some(rest) = &given.rest
            && !matches!(&**rest, Expr::Call(call) if is_named(&call.func, "default"))
        {
            self.mistake(
                Place::of(rest),
                "the fields that a service level does not have are `..Sla::default()`",
            );
            return None;
        }
        let mut fields = Vec::new();
        for field in &given.fields {
            match &field.member {
                Member::Named(name) => fields.push((name, &field.expr)),
                Member::Unnamed(_) => return self.left_to_rustc(),
            }
        }
        Some(fields)
    }

    /// The block with these fields, of which `text` reads the texts.
    pub(super) fn sla(
        &mut self,
        place: Place,
        given: &[(&Ident, &Expr)],
        text: fn(&mut Reader, &Expr) -> Option<Text>,
    ) -> Option<Element> {
        for (at, (name, _)) in given.iter().enumerate() {
            let is_known = FIELDS.iter().any(|field| without_raw(name) == field.name);
            if !is_known || given[..at].iter().any(|(other, _)| other == name) {
                // The shadow has the same struct.
                return self.left_to_rustc();
            }
        }
        let mut info = Element::new("sla:info", Some(place))
            .attribute("xmlns:sla", Text::literal(NAMESPACE, None));
        let mut is_whole = true;
        for field in FIELDS {
            let value = given
                .iter()
                .find(|(name, _)| without_raw(name) == field.name);
            let Some((_, value)) = value else {
                if field.is_required {
                    self.mistake(
                        place,
                        &format!(
                            "a service level needs `nominal_time` and `should_end`: there is no `{}`",
                            field.name
                        ),
                    );
                    is_whole = false;
                }
                continue;
            };
            let text = if field.is_duration && !is_macro(value, "el") {
                self.minutes(value)
            } else {
                text(self, value)
            };
            match text {
                Some(text) => {
                    let element = Element::of(field.element, text, Place::of(value));
                    info.children.push(element);
                }
                None => is_whole = false,
            }
        }
        is_whole.then_some(info)
    }
}

#[cfg(test)]
mod tests;
