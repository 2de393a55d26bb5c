//! The content of a document, independent of hpdlc's support for it: its kind, the schemas and functions that it uses,
//! the variables that it reads. Collected from the XML, so that unsupported documents are included.

use std::collections::{BTreeMap, BTreeSet};

use hpdlc_core::{
    el::{
        ast::{Expr, ExprKind},
        constants,
        functions::proposal::ROOT_ELEMENT,
        parser,
    },
    secrets::Secrets,
};

use crate::syntax::xml::{Element, XmlDocument};

/// The content of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    pub kind: DocumentKind,
    /// Its `name` attribute.
    pub name: String,
    /// The namespaces of its elements.
    pub schemas: BTreeSet<String>,
    /// How often each function is called.
    pub functions: BTreeMap<String, usize>,
    /// The properties that expressions read and that have no default in `parameters`.
    pub variables: BTreeSet<String>,
    /// Values of properties with secret names, which must not be shown.
    pub secrets: Secrets,
}

/// The kind of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DocumentKind {
    Workflow,
    Coordinator,
    Bundle,
    /// In the dialect of 2009.
    WorkflowOfProposal,
    Other,
}

impl DocumentKind {
    /// The plural on the page.
    pub fn plural(self) -> &'static str {
        match self {
            DocumentKind::Workflow => "workflows",
            DocumentKind::Coordinator => "coordinators",
            DocumentKind::Bundle => "bundles",
            DocumentKind::WorkflowOfProposal => "workflows of 2009",
            DocumentKind::Other => "documents of other kinds",
        }
    }

    /// The singular on the page.
    pub fn name(self) -> &'static str {
        match self {
            DocumentKind::Workflow => "workflow",
            DocumentKind::Coordinator => "coordinator",
            DocumentKind::Bundle => "bundle",
            DocumentKind::WorkflowOfProposal => "workflow of 2009",
            DocumentKind::Other => "document of another kind",
        }
    }

    fn of(local: &str) -> DocumentKind {
        match local {
            "workflow-app" => DocumentKind::Workflow,
            "coordinator-app" => DocumentKind::Coordinator,
            "bundle-app" => DocumentKind::Bundle,
            ROOT_ELEMENT => DocumentKind::WorkflowOfProposal,
            _ => DocumentKind::Other,
        }
    }
}

/// Surveys a document.
pub fn survey(document: &XmlDocument<'_>) -> Survey {
    let root = &document.root();
    let name = root.attribute("name");
    let mut survey = Survey {
        kind: DocumentKind::of(root.name.local),
        name: name.map_or(String::new(), |name| name.value.as_str().to_owned()),
        schemas: BTreeSet::new(),
        functions: BTreeMap::new(),
        variables: BTreeSet::new(),
        secrets: Secrets::default(),
    };
    let mut properties = Vec::new();
    survey.element(root, &mut properties);
    survey.secrets = Secrets::of(
        properties
            .iter()
            .filter(|(_, value)| !value.contains("${"))
            .map(|(name, value)| (name.as_str(), value.as_str())),
    );
    for parameters in root.elements_named("parameters") {
        for property in parameters.elements_named("property") {
            if let (Some(name), Some(_)) = (property.element("name"), property.element("value")) {
                survey.variables.remove(name.trimmed_text().as_str());
            }
        }
    }
    survey
}

impl Survey {
    /// Documents are at most 256 elements deep, so the recursion is bounded.
    fn element(&mut self, element: &Element<'_>, properties: &mut Vec<(String, String)>) {
        if element.name.local == "property"
            && let (Some(name), Some(value)) = (element.element("name"), element.element("value"))
        {
            let [name, value] = [name, value].map(|child| child.trimmed_text());
            properties.push((name.as_str().to_owned(), value.as_str().to_owned()));
        }
        if let Some(namespace) = element.name.namespace()
            && !self.schemas.contains(namespace)
        {
            self.schemas.insert(namespace.to_owned());
        }
        for attribute in element.attributes() {
            self.text(attribute.value.as_str());
        }
        self.text(element.trimmed_text().as_str());
        for child in element.elements() {
            self.element(&child, properties);
        }
    }

    /// Whether the name is a constant in some texts of a coordinator; in the other texts it is not counted as a property either.
    fn has_constant(&self, name: &str) -> bool {
        const CONSTANTS: [&str; 8] = [
            "YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "MINUTES", "HOURS", "DAYS",
        ];
        self.kind == DocumentKind::Coordinator && CONSTANTS.contains(&name)
    }

    fn text(&mut self, text: &str) {
        if !text.contains("${") {
            return;
        }
        // A syntax error has been reported.
        if let Ok(template) = parser::parse_template(text) {
            template
                .expressions()
                .for_each(|expr| self.expression(expr));
        }
    }

    fn expression(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Call { prefix, name, .. } => {
                let full = match prefix {
                    Some(prefix) => format!("{prefix}:{name}"),
                    None => name.clone(),
                };
                *self.functions.entry(full).or_default() += 1;
            }
            ExprKind::Variable(name)
                if constants::find(name).is_none() && !self.has_constant(name) =>
            {
                self.variables.insert(name.clone());
            }
            ExprKind::Literal(_)
            | ExprKind::Variable(_)
            | ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Conditional { .. }
            | ExprKind::Index { .. }
            | ExprKind::Property { .. } => {}
        }
        expr.children()
            .into_iter()
            .for_each(|child| self.expression(child));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{diagnostics::Sink, source::FileId, syntax::xml::parse};

    #[test]
    fn functions_variables_and_schemas_are_found_anywhere() {
        let text = r#"<coordinator-app name="daily" frequency="${coord:days(1)}" start="${start}"
    xmlns="uri:oozie:coordinator:0.4" xmlns:sla="uri:oozie:sla:0.2">
    <parameters><property><name>queue</name><value>a</value></property></parameters>
    <action><workflow><app-path>${root}/${concat(queue, coord:days(KB))}/${YEAR}</app-path></workflow></action>
    <sla:info><x>${</x></sla:info>
    <property><name>db.password</name><value>hunter22</value></property>
</coordinator-app>"#;
        let document = parse(FileId(0), text, &mut Sink::default()).expect("is well-formed");
        let survey = survey(&document);
        assert_eq!(
            (survey.kind, survey.name.as_str()),
            (DocumentKind::Coordinator, "daily")
        );
        assert_eq!(
            survey.functions.into_iter().collect::<Vec<_>>(),
            [("concat".to_owned(), 1), ("coord:days".to_owned(), 2)]
        );
        assert_eq!(
            survey.variables.into_iter().collect::<Vec<_>>(),
            ["root", "start"]
        );
        assert_eq!(survey.secrets.masked("hunter22"), "********");
        assert_eq!(
            survey.schemas.into_iter().collect::<Vec<_>>(),
            ["uri:oozie:coordinator:0.4", "uri:oozie:sla:0.2"]
        );
    }
}
