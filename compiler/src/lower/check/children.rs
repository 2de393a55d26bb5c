//! Determines whether the children of an element match its table.
//!
//! The content models of the schemas are deterministic: the next child alone determines which place it fills. So a single
//! pass without backtracking is exact, and needs no memory.

use std::iter::Peekable;

use crate::{
    lower::{
        check::{CheckMode, DocumentWalk, ElementPath, Scope, is_sla, namespace_of},
        schema::{Accepts, Alternative, ChildGroup, Member},
    },
    syntax::xml::Element,
};

/// The children that have not been assigned to a place yet.
struct UnplacedChildren<I: Iterator> {
    children: Peekable<I>,
    /// The number of children that have been assigned to a place, and have been checked themselves.
    n_placed: usize,
}

impl DocumentWalk<'_, '_> {
    /// Checks the children of an element, and reports what is wrong with their order and number.
    pub(super) fn children(
        &mut self,
        place: ElementPath<'_, '_>,
        groups: &'static [ChildGroup],
        scope: Scope<'_>,
    ) {
        let mut rest = UnplacedChildren {
            children: place.element.elements().peekable(),
            n_placed: 0,
        };
        let is_complete = self.sequence(&mut rest, &place, groups, scope);
        if !is_complete || rest.children.peek().is_some() {
            let n_before = self.n_emitted;
            self.explain(place, groups, rest.n_placed, scope);
            debug_assert!(n_before < self.n_emitted, "there is a reason");
        }
    }

    /// Consumes from `rest` the children that fill these places. Returns whether all required places are filled.
    fn sequence<'a, I: Iterator<Item = Element<'a>>>(
        &mut self,
        rest: &mut UnplacedChildren<I>,
        place: &ElementPath<'_, '_>,
        groups: &'static [ChildGroup],
        scope: Scope<'_>,
    ) -> bool {
        groups.iter().all(|group| {
            let mut n_here = 0;
            while let Some(child) = rest.children.peek()
                && (n_here == 0 || group.repeated.contain(scope.version))
                && let Some(alternative) = self.starting(group, child, scope)
            {
                match alternative {
                    Alternative::Element(member) => {
                        while let Some(child) = rest
                            .children
                            .next_if(|child| self.is_of(child, member, scope))
                        {
                            rest.n_placed += 1;
                            n_here += 1;
                            self.member(place, &child, member, scope);
                            if !member.is_repeated {
                                break;
                            }
                        }
                    }
                    Alternative::Sequence(groups) => {
                        if !self.sequence(rest, place, groups, scope) {
                            return false;
                        }
                        n_here += 1;
                    }
                }
            }
            match n_here {
                0 => !group.required.contain(scope.version),
                n_here => n_here >= group.least,
            }
        })
    }

    /// The alternative of `group` that `child` can be the first element of.
    fn starting(
        &self,
        group: &'static ChildGroup,
        child: &Element<'_>,
        scope: Scope<'_>,
    ) -> Option<&'static Alternative> {
        group
            .alternatives()
            .iter()
            .find(|alternative| match alternative {
                Alternative::Element(member) => self.is_of(child, member, scope),
                Alternative::Sequence(groups) => {
                    for group in *groups {
                        if self.starting(group, child, scope).is_some() {
                            return true;
                        }
                        if group.required.contain(scope.version) {
                            return false;
                        }
                    }
                    false
                }
            })
    }

    /// Whether `child` matches `member`.
    fn is_of(&self, child: &Element<'_>, member: &Member, scope: Scope<'_>) -> bool {
        let is_accepted = match member.accepts {
            Accepts::Named(name) => name == child.name.local && scope.owns(child),
            Accepts::Of(namespace) => namespace_of(child) == namespace,
            // An SLA block would be valid as a body, but is never meant as one.
            Accepts::Extension => {
                !namespace_of(child).is_empty()
                    && !scope.owns(child)
                    && (self.mode == CheckMode::SchemaOnly || !is_sla(child))
            }
        };
        is_accepted && self.is_available(member, scope.version)
    }
}
