//! `format!`: literal text with values in it.

use syn::{
    Expr, Ident, LitStr, Macro, Token,
    parse::{Parse, ParseStream},
};

use crate::rust::{document::Text, place::Place, reader::Reader};

struct Arguments {
    template: LitStr,
    positional: Vec<Expr>,
    named: Vec<(Ident, Expr)>,
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Arguments> {
        let mut arguments = Arguments {
            template: input.parse()?,
            positional: Vec::new(),
            named: Vec::new(),
        };
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            if input.peek(Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]) {
                let name = input.parse()?;
                input.parse::<Token![=]>()?;
                arguments.named.push((name, input.parse()?));
            } else {
                arguments.positional.push(input.parse()?);
            }
        }
        Ok(arguments)
    }
}

/// Whether it formats a value otherwise than as it is, such as `{limit:>5}`.
pub(super) fn has_formats(call: &Macro) -> bool {
    let arguments = call.parse_body::<Arguments>();
    let template = arguments.map(|it| it.template.value()).unwrap_or_default();
    let template = template.replace("{{", "").replace("}}", "");
    let mut inside = template.split('{').skip(1);
    inside.any(|it| {
        let how = it.split('}').next().and_then(|it| it.split_once(':'));
        how.is_some_and(|(_, how)| !how.trim().is_empty())
    })
}

/// The text; `None` after a mistake.
pub(super) fn read(reader: &mut Reader, call: &Macro) -> Option<Text> {
    let Ok(arguments) = call.parse_body::<Arguments>() else {
        // rustc says what is wrong with it.
        return reader.left_to_rustc();
    };
    let place = Place::of(&arguments.template);
    let template = arguments.template.value();
    let mut text = Text::default();
    let mut literal = String::new();
    let mut next = 0;
    let mut chars = template.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '{' | '}' if chars.peek() == Some(&c) => {
                chars.next();
                literal.push(c);
            }
            '{' => {
                let inside: String = chars.by_ref().take_while(|c| *c != '}').collect();
                let name = inside.split(':').next().unwrap_or_default().trim();
                let value = if name.is_empty() {
                    next += 1;
                    reader.value(arguments.positional.get(next - 1)?)
                } else if let Ok(position) = name.parse::<usize>() {
                    reader.value(arguments.positional.get(position)?)
                } else if let Some((_, value)) = arguments.named.iter().find(|(it, _)| it == name) {
                    reader.value(value)
                } else {
                    let mut path: Expr = syn::parse_str(name).ok()?;
                    if let Expr::Path(path) = &mut path {
                        for segment in &mut path.path.segments {
                            segment.ident.set_span(arguments.template.span());
                        }
                    }
                    reader.value(&path)
                };
                flush(reader, &mut text, &mut literal, place)?;
                text.append(value?.into_text());
            }
            c => literal.push(c),
        }
    }
    flush(reader, &mut text, &mut literal, place)?;
    Some(text)
}

fn flush(reader: &mut Reader, text: &mut Text, literal: &mut String, place: Place) -> Option<()> {
    if !literal.is_empty() {
        let literal = std::mem::take(literal);
        reader.check_text(&literal, place)?;
        text.push_literal(literal, Some(place));
    }
    Some(())
}
