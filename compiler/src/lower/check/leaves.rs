//! The places that the schema defines for children, and the children assigned to them.

use crate::{
    lower::schema::{ChildGroup, Member},
    syntax::xml::Element,
};

/// A member with the place that it belongs to.
#[derive(Clone, Copy)]
pub(super) struct Leaf {
    pub(super) group: usize,
    /// The index of the place's alternative that it is in.
    pub(super) alternative: usize,
    pub(super) member: &'static Member,
}

/// All members of these places, in the schema's order.
pub(super) fn leaves(groups: &'static [ChildGroup]) -> Vec<Leaf> {
    let mut found = Vec::new();
    for (group, places) in groups.iter().enumerate() {
        for (alternative, choice) in places.alternatives().iter().enumerate() {
            let members = choice.members().into_iter();
            found.extend(members.map(|member| Leaf {
                group,
                alternative,
                member,
            }));
        }
    }
    found
}

/// A child that has been assigned to a place.
#[derive(Clone, Copy)]
pub(super) struct PlacedChild<'a> {
    pub(super) element: Element<'a>,
    pub(super) group: usize,
    pub(super) alternative: usize,
    pub(super) member: &'static Member,
}
