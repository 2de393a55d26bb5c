//! Namespace declarations in scope.

use std::collections::BTreeMap;

const XML: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

use super::{
    MAX_DECLARATIONS, faults::advanced, invalid_namespace_declaration::NamespaceFault, tree::NONE,
};

/// The declarations in scope, outermost first. The reader truncates to an earlier length at the end of an element.
#[derive(Debug, Default)]
pub(super) struct Namespaces<'a> {
    bindings: Vec<Binding<'a>>,
    /// Interned namespaces, since thousands of elements share a few, with their numbers in the document.
    numbers: BTreeMap<Box<str>, u32>,
}

#[derive(Debug)]
struct Binding<'a> {
    prefix: Option<&'a str>,
    /// [`NONE`] if `xmlns=""` removes the default namespace.
    namespace: u32,
}

/// No declaration in scope has this prefix.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Undeclared;

impl<'a> Namespaces<'a> {
    pub(super) fn len(&self) -> usize {
        self.bindings.len()
    }

    pub(super) fn truncate(&mut self, length: usize) {
        self.bindings.truncate(length);
    }

    /// Adds `xmlns:prefix="namespace"`, or `xmlns="namespace"`.
    pub(super) fn declare(
        &mut self,
        prefix: Option<&'a str>,
        namespace: &str,
    ) -> Result<(), NamespaceFault> {
        match prefix {
            Some("xml") if namespace == XML => {}
            Some("xml" | "xmlns") => return Err(NamespaceFault::ReservedPrefix),
            Some(_) if namespace.is_empty() => return Err(NamespaceFault::Empty),
            Some(_) | None if namespace == XML || namespace == XMLNS => {
                return Err(NamespaceFault::ReservedNamespace);
            }
            Some(_) | None => {}
        }
        if self.bindings.len() >= MAX_DECLARATIONS {
            return Err(NamespaceFault::TooMany);
        }
        let namespace = match namespace {
            "" => NONE,
            namespace => self.number(namespace),
        };
        self.bindings.push(Binding { prefix, namespace });
        Ok(())
    }

    /// The number of the namespace of an element with this prefix, or of an attribute with one; [`NONE`] for no namespace.
    pub(super) fn resolve(&mut self, prefix: Option<&str>) -> Result<u32, Undeclared> {
        let declared = self
            .bindings
            .iter()
            .rev()
            .find(|binding| binding.prefix == prefix);
        match (declared, prefix) {
            (Some(binding), _) => Ok(binding.namespace),
            (None, None) => Ok(NONE),
            (None, Some("xml")) => Ok(self.number(XML)),
            (None, Some(_)) => Err(Undeclared),
        }
    }

    /// The number of the namespace of namespace declarations themselves.
    pub(super) fn of_declarations(&mut self) -> u32 {
        self.number(XMLNS)
    }

    /// The namespaces by number.
    pub(super) fn into_names(self) -> Vec<Box<str>> {
        let mut numbered: Vec<(u32, Box<str>)> = self
            .numbers
            .into_iter()
            .map(|(name, number)| (number, name))
            .collect();
        numbered.sort_unstable();
        numbered.into_iter().map(|(_, name)| name).collect()
    }

    fn number(&mut self, namespace: &str) -> u32 {
        if let Some(number) = self.numbers.get(namespace) {
            return *number;
        }
        let number = advanced(0, self.numbers.len());
        self.numbers.insert(namespace.into(), number);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Namespaces<'_> {
        fn resolved(&mut self, prefix: Option<&str>) -> Result<Option<&str>, Undeclared> {
            let wanted = self.resolve(prefix)?;
            let found = self.numbers.iter().find(|(_, number)| **number == wanted);
            Ok(found.map(|(name, _)| &**name))
        }
    }

    #[test]
    fn innermost_declaration_counts_until_it_ends() {
        let mut namespaces = Namespaces::default();
        assert_eq!(namespaces.resolved(None), Ok(None));
        namespaces.declare(None, "uri:a").unwrap();
        let outer = namespaces.len();
        namespaces.declare(None, "uri:b").unwrap();
        namespaces.declare(Some("p"), "uri:c").unwrap();
        assert_eq!(namespaces.resolved(None).unwrap(), Some("uri:b"));
        assert_eq!(namespaces.resolved(Some("p")).unwrap(), Some("uri:c"));
        namespaces.declare(None, "").unwrap();
        assert_eq!(namespaces.resolved(None), Ok(None));
        namespaces.truncate(outer);
        assert_eq!(namespaces.resolved(None).unwrap(), Some("uri:a"));
        assert_eq!(namespaces.resolved(Some("p")), Err(Undeclared));
    }

    #[test]
    fn reserved_names_keep_their_meaning() {
        let mut namespaces = Namespaces::default();
        assert_eq!(namespaces.resolved(Some("xml")).unwrap(), Some(XML));
        assert_eq!(namespaces.declare(Some("xml"), XML), Ok(()));
        assert_eq!(
            namespaces.declare(Some("xml"), "uri:a"),
            Err(NamespaceFault::ReservedPrefix)
        );
        assert_eq!(
            namespaces.declare(Some("xmlns"), "uri:a"),
            Err(NamespaceFault::ReservedPrefix)
        );
        assert_eq!(
            namespaces.declare(Some("p"), XML),
            Err(NamespaceFault::ReservedNamespace)
        );
        assert_eq!(
            namespaces.declare(None, XMLNS),
            Err(NamespaceFault::ReservedNamespace)
        );
        assert_eq!(
            namespaces.declare(Some("p"), ""),
            Err(NamespaceFault::Empty)
        );
    }

    #[test]
    fn declarations_in_scope_are_limited() {
        let mut namespaces = Namespaces::default();
        for _ in 0..MAX_DECLARATIONS {
            namespaces.declare(Some("p"), "uri:a").unwrap();
        }
        assert_eq!(
            namespaces.declare(Some("p"), "uri:a"),
            Err(NamespaceFault::TooMany)
        );
    }
}
