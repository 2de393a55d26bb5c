//! Namespace declarations in scope.

use std::{collections::BTreeSet, sync::Arc};

const XML: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

use super::{MAX_DECLARATIONS, invalid_namespace_declaration::NamespaceFault};

/// The declarations in scope, outermost first. The reader truncates to an earlier length at the end of an element.
#[derive(Debug, Default)]
pub(super) struct Namespaces<'a> {
    bindings: Vec<Binding<'a>>,
    /// Each namespace once, since thousands of elements share a few.
    names: BTreeSet<Arc<str>>,
}

#[derive(Debug)]
struct Binding<'a> {
    prefix: Option<&'a str>,
    /// `None` where `xmlns=""` takes the default namespace away.
    namespace: Option<Arc<str>>,
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

    /// Takes up `xmlns:prefix="namespace"`, or `xmlns="namespace"`.
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
        let namespace = (!namespace.is_empty()).then(|| self.shared(namespace));
        self.bindings.push(Binding { prefix, namespace });
        Ok(())
    }

    /// The namespace of an element with this prefix, or of an attribute with one.
    pub(super) fn resolve(&mut self, prefix: Option<&str>) -> Result<Option<Arc<str>>, Undeclared> {
        let declared = self
            .bindings
            .iter()
            .rev()
            .find(|binding| binding.prefix == prefix);
        match (declared, prefix) {
            (Some(binding), _) => Ok(binding.namespace.clone()),
            (None, None) => Ok(None),
            (None, Some("xml")) => Ok(Some(self.shared(XML))),
            (None, Some(_)) => Err(Undeclared),
        }
    }

    /// The namespace of namespace declarations themselves.
    pub(super) fn of_declarations(&mut self) -> Arc<str> {
        self.shared(XMLNS)
    }

    fn shared(&mut self, namespace: &str) -> Arc<str> {
        match self.names.get(namespace) {
            Some(shared) => Arc::clone(shared),
            None => {
                let shared: Arc<str> = Arc::from(namespace);
                self.names.insert(Arc::clone(&shared));
                shared
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn innermost_declaration_counts_until_it_ends() {
        let mut namespaces = Namespaces::default();
        assert_eq!(namespaces.resolve(None), Ok(None));
        namespaces.declare(None, "uri:a").unwrap();
        let outer = namespaces.len();
        namespaces.declare(None, "uri:b").unwrap();
        namespaces.declare(Some("p"), "uri:c").unwrap();
        assert_eq!(namespaces.resolve(None).unwrap().as_deref(), Some("uri:b"));
        assert_eq!(
            namespaces.resolve(Some("p")).unwrap().as_deref(),
            Some("uri:c")
        );
        namespaces.declare(None, "").unwrap();
        assert_eq!(namespaces.resolve(None), Ok(None));
        namespaces.truncate(outer);
        assert_eq!(namespaces.resolve(None).unwrap().as_deref(), Some("uri:a"));
        assert_eq!(namespaces.resolve(Some("p")), Err(Undeclared));
    }

    #[test]
    fn reserved_names_keep_their_meaning() {
        let mut namespaces = Namespaces::default();
        assert_eq!(
            namespaces.resolve(Some("xml")).unwrap().as_deref(),
            Some(XML)
        );
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
