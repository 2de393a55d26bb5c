//! The root element: determines the language of the document, and its version.

use crate::{
    diagnostics::Sink,
    lower::{
        check::{CheckMode, Scope, namespace_of},
        schema::{ElementShape, Extensions, Vocabulary},
    },
    source::Spanned,
    syntax::xml::Element,
};

pub(super) mod missing_namespace;
pub(super) mod unknown_namespace;
pub(super) mod unknown_root_element;
pub(super) mod unsupported_document;

use self::{
    missing_namespace::MissingNamespace, unknown_namespace::UnknownNamespace,
    unknown_root_element::UnknownRootElement,
};

/// The language of a document, determined by its root.
pub(super) struct DocumentRoot<'n> {
    pub(super) vocabulary: &'static Vocabulary,
    pub(super) shape: &'static ElementShape,
    pub(super) scope: Scope<'n>,
}

/// The language of the document. `None` if there is no schema to validate it against.
///
/// A document in an unknown namespace is treated as the newest version, which allows most.
pub(super) fn of<'n>(
    root: &Element<'n>,
    mode: CheckMode,
    sink: &mut Sink,
) -> Option<DocumentRoot<'n>> {
    let local = root.name.local;
    let namespace = namespace_of(root);
    let name = || Spanned::new(root.name.qualified(), root.name_span);
    if let Some((vocabulary, version)) = Vocabulary::of_namespace(namespace)
        && (mode == CheckMode::SchemaOnly || vocabulary.is_document(local))
        && let Some(shape) = vocabulary.global(local, version)
    {
        return Some(DocumentRoot {
            vocabulary,
            shape,
            scope: Scope {
                namespace,
                prefix: vocabulary.prefix,
                version,
                extensions: Extensions::NONE,
            },
        });
    }
    let vocabulary = Vocabulary::of_document(namespace, local);
    if vocabulary.is_none_or(|vocabulary| vocabulary.element != local) {
        sink.emit(UnknownRootElement {
            name: name(),
            end_tag: root.end_tag_span(),
            prefix: root.name.prefix().map(str::to_owned),
            language: vocabulary,
        });
    }
    let vocabulary = vocabulary?;
    let known = vocabulary.version(namespace);
    if known.is_none() {
        report_namespace(root, vocabulary, sink);
    }
    Some(DocumentRoot {
        vocabulary,
        shape: vocabulary.shape,
        scope: Scope {
            namespace,
            prefix: vocabulary.prefix,
            version: known.unwrap_or(vocabulary.newest()),
            extensions: Extensions::NONE,
        },
    })
}

/// Reports a root without namespace, or in a namespace that is not of its language.
fn report_namespace(root: &Element<'_>, vocabulary: &'static Vocabulary, sink: &mut Sink) {
    let namespace = namespace_of(root);
    let declaration = root
        .declarations()
        .find(|declaration| match root.name.prefix() {
            Some(prefix) => declaration.name.prefix().is_some() && declaration.name.local == prefix,
            None => declaration.name.prefix().is_none(),
        })
        .map(|declaration| declaration.value_span);
    match declaration {
        Some(place) if !namespace.is_empty() => sink.emit(UnknownNamespace {
            namespace: Spanned::new(namespace.to_owned(), place),
            language: vocabulary,
        }),
        Some(_) | None => sink.emit(MissingNamespace {
            name: Spanned::new(root.name.qualified(), root.name_span),
            insertion: root.attribute_insertion(),
            language: vocabulary,
        }),
    }
}
