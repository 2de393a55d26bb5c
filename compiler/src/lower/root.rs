//! The root element: which language the document is written in, and in which version of it.

use crate::{
    diagnostics::Sink,
    lower::{
        check::{Scope, namespace_of},
        schema::{Version, WORKFLOW_PREFIX},
    },
    model::WorkflowVersion,
    source::Spanned,
    syntax::xml::Element,
};

pub(super) mod missing_namespace;
pub(super) mod unknown_namespace;
pub(super) mod unknown_root_element;
pub(super) mod unsupported_document;

use self::{
    missing_namespace::MissingNamespace, unknown_namespace::UnknownNamespace,
    unknown_root_element::UnknownRootElement, unsupported_document::UnsupportedDocument,
};

/// The version to read the document by, and the scope of its root. `None` where it is not a workflow at all.
///
/// A workflow of an unknown namespace is read by the newest version, which allows most.
pub(super) fn version_of<'n>(
    root: &Element<'n>,
    sink: &mut Sink,
) -> Option<(WorkflowVersion, Scope<'n>)> {
    let namespace = namespace_of(root);
    let name = Spanned::new(root.name.qualified(), root.name_span);
    let is_workflow = namespace.starts_with(WORKFLOW_PREFIX);
    if let Some(language) = unsupported_document::language(root.name.local, namespace) {
        sink.emit(UnsupportedDocument { name, language });
        return None;
    }
    if root.name.local != "workflow-app" {
        sink.emit(UnknownRootElement {
            name,
            end_tag: root.end_tag_span(),
            prefix: root.name.prefix().map(str::to_owned),
            is_workflow,
        });
        if !is_workflow {
            return None;
        }
    }
    let known = WorkflowVersion::from_namespace(namespace);
    if known.is_none() {
        let declaration = root
            .declarations()
            .find(|declaration| match root.name.prefix() {
                Some(prefix) => {
                    declaration.name.prefix().is_some() && declaration.name.local == prefix
                }
                None => declaration.name.prefix().is_none(),
            })
            .map(|declaration| declaration.value_span);
        match declaration {
            Some(place) if !namespace.is_empty() => sink.emit(UnknownNamespace {
                namespace: Spanned::new(namespace.to_owned(), place),
            }),
            Some(_) | None => sink.emit(MissingNamespace {
                name: Spanned::new(root.name.qualified(), root.name_span),
                insertion: root.attribute_insertion(),
            }),
        }
    }
    let version = known.unwrap_or(WorkflowVersion::V1_0);
    let scope = Scope {
        namespace,
        prefix: WORKFLOW_PREFIX,
        version: schema_version(version),
    };
    Some((version, scope))
}

fn schema_version(version: WorkflowVersion) -> Version {
    match version {
        WorkflowVersion::V0_1 => Version::new(0, 1),
        WorkflowVersion::V0_2 => Version::new(0, 2),
        WorkflowVersion::V0_2_5 => Version::patch(0, 2, 5),
        WorkflowVersion::V0_3 => Version::new(0, 3),
        WorkflowVersion::V0_4 => Version::new(0, 4),
        WorkflowVersion::V0_4_5 => Version::patch(0, 4, 5),
        WorkflowVersion::V0_5 => Version::new(0, 5),
        WorkflowVersion::V1_0 => Version::new(1, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_the_ends_of_their_namespaces() {
        for version in WorkflowVersion::ALL {
            let namespace = format!("{WORKFLOW_PREFIX}{}", schema_version(version));
            assert_eq!(version.namespace(), namespace);
        }
    }
}
