//! Reports what is wrong with the order and number of an element's children.

use std::{borrow::Cow, cell::OnceCell, collections::BTreeSet};

use crate::{
    diagnostics::nearest,
    lower::{
        check::{
            CheckMode, DocumentWalk, ElementPath, Scope,
            body::{self, CheckedBody},
            conflicting_elements::ConflictingElements,
            custom_action_type::CustomActionType,
            element_not_in_version::ElementNotInVersion,
            features_missing_from_schema::FeatureMissingFromSchema,
            is_sla,
            leaves::{Leaf, PlacedChild, leaves},
            missing_element::MissingElement,
            namespace_of, order,
            repeated_element::RepeatedElement,
            several_action_bodies::SeveralActionBodies,
            unknown_element::UnknownElement,
            wrong_element_namespace::WrongElementNamespace,
        },
        schema::{Accepts, Alternative, ChildGroup, Extensions, Member, Vocabulary},
    },
    source::Spanned,
    syntax::xml::Element,
};

impl DocumentWalk<'_, '_> {
    /// Reports why the children of an element do not match these places. The first `n_checked` of them have been checked.
    pub(super) fn explain(
        &mut self,
        place: ElementPath<'_, '_>,
        groups: &'static [ChildGroup],
        n_checked: usize,
        scope: Scope<'_>,
    ) {
        let element = &place.element;
        let leaves = leaves(groups);
        let mut placed = Vec::new();
        let mut meant = BTreeSet::new();
        let has_known_body = OnceCell::new();
        for (index, child) in element.elements().enumerate() {
            match self.find(&leaves, groups, element, &child, scope, &has_known_body) {
                Some(leaf) => {
                    placed.push(PlacedChild {
                        element: child,
                        group: leaf.group,
                        alternative: leaf.alternative,
                        member: leaf.member,
                    });
                    if index >= n_checked {
                        self.member(&place, &child, leaf.member, scope);
                    }
                }
                None => meant.extend(self.report_unknown(&child, element, groups, scope)),
            }
        }
        self.places(element, groups, &placed, &meant, scope);
    }

