//! The bundle application: coordinators that are started and stopped together.
//!
//! Oozie evaluates the whole text of a bundle once, names included.

use crate::{
    model::{Configuration, Parameter, Property, Template, schema::BundleVersion},
    source::{FileId, Span},
};

/// A bundle application: a `bundle.xml` and the files beside it.
#[derive(Clone, Debug)]
pub struct BundleApp {
    pub file: FileId,
    /// The name in the root element's start tag.
    pub root_span: Span,
    pub version: BundleVersion,
    pub name: Template,
    pub parameters: Vec<Parameter>,
    /// When the bundle starts; immediately if absent.
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
    /// Without effect in Oozie.
    pub critical: Option<Template>,
    /// The coordinator starts only if it is `true` or absent.
    pub enabled: Option<Template>,
    pub app_path: Template,
    /// The properties that the coordinator receives besides those of the bundle.
    pub configuration: Configuration,
}
