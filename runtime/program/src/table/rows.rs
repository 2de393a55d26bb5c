//! The locations and transitions of an application's nodes, as one row per node.

use hpdlc_core::definition::{NodeId, Outcome};

use super::{NodeDef, NodeKind};

/// A node: its number, the file of nodes that contains it, and its transitions.
///
/// A row has no index in the file, because inserting a node would change those of all later nodes: the nodes of a file
/// are in the order of the rows, and [`definitions`] counts them.
#[derive(Debug)]
pub struct Row(pub NodeId, pub usize, pub Next);

/// The transitions of a node.
#[derive(Debug)]
pub enum Next {
    None,
    /// The start node's.
    Ok(NodeId),
    /// An action's.
    OkOrError(NodeId, NodeId),
    /// A decision's, in the order of its cases. The last one is the default.
    Case(&'static [NodeId]),
    /// A fork's.
    Branch(&'static [NodeId]),
    /// A join's.
    Joined(NodeId),
}

impl Next {
    /// The next node, or `None` if there is no such transition.
    pub(super) fn next(&self, outcome: Outcome) -> Option<NodeId> {
        match (self, outcome) {
            (Next::Ok(to) | Next::OkOrError(to, _), Outcome::Ok)
            | (Next::OkOrError(_, to), Outcome::Error)
            | (Next::Joined(to), Outcome::Joined) => Some(*to),
            (Next::Case(to), Outcome::Case(number))
            | (Next::Branch(to), Outcome::Branch(number)) => to.get(number as usize).copied(),
            _ => None,
        }
    }
}

/// The definitions of all nodes, in the order of the rows, from the files that the rows refer to.
///
/// # Panics
///
/// If the rows are not in the order of the nodes, or the files do not contain exactly the nodes of the rows. In a
/// `static`, this is an error at compile time.
pub const fn definitions<const NODES: usize, const FILES: usize>(
    rows: &[Row; NODES],
    files: [&'static [NodeDef]; FILES],
) -> [&'static NodeDef; NODES] {
    const NO_NODE: &NodeDef = &NodeDef {
        name: "",
        kind: NodeKind::Start,
    };
    let mut definitions = [NO_NODE; NODES];
    let mut taken = [0; FILES];
    let mut number = 0;
    while number < NODES {
        let Row(id, file, _) = rows[number];
        assert!(
            id.index() == number,
            "the rows are not in the order of the nodes"
        );
        assert!(file < FILES, "a row names a file that is not there");
        assert!(
            taken[file] < files[file].len(),
            "a file has fewer nodes than rows name it"
        );
        definitions[number] = &files[file][taken[file]];
        taken[file] += 1;
        number += 1;
    }
    let mut file = 0;
    while file < FILES {
        assert!(
            taken[file] == files[file].len(),
            "a file has more nodes than rows name it"
        );
        file += 1;
    }
    definitions
}

#[cfg(test)]
mod tests {
    use std::panic::{UnwindSafe, catch_unwind};

    use super::*;

    static FIRST: [NodeDef; 2] = [node("a"), node("c")];
    static SECOND: [NodeDef; 1] = [node("b")];

    const fn node(name: &'static str) -> NodeDef {
        NodeDef {
            name,
            kind: NodeKind::Join,
        }
    }

    const fn row(number: u32, file: usize) -> Row {
        Row(NodeId(number), file, Next::None)
    }

    #[test]
    fn nodes_are_taken_from_their_files_in_order() {
        let rows = [row(0, 0), row(1, 1), row(2, 0)];
        let names = definitions(&rows, [&FIRST, &SECOND]).map(|node| node.name);
        assert_eq!(names, ["a", "b", "c"]);
    }

    #[track_caller]
    fn check_refused(expected: &str, definitions: impl FnOnce() + UnwindSafe) {
        let refusal = catch_unwind(definitions).expect_err("it is refused");
        assert_eq!(refusal.downcast_ref::<&str>(), Some(&expected));
    }

    #[test]
    fn rows_and_files_that_do_not_fit_are_refused() {
        check_refused("the rows are not in the order of the nodes", || {
            definitions(&[row(0, 0), row(2, 0), row(1, 1)], [&FIRST, &SECOND]);
        });
        check_refused("a row names a file that is not there", || {
            definitions(&[row(0, 0), row(1, 1), row(2, 0)], [&FIRST]);
        });
        check_refused("a file has fewer nodes than rows name it", || {
            definitions(&[row(0, 0), row(1, 1), row(2, 1)], [&FIRST, &SECOND]);
        });
        check_refused("a file has more nodes than rows name it", || {
            definitions(&[row(0, 0), row(1, 1)], [&FIRST, &SECOND]);
        });
    }

    #[test]
    fn ways_out_are_those_of_the_kind() {
        static TO: [NodeId; 2] = [NodeId(1), NodeId(2)];
        let outcomes = [
            Outcome::Ok,
            Outcome::Error,
            Outcome::Case(1),
            Outcome::Branch(1),
            Outcome::Joined,
            Outcome::Case(2),
            Outcome::Branch(2),
        ];
        let (one, two) = (Some(NodeId(1)), Some(NodeId(2)));
        for (next, expected) in [
            (Next::None, [None; 7]),
            (Next::Ok(TO[0]), [one, None, None, None, None, None, None]),
            (
                Next::OkOrError(TO[0], TO[1]),
                [one, two, None, None, None, None, None],
            ),
            (Next::Case(&TO), [None, None, two, None, None, None, None]),
            (Next::Branch(&TO), [None, None, None, two, None, None, None]),
            (
                Next::Joined(TO[0]),
                [None, None, None, None, one, None, None],
            ),
        ] {
            let found = outcomes.map(|outcome| next.next(outcome));
            assert_eq!(found, expected, "{next:?}");
        }
    }
}
