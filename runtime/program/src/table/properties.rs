//! Configurations in the table, and the elements of blocks that hold nothing but texts.

use std::borrow::Cow;

use crate::table::Template;

/// A property of a configuration, or an element with its text.
///
/// The common texts have variants of their own, because nested enums take rustc longer.
#[derive(Clone, Copy, Debug)]
pub enum Property {
    /// [`Template::Text`]: name, line, text.
    Text(&'static str, u32, &'static str),
    /// [`Template::Property`]: name, line, column, name of the job's property.
    Property(&'static str, u32, u32, &'static str),
    /// [`Template::Around`]: name, line, column, text before the job's property, its name, text after it.
    Around(
        &'static str,
        u32,
        u32,
        &'static str,
        &'static str,
        &'static str,
    ),
    /// [`Template::Join`]: name, line, column, each of the job's properties with the text before it, text after the last.
    Join(
        &'static str,
        u32,
        u32,
        &'static [(&'static str, &'static str)],
        &'static str,
    ),
    /// Any other text: name, text.
    Template(&'static str, Template),
    /// A property whose name has expressions.
    Computed { name: Template, value: Template },
}

impl Property {
    /// The name, as written.
    pub fn name(&self) -> Cow<'static, str> {
        match *self {
            Property::Text(name, ..)
            | Property::Property(name, ..)
            | Property::Around(name, ..)
            | Property::Join(name, ..)
            | Property::Template(name, _) => Cow::Borrowed(name),
            Property::Computed { name, .. } => name.source(),
        }
    }

    pub fn value(&self) -> Template {
        match *self {
            Property::Text(_, line, text) => Template::Text(line, text),
            Property::Property(_, line, column, name) => Template::Property(line, column, name),
            Property::Around(_, line, column, before, name, behind) => {
                Template::Around(line, column, before, name, behind)
            }
            Property::Join(_, line, column, properties, tail) => {
                Template::Join(line, column, properties, tail)
            }
            Property::Template(_, value) | Property::Computed { value, .. } => value,
        }
    }

    /// The texts that may have expressions: the name, if it does, and the value.
    pub fn templates(&self) -> impl Iterator<Item = Template> + use<> {
        let name = match self {
            Property::Computed { name, .. } => Some(*name),
            Property::Text(..)
            | Property::Property(..)
            | Property::Around(..)
            | Property::Join(..)
            | Property::Template(..) => None,
        };
        name.into_iter().chain([self.value()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_property_has_the_value_of_its_template() {
        let value = Template::Parts(1, 1, "${v}", &[]);
        for (property, expected) in [
            (Property::Text("n", 7, "a"), "n = Text(7, \"a\")"),
            (
                Property::Property("n", 7, 8, "p"),
                "n = Property(7, 8, \"p\")",
            ),
            (
                Property::Around("n", 7, 8, "a", "p", "b"),
                "n = Around(7, 8, \"a\", \"p\", \"b\")",
            ),
            (
                Property::Join("n", 7, 8, &[("a", "p")], "b"),
                "n = Join(7, 8, [(\"a\", \"p\")], \"b\")",
            ),
            (
                Property::Template("n", value),
                "n = Parts(1, 1, \"${v}\", [])",
            ),
        ] {
            let found = format!("{} = {:?}", property.name(), property.value());
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn only_a_name_with_expressions_is_a_text_to_evaluate() {
        let value = Template::Property(1, 1, "v");
        let named = Property::Template("n", value);
        let computed = Property::Computed {
            name: Template::Property(0, 1, "n"),
            value,
        };
        let sources = |property: Property| -> Vec<Cow<'_, str>> {
            property.templates().map(|it| it.source()).collect()
        };
        assert_eq!(named.name(), "n");
        assert_eq!(sources(named), ["${v}"]);
        assert_eq!(computed.name(), "${n}");
        assert_eq!(sources(computed), ["${n}", "${v}"]);
    }
}
