use crate::{
    diagnostics::{Diagnostic, code, message},
    source::{Span, Spanned},
};

code!("H0219", invalid_node_name, ["E0701", "E0724"]);

/// An invalid name of a node, or a reference to one.
pub(crate) struct InvalidNodeName {
    pub(crate) name: Spanned<String>,
    pub(crate) fault: NodeNameFault,
    /// The invalid part.
    pub(crate) place: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeNameFault {
    Empty,
    /// `at` is the byte offset in the name.
    Character {
        at: usize,
        character: char,
    },
    /// In characters.
    TooLong {
        length: usize,
        most: usize,
    },
}

message!(InvalidNodeName, |name, fault, place| {
    let message = match fault {
        NodeNameFault::Empty => "empty node name".to_owned(),
        NodeNameFault::Character { .. } => format!("invalid node name `{}`", name.value),
        NodeNameFault::TooLong { length, .. } => format!("node name of {length} characters"),
    };
    let label = match fault {
        NodeNameFault::Empty => "expected a name".to_owned(),
        NodeNameFault::Character { at: 0, .. } => {
            "a node name starts with a letter from `A` to `Z` or `a` to `z`, or `_`".to_owned()
        }
        NodeNameFault::Character { .. } => {
            "a node name has letters from `A` to `Z` and `a` to `z`, digits, `_`, and `-`"
                .to_owned()
        }
        NodeNameFault::TooLong { most, .. } => {
            format!("a node name has at most {most} characters")
        }
    };
    let diagnostic = Diagnostic::new(&CODE, place, message).label(place, label);
    match fault {
        NodeNameFault::Character { .. } => diagnostic.help(
            "use another name here, and in every transition and function that names the node",
        ),
        NodeNameFault::Empty | NodeNameFault::TooLong { .. } => diagnostic,
    }
});
