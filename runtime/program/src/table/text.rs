//! The texts of a document in the table, and their places.
//!
//! Their shapes are what rustc takes quickly: most of a program are texts, and each costs it again what one costs.

use hpdlc_core::el::{
    error::ElError,
    scope::{Origin, Scope},
};

/// A place in the source: 1-based line, 1-based column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: &'static str,
    pub line: u32,
    pub column: u32,
}

/// The places of one file that use a property. One text, because there may be thousands, which nearly nobody asks for.
#[derive(Debug)]
pub struct Uses {
    pub file: &'static str,
    /// `12:9 14:20`: line and column of each.
    pub places: &'static str,
}

impl Uses {
    /// The places, in the order of the document.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        let file = self.file;
        self.places.split(' ').filter_map(move |place| {
            let (line, column) = place.split_once(':')?;
            Some(Place {
                file,
                line: line.parse().ok()?,
                column: column.parse().ok()?,
            })
        })
    }
}

/// A text of the document, compiled.
///
/// Lines are counted from the first line of the node that the text is in, whose own line is in [`App::lines`]: a node
/// that is inserted above changes nothing here. Columns are 1-based, in characters.
#[derive(Clone, Copy, Debug)]
pub enum Template {
    /// A text that means itself: line, text.
    Literal(u32, &'static str),
    /// Literals, variables, constants and calls, which need no code: line, column, text.
    Text(u32, u32, &'static str),
    /// A text with operators: line, column, text, code.
    Call(u32, u32, &'static str, TextFn),
    /// A text with operators or calls that reads files: evaluated on a thread that may block.
    Blocking(u32, u32, &'static str, TextFn),
    /// A text that the document spells in another way, such as with `&amp;`.
    Placed(&'static Placed),
    /// A text that is in no node.
    Outside(&'static Outside),
}

/// The code of a text.
pub type TextFn = fn(&dyn Scope) -> Result<String, ElError>;

/// A text that is in no node, such as one that nodes inherit from `global`.
#[derive(Clone, Copy, Debug)]
pub struct Outside {
    pub file: &'static str,
    /// What the lines of `text` are counted from.
    pub line: u32,
    pub text: Template,
}

/// A text with what moves its expressions from where they would be: references, `CDATA` sections, comments.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    pub text: Template,
    /// Of each expression, in order: lines below the beginning of the text, and column.
    pub expressions: &'static [(u32, u32)],
}

impl Template {
    /// As written, with XML's entities resolved.
    pub fn source(&self) -> &'static str {
        match self {
            Template::Literal(_, source)
            | Template::Text(_, _, source)
            | Template::Call(_, _, source, _)
            | Template::Blocking(_, _, source, _) => source,
            Template::Placed(placed) => placed.text.source(),
            Template::Outside(outside) => outside.text.source(),
        }
    }

    /// Where it is, if its node begins at `origin`. A literal, in which nothing can go wrong, is given no column.
    pub fn place(&self, origin: Origin) -> Place {
        let (line, column) = match *self {
            Template::Literal(line, _) => (line, 1),
            Template::Text(line, column, _)
            | Template::Call(line, column, _, _)
            | Template::Blocking(line, column, _, _) => (line, column),
            Template::Placed(placed) => return placed.text.place(origin),
            Template::Outside(&Outside { file, line, text }) => {
                return text.place(Origin { file, line });
            }
        };
        Place {
            file: origin.file,
            line: origin.line + line,
            column,
        }
    }

    /// Where the expression `number` begins, as lines below the beginning of the text and a column. `None` where the text
    /// is spelled as it is meant, so that counting in it gives the place.
    pub fn expression_place(&self, number: usize) -> Option<(u32, u32)> {
        match self {
            Template::Literal(..)
            | Template::Text(..)
            | Template::Call(..)
            | Template::Blocking(..) => None,
            Template::Placed(placed) => placed.expressions.get(number).copied(),
            Template::Outside(outside) => outside.text.expression_place(number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(_: &dyn Scope) -> Result<String, ElError> {
        Ok(String::new())
    }

    fn place(file: &'static str, line: u32, column: u32) -> Place {
        Place { file, line, column }
    }

    #[test]
    fn lines_are_counted_from_the_node_and_outside_of_it_from_their_own() {
        let origin = Origin {
            file: "workflow.xml",
            line: 30,
        };
        static INHERITED: Outside = Outside {
            file: "config-default.xml",
            line: 8,
            text: Template::Text(0, 16, "${a}"),
        };
        for (template, expected) in [
            (Template::Literal(0, "a"), place("workflow.xml", 30, 1)),
            (Template::Text(2, 9, "${a}"), place("workflow.xml", 32, 9)),
            (
                Template::Call(3, 7, "${f()}", code),
                place("workflow.xml", 33, 7),
            ),
            (
                Template::Blocking(4, 5, "${f()}", code),
                place("workflow.xml", 34, 5),
            ),
            (
                Template::Outside(&INHERITED),
                place("config-default.xml", 8, 16),
            ),
        ] {
            assert_eq!(template.place(origin), expected, "{template:?}");
        }
    }

    #[test]
    fn every_use_has_its_place() {
        let uses = Uses {
            file: "workflow.xml",
            places: "12:9 140:20",
        };
        let places: Vec<Place> = uses.places().collect();
        assert_eq!(
            places,
            [place("workflow.xml", 12, 9), place("workflow.xml", 140, 20)]
        );
    }
}
