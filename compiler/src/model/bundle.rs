//! The bundle application: coordinators that are started and stopped together.
//!
//! Oozie evaluates the whole text of a bundle once, names included.

use crate::{
    model::{Configuration, Parameter, Property, Template, schema::BundleVersion},
    source::{FileId, Span},
};

/// A bundle application: one `bundle.xml` with what is beside it.
#[derive(Clone, Debug)]
pub struct BundleApp {
    pub file: FileId,
    /// The name in the root element's start tag.
    pub root_span: Span,
    pub version: BundleVersion,
    pub name: Template,
    pub parameters: Vec<Parameter>,
    /// When the bundle starts; at once where there is none.
    pub kick_off_time: Option<Template>,
    pub coordinators: Vec<BundleCoordinator>,
    /// Properties of `bundle-config-default.xml` beside the document.
    pub config_default: Vec<Property>,
}

/// A `coordinator` of a bundle.
#[derive(Clone, Debug)]
pub struct BundleCoordinator {
    /// The name in the start tag.
    pub tag_span: Span,
    pub name: Template,
    /// Of no effect in Oozie.
    pub critical: Option<Template>,
    /// Only `true` starts the coordinator; so does no attribute.
    pub enabled: Option<Template>,
    pub app_path: Template,
    /// What the coordinator gets besides the properties of the bundle.
    pub configuration: Configuration,
}
