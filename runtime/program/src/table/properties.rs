//! Configurations in the table, and the elements of actions.

use crate::table::Template;

/// Properties of a configuration, or elements of an action with their texts, in the order of the document.
#[derive(Clone, Copy, Debug)]
pub enum Properties {
    /// What needs no code, a line each. Place, name, text: `7:18 queue = ${queue}`. Of a text that means itself, the place is a
    /// line without a column, as in [`Template::Literal`].
    ///
    /// One text for all of them: most of a program are properties, and every text takes rustc time.
    Lines(&'static str),
    One(Property),
}

impl Properties {
    /// The properties of a layer, one by one.
    pub fn each(layer: &'static [Properties]) -> impl Iterator<Item = Property> {
        layer.iter().flat_map(|properties| {
            let (lines, one) = match properties {
                Properties::Lines(lines) => (*lines, None),
                Properties::One(property) => ("", Some(*property)),
            };
            lines.lines().filter_map(of_line).chain(one)
        })
    }
}

/// Lines without a property are the first and the last, which hold the quotation marks.
fn of_line(line: &'static str) -> Option<Property> {
    let (place, rest) = line.trim_start().split_once(' ')?;
    let (name, text) = rest.split_once(" =")?;
    let text = text.strip_prefix(' ').unwrap_or(text);
    let value = match place.split_once(':') {
        Some((line, column)) => Template::Text(line.parse().ok()?, column.parse().ok()?, text),
        None => Template::Literal(place.parse().ok()?, text),
    };
    Some(Property::Named(name, value))
}

/// A property of a configuration, or an element of an action.
#[derive(Clone, Copy, Debug)]
pub enum Property {
    /// Its name is without expressions, as nearly all are.
    Named(&'static str, Template),
    Computed {
        name: Template,
        value: Template,
    },
}

impl Property {
    /// The name, as written.
    pub fn name(&self) -> &'static str {
        match self {
            Property::Named(name, _) => name,
            Property::Computed { name, .. } => name.source(),
        }
    }

    pub fn value(&self) -> Template {
        match self {
            Property::Named(_, value) | Property::Computed { value, .. } => *value,
        }
    }

    /// The texts that may have expressions: the name, if it does, and the value.
    pub fn templates(self) -> impl Iterator<Item = Template> {
        let name = match self {
            Property::Named(_, _) => None,
            Property::Computed { name, .. } => Some(name),
        };
        name.into_iter().chain([self.value()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_property_with_its_place() {
        static LAYER: [Properties; 3] = [
            Properties::Lines(
                "
                    7:18 queue.name = ${queue}
                    19 plain = a = b  c
                    20 without =
                    21 =sign = =
                ",
            ),
            Properties::One(Property::Named("alone", Template::Literal(30, "x"))),
            Properties::Lines("31:2 last = ${é}"),
        ];
        let found: Vec<String> = Properties::each(&LAYER)
            .map(|property| format!("{property:?}"))
            .collect();
        let expected = [
            Property::Named("queue.name", Template::Text(7, 18, "${queue}")),
            Property::Named("plain", Template::Literal(19, "a = b  c")),
            Property::Named("without", Template::Literal(20, "")),
            Property::Named("=sign", Template::Literal(21, "=")),
            Property::Named("alone", Template::Literal(30, "x")),
            Property::Named("last", Template::Text(31, 2, "${é}")),
        ]
        .map(|property| format!("{property:?}"));
        assert_eq!(found, expected);
    }

    #[test]
    fn only_a_name_with_expressions_is_a_text_to_evaluate() {
        let value = Template::Text(1, 1, "${v}");
        let named = Property::Named("n", value);
        let computed = Property::Computed {
            name: Template::Text(0, 1, "${n}"),
            value,
        };
        let sources = |property: Property| -> Vec<&str> {
            property.templates().map(|it| it.source()).collect()
        };
        assert_eq!((named.name(), sources(named)), ("n", vec!["${v}"]));
        assert_eq!(
            (computed.name(), sources(computed)),
            ("${n}", vec!["${n}", "${v}"])
        );
    }
}
