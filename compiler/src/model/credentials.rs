//! Credentials: the secured services that an action may use.

use crate::{
    model::Property,
    source::{Span, Spanned},
};

/// The `credentials` section.
#[derive(Clone, Debug)]
pub struct Credentials {
    /// The name in the section's start tag.
    pub span: Span,
    pub list: Vec<Credential>,
}

/// One `credential`. Its properties are evaluated when an action that refers to it starts, with job properties and without
/// functions (`JavaActionExecutor.getCredProperties`).
#[derive(Clone, Debug)]
pub struct Credential {
    pub name: Spanned<String>,
    /// `hcat`, `hbase`, `hive2` or any other type for which the site has a provider.
    pub r#type: Spanned<String>,
    pub properties: Vec<Property>,
}

impl Credentials {
    /// The credential of that name, compared case-insensitively as in Oozie.
    pub fn named(&self, name: &str) -> Option<&Credential> {
        self.list
            .iter()
            .find(|credential| credential.name.value.eq_ignore_ascii_case(name))
    }
}
