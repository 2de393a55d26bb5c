//! Text to templates: decoded, trimmed, parsed.

use hpdlc_core::el::{
    ast::{self, TextRange},
    parser,
};

use crate::{
    diagnostics::Sink,
    model::Template,
    source::Span,
    syntax::xml::{Attribute, Decoded, Element},
};

pub(super) mod invalid_expression;

use self::invalid_expression::InvalidExpression;

/// The text of `element`, without the blanks around it.
pub(super) fn of_element(element: &Element<'_>, sink: &mut Sink) -> Template {
    of_text(element.trimmed_text(), sink)
}

/// The value of `attribute`, as it is: Oozie's printer trims texts alone.
pub(super) fn of_attribute(attribute: Attribute<'_>, sink: &mut Sink) -> Template {
    of_text(attribute.value, sink)
}

/// The first child of that name, if there is one.
pub(super) fn of_child(parent: &Element<'_>, local: &str, sink: &mut Sink) -> Option<Template> {
    Some(of_element(&parent.element(local)?, sink))
}

/// The first child of that name; its absence has been reported.
pub(super) fn of_required_child(parent: &Element<'_>, local: &str, sink: &mut Sink) -> Template {
    of_child(parent, local, sink).unwrap_or_else(|| missing(parent))
}

/// All children of that name.
pub(super) fn of_children(parent: &Element<'_>, local: &str, sink: &mut Sink) -> Vec<Template> {
    parent
        .elements_named(local)
        .map(|child| of_element(&child, sink))
        .collect()
}

/// The attribute of that name, if there is one.
pub(super) fn of_optional_attribute(
    element: &Element<'_>,
    name: &str,
    sink: &mut Sink,
) -> Option<Template> {
    Some(of_attribute(element.attribute(name)?, sink))
}

/// The attribute of that name; its absence has been reported.
pub(super) fn of_required_attribute(
    element: &Element<'_>,
    name: &str,
    sink: &mut Sink,
) -> Template {
    of_optional_attribute(element, name, sink).unwrap_or_else(|| missing(element))
}

/// What stands for a text that should be in `parent` and is not.
fn missing(parent: &Element<'_>) -> Template {
    let span = parent.name_span;
    Template {
        text: Decoded::verbatim("", span.at_end()),
        span,
        ast: ast::Template::default(),
        is_invalid: true,
    }
}

/// Text of our own, standing for something in the file.
pub(super) fn literal(text: &str, place: Span) -> Template {
    plain(Decoded::verbatim(text.to_owned(), place), place)
}

/// A text without expressions, as the parser would give it.
fn plain(text: Decoded<'static>, span: Span) -> Template {
    let written = text.as_str();
    let parts = if written.is_empty() {
        Vec::new()
    } else {
        let whole = TextRange::new(0, written.len());
        vec![ast::Part::Text(written.to_owned(), whole)]
    };
    Template {
        text,
        span,
        ast: ast::Template { parts },
        is_invalid: false,
    }
}

/// Parses a decoded text. A mistake is reported at its place in the raw file.
pub(super) fn of_text(text: Decoded<'_>, sink: &mut Sink) -> Template {
    let text = text.into_owned();
    let span = text.span();
    if !text.as_str().as_bytes().contains(&b'$') {
        // Most texts hold no expression, and need no parser.
        return plain(text, span);
    }
    let (ast, is_invalid) = match parser::parse_template(text.as_str()) {
        Ok(ast) => (ast, false),
        Err(error) => {
            let place = text.span_of(error.range.start..error.range.end);
            let whole = TextRange::new(0, text.as_str().len());
            let literal = ast::Part::Text(text.as_str().to_owned(), whole);
            sink.emit(InvalidExpression {
                place,
                message: error.message,
                help: error.help,
            });
            let parts = vec![literal];
            (ast::Template { parts }, true)
        }
    };
    Template {
        text,
        span,
        ast,
        is_invalid,
    }
}
