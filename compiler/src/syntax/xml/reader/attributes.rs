//! Resolves the attributes of a tag: names, namespaces and values.

use super::Builder;
use crate::{
    source::Span,
    syntax::xml::{
        attributes::{decode_value, scan},
        characters::split_name,
        duplicate_attribute::DuplicateAttribute,
        faults::{Fatal, Faults, advanced},
        invalid_name::{InvalidName, NamedItem},
        invalid_namespace_declaration::InvalidNamespaceDeclaration,
        tree::{AttributeData, NONE, XmlDocument},
        undeclared_prefix::UndeclaredPrefix,
    },
};

impl<'a> Builder<'a, '_> {
    /// Splits the attributes of a tag, in `content`, which follows its name.
    pub(super) fn split_attributes(
        &mut self,
        content: &'a str,
        element_name: Span,
    ) -> Result<(), Fatal> {
        if content.is_empty() {
            return Ok(());
        }
        scan(
            content,
            element_name.end,
            &mut self.written,
            &mut self.faults,
        )
    }

    /// Adds the attributes and the namespace declarations of a tag.
    pub(super) fn attributes(&mut self, element_name: Span) -> Result<(), Fatal> {
        if self.written.is_empty() {
            return Ok(());
        }
        let mut written = std::mem::take(&mut self.written);
        for raw in written.drain(..) {
            let name_span = self.faults.span(raw.name_start, raw.name.len());
            self.count_part(name_span)?;
            let decoded = match decode_value(raw.value, raw.value_start, &mut self.faults)? {
                Some(decoded) => {
                    self.document.decoded_values.push(decoded);
                    advanced(0, self.document.decoded_values.len() - 1)
                }
                None => NONE,
            };
            let (prefix, local) = match split_name(raw.name) {
                Ok(name) => name,
                Err(fault) => {
                    self.faults.report(InvalidName {
                        named: NamedItem::Attribute,
                        name: raw.name,
                        span: name_span,
                        fault,
                    })?;
                    continue;
                }
            };
            let is_declaration = matches!((prefix, local), (None, "xmlns") | (Some("xmlns"), _));
            let attribute = AttributeData {
                name_start: name_span.start,
                local_start: name_span.end - self.length(local),
                name_end: name_span.end,
                value_start: raw.value_start,
                value_end: advanced(raw.value_start, raw.value.len()),
                decoded,
                namespace: NONE,
                is_declaration,
            };
            if is_declaration {
                self.declared.push(attribute);
            } else {
                self.other.push(attribute);
            }
        }
        self.written = written;
        self.declare()?;
        for index in 0..self.other.len() {
            let data = &self.other[index];
            if let prefix @ Some(_) = self.document.prefix(data.name_start, data.local_start) {
                let name_span = self.document.span(data.name_start, data.name_end);
                match self.namespaces.resolve(prefix) {
                    Ok(namespace) => self.other[index].namespace = namespace,
                    Err(_) => self.undeclared_prefix(prefix, name_span, element_name)?,
                }
            }
        }
        remove_duplicates(&mut self.other, &self.document, &mut self.faults)?;
        self.document.attributes.append(&mut self.declared);
        self.document.attributes.append(&mut self.other);
        Ok(())
    }

    fn declare(&mut self) -> Result<(), Fatal> {
        if self.declared.is_empty() {
            return Ok(());
        }
        for declaration in &mut self.declared {
            declaration.namespace = self.namespaces.of_declarations();
        }
        remove_duplicates(&mut self.declared, &self.document, &mut self.faults)?;
        for declaration in &self.declared {
            let prefix = (declaration.local_start > declaration.name_start).then(|| {
                self.document
                    .raw(declaration.local_start, declaration.name_end)
            });
            let declaration = self.document.attribute(declaration);
            if let Err(fault) = self.namespaces.declare(prefix, declaration.value.as_str()) {
                let value_is_wrong = !declaration.value_span.is_empty();
                let span = if value_is_wrong {
                    declaration.value_span
                } else {
                    declaration.name_span
                };
                // The intended declaration is unknown, and so is the meaning of every name below.
                return Err(self
                    .faults
                    .fatal(InvalidNamespaceDeclaration { fault, span }));
            }
        }
        Ok(())
    }

    pub(super) fn undeclared_prefix(
        &mut self,
        prefix: Option<&'a str>,
        name: Span,
        element_name: Span,
    ) -> Result<(), Fatal> {
        let Some(prefix) = prefix else {
            return Ok(());
        };
        if !self.undeclared.insert(prefix) {
            return Ok(());
        }
        self.faults.report(UndeclaredPrefix {
            prefix,
            span: Span::new(name.file, name.start, advanced(name.start, prefix.len())),
            insertion: element_name.at_end(),
        })
    }
}

/// Reports and removes every attribute whose name occurs before it in the same tag.
fn remove_duplicates(
    attributes: &mut Vec<AttributeData>,
    document: &XmlDocument<'_>,
    faults: &mut Faults<'_>,
) -> Result<(), Fatal> {
    if attributes.len() < 2 {
        return Ok(());
    }
    let key = |data: &AttributeData| {
        // An undeclared prefix has been reported; it must not make names equal.
        let prefix_end = match data.namespace {
            NONE => data.local_start,
            _ => data.name_start,
        };
        (
            data.namespace,
            document.raw(data.name_start, prefix_end),
            document.raw(data.local_start, data.name_end),
        )
    };
    let mut order: Vec<&AttributeData> = attributes.iter().collect();
    order.sort_by_key(|data| (key(data), data.name_start));
    let mut repeated: Vec<u32> = Vec::new();
    for same in order.chunk_by(|left, right| key(left) == key(right)) {
        let first = document.attribute(same[0]).name_span;
        for data in &same[1..] {
            let attribute = document.attribute(data);
            repeated.push(data.name_start);
            faults.report(DuplicateAttribute {
                name: attribute.name.qualified(),
                span: attribute.name_span,
                first,
            })?;
        }
    }
    // A tag may have millions of them.
    repeated.sort_unstable();
    attributes.retain(|data| repeated.binary_search(&data.name_start).is_err());
    Ok(())
}