    /// Reports wrong order, excess and gaps among the children that have been assigned to places. For each name in `meant`
    /// there is a child with a similar name.
    fn places(
        &mut self,
        element: &Element<'_>,
        groups: &'static [ChildGroup],
        placed: &[PlacedChild<'_>],
        meant: &BTreeSet<&'static str>,
        scope: Scope<'_>,
    ) {
        order::check(placed, self);
        let by_group = by_group(placed);
        let mut rest = by_group.as_ref();
        for (index, group) in groups.iter().enumerate() {
            let n_here = rest
                .iter()
                .take_while(|placed| placed.group == index)
                .count();
            let (here, later) = rest.split_at(n_here);
            rest = later;
            self.excess(element, group, here, scope);
            self.nested(element, group, here, meant, scope);
            let is_short = match here.len() {
                0 => group.required.contain(scope.version),
                n_here => n_here < group.least,
            };
            let is_meant = || {
                let members = group.members();
                let mut names = members.iter().filter_map(|member| member.name());
                names.any(|name| meant.contains(name))
            };
            if is_short && !is_meant() {
                let mut earlier = placed.iter().filter(|placed| placed.group <= index);
                self.emit(MissingElement {
                    parent: Spanned::new(element.name.local.to_owned(), element.name_span),
                    prefix: element.name.prefix(),
                    wanted: group,
                    scope,
                    n_found: here.len(),
                    insertion: match earlier.next_back() {
                        Some(placed) => Some(placed.element.span().at_end()),
                        None => element
                            .end_tag_span()
                            .map(|_| element.start_tag_span().at_end()),
                    },
                });
            }
        }
    }

    /// Checks the places nested in a place, if children have selected them.
    fn nested(
        &mut self,
        element: &Element<'_>,
        group: &'static ChildGroup,
        here: &[PlacedChild<'_>],
        meant: &BTreeSet<&'static str>,
        scope: Scope<'_>,
    ) {
        let Some(first) = here.first() else { return };
        let Some(Alternative::Sequence(groups)) = group.alternatives().get(first.alternative)
        else {
            return;
        };
        let leaves = leaves(groups);
        let inside: Vec<PlacedChild<'_>> = here
            .iter()
            .filter(|child| child.alternative == first.alternative)
            .filter_map(|child| {
                let leaf = leaves
                    .iter()
                    .find(|leaf| std::ptr::eq(leaf.member, child.member))?;
                Some(PlacedChild {
                    group: leaf.group,
                    alternative: leaf.alternative,
                    ..*child
                })
            })
            .collect();
        self.places(element, groups, &inside, meant, scope);
    }

    /// Reports elements that occur too often at their place, or beside one that excludes them.
    fn excess(
        &mut self,
        parent: &Element<'_>,
        group: &'static ChildGroup,
        here: &[PlacedChild<'_>],
        scope: Scope<'_>,
    ) {
        let Some((first, others)) = here.split_first() else {
            return;
        };
        if group.repeated.contain(scope.version) {
            return;
        }
        let is_sequence = matches!(
            group.alternatives().get(first.alternative),
            Some(Alternative::Sequence(_))
        );
        let mut excluded = Vec::new();
        for other in others {
            let first_name = Spanned::new(first.element.name.qualified(), first.element.name_span);
            let other_name = Spanned::new(other.element.name.qualified(), other.element.name_span);
            if group.is_action_body() {
                self.emit(SeveralActionBodies {
                    first: first_name,
                    second: other_name,
                });
            } else if first.alternative != other.alternative {
                // Reported once, however many of them there are.
                if !excluded.contains(&other.alternative) {
                    excluded.push(other.alternative);
                    self.emit(ConflictingElements {
                        parent: parent.name.local.to_owned(),
                        first: first_name,
                        second: other_name,
                    });
                }
            } else if !first.member.is_repeated && !is_sequence {
                self.emit(RepeatedElement {
                    parent: parent.name.local.to_owned(),
                    first: first_name.span,
                    second: other_name,
                    whole: other.element.span(),
                    repeated: group.repeated,
                    prefix: scope.prefix,
                });
            }
        }
    }

    /// The place of `child` in `parent`, if this version of the schema has one.
    pub(super) fn find(
        &self,
        leaves: &[Leaf],
        groups: &'static [ChildGroup],
        parent: &Element<'_>,
        child: &Element<'_>,
        scope: Scope<'_>,
        has_known_body: &OnceCell<bool>,
    ) -> Option<Leaf> {
        let local = child.name.local;
        let is_own = scope.owns(child);
        let available = |leaf: &&Leaf| self.is_available(leaf.member, scope.version);
        let mut available = leaves.iter().filter(available);
        let direct = available.find(|leaf| match leaf.member.accepts {
            Accepts::Named(name) => is_own && name == local,
            Accepts::Of(namespace) => namespace_of(child) == namespace,
            Accepts::Extension => false,
        });
        if direct.is_some() || is_sla(child) {
            return direct.copied();
        }
        body::is_body(leaves, groups, parent, child, scope, has_known_body)
            .then(|| {
                let mut leaves = leaves.iter();
                leaves.find(|leaf| leaf.member.accepts == Accepts::Extension)
            })
            .flatten()
            .copied()
    }

    /// Checks a child at a place of `member`.
    pub(super) fn member(
        &mut self,
        parent: &ElementPath<'_, '_>,
        child: &Element<'_>,
        member: &'static Member,
        scope: Scope<'_>,
    ) {
        let place = parent.child(child);
        match member.accepts {
            Accepts::Named(name) => {
                if !member.is_allowed(scope.version) {
                    self.emit(FeatureMissingFromSchema {
                        what: format!("the `{name}` element"),
                        place: child.name_span,
                        version: scope.known_namespace(),
                        available: member.availability.allowed.describe(scope.prefix),
                    });
                }
                self.element(place, member.shape, scope);
            }
            Accepts::Of(_) => self.block(place),
            Accepts::Extension => self.body(place, scope),
        }
    }

    /// Checks an element of an SLA language, if its version is allowed here.
    fn block(&mut self, place: ElementPath<'_, '_>) {
        let block = &place.element;
        if !self.foreign(place) {
            let names = ["info"];
            self.emit(UnknownElement {
                name: Spanned::new(block.name.qualified(), block.name_span),
                end_tag: block.end_tag_span(),
                prefix: block.name.prefix().map(str::to_owned),
                local: block.name.local.to_owned(),
                parent: place
                    .outer
                    .map_or_else(String::new, |outer| outer.element.name.local.to_owned()),
                similar: nearest(block.name.local, names).and(Some("info")),
                allowed: names.to_vec(),
            });
        }
    }

    fn body(&mut self, place: ElementPath<'_, '_>, scope: Scope<'_>) {
        // For a validator, any element is a valid body if its own schema declares it.
        if self.mode == CheckMode::SchemaOnly && !scope.owns(&place.element) && self.foreign(place)
        {
            return;
        }
        match body::resolve(&place.element, scope) {
            CheckedBody::Known { shape, scope } => self.element(place, shape, scope),
            CheckedBody::WrongNamespace {
                shape,
                scope,
                mistake,
            } => {
                self.emit(mistake);
                self.element(place, shape, scope);
            }
            // It may be of an extension whose manifest has been reported.
            CheckedBody::Unknown(mistake)
                if mistake.is_of_nobody() && !scope.extensions.is_complete => {}
            CheckedBody::Unknown(mistake) if mistake.is_custom() => self.emit(CustomActionType {
                name: mistake.name,
                namespace: mistake.namespace,
            }),
            CheckedBody::Unknown(mistake) => self.emit(mistake),
        }
    }

    /// Checks an element by the schema of its own namespace, if that declares it.
    fn foreign(&mut self, place: ElementPath<'_, '_>) -> bool {
        let namespace = namespace_of(&place.element);
        let found = Vocabulary::of_namespace(namespace).and_then(|(vocabulary, version)| {
            let shape = vocabulary.global(place.element.name.local, version)?;
            let scope = Scope {
                namespace,
                prefix: vocabulary.prefix,
                version,
                extensions: Extensions::NONE,
            };
            Some((shape, scope))
        });
        if let Some((shape, scope)) = found {
            self.element(place, shape, scope);
        }
        found.is_some()
    }

    /// Reports a child that is not allowed here. Returns the name that was probably meant.
    pub(super) fn report_unknown(
        &mut self,
        child: &Element<'_>,
        parent: &Element<'_>,
        groups: &'static [ChildGroup],
        scope: Scope<'_>,
    ) -> Option<&'static str> {
        let local = child.name.local;
        let leaves = leaves(groups);
        let members = || leaves.iter().map(|leaf| leaf.member);
        let is_named = |member: &&'static Member| match member.accepts {
            Accepts::Named(name) => name == local,
            Accepts::Of(namespace) => namespace_of(child) == namespace,
            Accepts::Extension => false,
        };
        let is_available = |member: &&'static Member| self.is_available(member, scope.version);
        let named = members()
            .filter(is_named)
            .find(is_available)
            .or_else(|| members().find(is_named));
        if let Some(member) = named {
            if is_available(&member) {
                self.emit(WrongElementNamespace::new(child, scope.namespace));
            } else {
                self.emit(ElementNotInVersion {
                    name: Spanned::new(child.name.qualified(), child.name_span),
                    version: scope.known_namespace(),
                    available: member.availability.allowed.describe(scope.prefix),
                });
            }
            return member.name();
        }
        let mut block = members()
            .filter(is_available)
            .filter_map(|member| match member.accepts {
                Accepts::Of(namespace) => Some(namespace),
                Accepts::Named(_) | Accepts::Extension => None,
            });
        if is_sla(child)
            && let Some(namespace) = block.next_back()
        {
            self.emit(WrongElementNamespace::new(child, namespace));
            return None;
        }
        let allowed: Vec<&'static str> = members()
            .filter(|member| member.is_allowed(scope.version))
            .filter_map(Member::name)
            .collect();
        let similar = nearest(local, allowed.iter().copied());
        let similar = similar.and_then(|name| allowed.iter().copied().find(|other| *other == name));
        let similar = similar.or_else(|| longer(local, &allowed));
        self.emit(UnknownElement {
            name: Spanned::new(child.name.qualified(), child.name_span),
            end_tag: child.end_tag_span(),
            prefix: child.name.prefix().map(str::to_owned),
            local: local.to_owned(),
            parent: parent.name.local.to_owned(),
            similar,
            allowed,
        });
        similar
    }
}

/// The children grouped by place, those of one place in document order.
fn by_group<'p, 'a>(placed: &'p [PlacedChild<'a>]) -> Cow<'p, [PlacedChild<'a>]> {
    if placed.is_sorted_by_key(|child| child.group) {
        return Cow::Borrowed(placed);
    }
    let mut sorted = placed.to_vec();
    sorted.sort_by_key(|child| child.group);
    Cow::Owned(sorted)
}

/// The only name that begins with this one as a word, such as `env-var` for `env`.
fn longer(name: &str, allowed: &[&'static str]) -> Option<&'static str> {
    let begins = |longer: &&&'static str| {
        longer
            .strip_prefix(name)
            .is_some_and(|rest| rest.starts_with('-'))
    };
    let mut found = allowed.iter().filter(begins);
    match (found.next(), found.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}
