//! Datasets: data that is produced periodically.

use crate::{
    model::Template,
    source::{FileId, Span, Spanned},
};

/// A `dataset`.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// Empty if it is missing, which has been reported.
    pub name: Spanned<String>,
    /// The name in the start tag.
    pub tag_span: Span,
    pub frequency: Template,
    pub initial_instance: Template,
    pub timezone: Template,
    pub uri_template: Template,
    /// The file whose existence marks an instance as available: absent means `_SUCCESS`, empty means the folder itself.
    pub done_flag: Option<Template>,
}

/// A file that an `include` refers to.
#[derive(Clone, Debug)]
pub struct IncludedFile {
    pub file: FileId,
    /// The name in the root element's start tag.
    pub root_span: Span,
    pub includes: Vec<Template>,
    pub datasets: Vec<Dataset>,
    /// The first dataset with a namespace: Oozie does not find those.
    pub namespaced: Option<Span>,
}
