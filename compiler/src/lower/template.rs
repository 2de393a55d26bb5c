//! Text to templates: decoded, trimmed, parsed.

use std::sync::Arc;

use hpdlc_core::el::{
    ast::{self, TextRange},
    functions::{Dialect, proposal},
    parser,
};

use crate::{
    diagnostics::{IntoDiagnostic, Sink},
    lookup::Lookup,
    model::{Template, TextMarkup},
    source::Span,
    syntax::xml::{Attribute, Decoded, Element},
};

pub(super) mod invalid_expression;

use self::invalid_expression::InvalidExpression;

/// Parses texts, and collects the diagnostics of lowering.
///
/// Workflows repeat the same texts in very many places: `${nameNode}`, the names of properties. Each text is parsed once,
/// and all templates with it share the result, which saves most of the memory of the model too.
pub(crate) struct TextSink {
    sink: Sink,
    /// The valid texts so far, for interning.
    parsed: Lookup<Arc<str>, Arc<ast::Template>>,
    /// That of the document, which determines the meaning of some functions.
    dialect: Dialect,
}

impl TextSink {
    pub(crate) fn new(sink: Sink, dialect: Dialect) -> TextSink {
        TextSink {
            sink,
            parsed: Lookup::default(),
            dialect,
        }
    }

    /// Like [`Sink::emit`].
    pub(crate) fn emit(&mut self, mistake: impl IntoDiagnostic) {
        self.sink.emit(mistake);
    }

    /// The sink with the diagnostics.
    pub(crate) fn into_sink(self) -> Sink {
        self.sink
    }
}

/// The text of `element`, without surrounding blanks.
pub(super) fn of_element(element: &Element<'_>, sink: &mut TextSink) -> Template {
    let mut template = of_text(element.trimmed_text(), sink);
    let has_expression = template.ast.expressions().next().is_some();
    let is_sign = |byte: u8| matches!(byte, b'<' | b'>' | b'&');
    if has_expression && template.text.as_str().bytes().any(is_sign) && element.has_character_data()
    {
        template.markup = TextMarkup::CharacterData;
    }
    template
}

/// The value of `attribute`, untrimmed: Oozie's printer trims only texts.
pub(super) fn of_attribute(attribute: Attribute<'_>, sink: &mut TextSink) -> Template {
    Template {
        markup: TextMarkup::Attribute,
        ..of_text(attribute.value, sink)
    }
}

/// The first child of that name, if there is one.
pub(super) fn of_child(parent: &Element<'_>, local: &str, sink: &mut TextSink) -> Option<Template> {
    Some(of_element(&parent.element(local)?, sink))
}

/// The first child of that name; if it is missing, that has been reported.
pub(super) fn of_required_child(
    parent: &Element<'_>,
    local: &str,
    sink: &mut TextSink,
) -> Template {
    of_child(parent, local, sink).unwrap_or_else(|| missing(parent))
}

/// All children of that name.
pub(super) fn of_children(parent: &Element<'_>, local: &str, sink: &mut TextSink) -> Vec<Template> {
    parent
        .elements_named(local)
        .map(|child| of_element(&child, sink))
        .collect()
}

/// The attribute of that name, if there is one.
pub(super) fn of_optional_attribute(
    element: &Element<'_>,
    name: &str,
    sink: &mut TextSink,
) -> Option<Template> {
    Some(of_attribute(element.attribute(name)?, sink))
}

/// The attribute of that name; if it is missing, that has been reported.
pub(super) fn of_required_attribute(
    element: &Element<'_>,
    name: &str,
    sink: &mut TextSink,
) -> Template {
    of_optional_attribute(element, name, sink).unwrap_or_else(|| missing(element))
}

/// The placeholder for a text that is missing in `parent`.
fn missing(parent: &Element<'_>) -> Template {
    let span = parent.name_span;
    Template {
        text: Decoded::verbatim("", span.at_end()),
        span,
        ast: Arc::default(),
        is_invalid: true,
        markup: TextMarkup::Text,
    }
}

/// A constant text of hpdlc for something in the file.
pub(super) fn literal(text: &'static str, place: Span) -> Template {
    Template {
        text: Decoded::verbatim(text, place),
        span: place,
        ast: Arc::new(literal_ast(text)),
        is_invalid: false,
        markup: TextMarkup::Text,
    }
}

/// A text without expressions, as the parser would return it.
fn literal_ast(text: &str) -> ast::Template {
    let parts = if text.is_empty() {
        Vec::new()
    } else {
        vec![ast::Part::Text(
            text.to_owned(),
            TextRange::new(0, text.len()),
        )]
    };
    ast::Template { parts }
}

/// Parses a decoded text. An error is reported at its position in the raw file.
pub(super) fn of_text(text: Decoded<'_>, sink: &mut TextSink) -> Template {
    let span = text.span();
    if let Some((known, ast)) = sink.parsed.get_key_value(text.as_str()) {
        return Template {
            ast: Arc::clone(ast),
            text: text.with_text(Arc::clone(known)),
            span,
            is_invalid: false,
            markup: TextMarkup::Text,
        };
    }
    let text = text.into_owned();
    // Most texts have no expression, and need no parser.
    let parsed = if text.as_str().as_bytes().contains(&b'$') {
        parser::parse_template(text.as_str())
    } else {
        Ok(literal_ast(text.as_str()))
    };
    let (ast, is_invalid) = match parsed {
        Ok(mut ast) => {
            if sink.dialect == Dialect::Proposal {
                proposal::meant(&mut ast);
            }
            let ast = Arc::new(ast);
            if let Some(shared) = text.shared() {
                sink.parsed.insert(shared, Arc::clone(&ast));
            }
            (ast, false)
        }
        Err(error) => {
            let before = &text.as_str()[..error.range.start];
            // In a text of several lines the parser may stop long after the unclosed part.
            let open = before
                .rfind("${")
                .filter(|open| before[*open..].contains('\n'));
            sink.emit(InvalidExpression {
                place: text.span_of(error.range.start..error.range.end),
                open: open.map(|open| text.span_of(open..open + "${".len())),
                message: error.message,
                help: error.help,
            });
            (Arc::new(literal_ast(text.as_str())), true)
        }
    };
    Template {
        text,
        span,
        ast,
        is_invalid,
        markup: TextMarkup::Text,
    }
}
