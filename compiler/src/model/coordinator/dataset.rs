//! Datasets: data that comes again and again.

use crate::{
    model::Template,
    source::{FileId, Span, Spanned},
};

/// A `dataset`.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// Empty where it is missing, which has been reported.
    pub name: Spanned<String>,
    /// The name in the start tag.
    pub tag_span: Span,
    pub frequency: Template,
    pub initial_instance: Template,
    pub timezone: Template,
    pub uri_template: Template,
    /// The file that says an instance is there: none is `_SUCCESS`, an empty one the folder itself.
    pub done_flag: Option<Template>,
}

/// A file that an `include` names.
#[derive(Clone, Debug)]
pub struct IncludedFile {
    pub file: FileId,
    /// The name in the root element's start tag.
    pub root_span: Span,
    pub includes: Vec<Template>,
    pub datasets: Vec<Dataset>,
    /// The first dataset that has a namespace: Oozie does not find those.
    pub namespaced: Option<Span>,
}
