//! A coordinator's document as stored: the texts of one revision, from the table of the executable that submitted them,
//! with those of the included files.

use std::{borrow::Cow, collections::BTreeMap};

use hpdlc_core::{
    coordinator::{
        Controls, CoordinatorDefinition, DatasetText, EventText, InstanceTexts, LogicText,
        LogicTextKind,
    },
    el::{parser, text::Text},
    sla::SlaTexts,
};
use serde::{Deserialize, Serialize};

use crate::table::{self, Instances, LogicKind, Property, Template};

/// The texts of a coordinator's table, by source: in a revision, only others are parsed, such as those of files that were read
/// when the job was submitted, or of another executable.
#[derive(Clone, Debug, Default)]
pub struct CompiledTexts(BTreeMap<Cow<'static, str>, Template>);

impl CompiledTexts {
    pub fn of(table: &'static table::Coordinator) -> CompiledTexts {
        let texts = table.templates().into_iter();
        CompiledTexts(texts.map(|text| (text.source(), text)).collect())
    }

    /// The text with this source.
    ///
    /// # Errors
    ///
    /// The invalid text with its syntax error.
    pub fn text(&self, source: &str) -> Result<Text, String> {
        match self.0.get(source) {
            Some(compiled) => Ok(Text::new(*compiled)),
            None => parser::parse_template(source)
                .map(Text::from)
                .map_err(|error| format!("`{source}`: {error}")),
        }
    }

    /// The compiled text with this source, if there is one.
    pub fn find(&self, source: &str) -> Option<&Template> {
        self.0.get(source)
    }

    fn optional(&self, source: Option<&str>) -> Result<Option<Text>, String> {
        source.map(|source| self.text(source)).transpose()
    }

    fn list(&self, sources: &[String]) -> Result<Vec<Text>, String> {
        sources.iter().map(|source| self.text(source)).collect()
    }
}

/// All texts of a coordinator.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoordinatorTexts {
    /// The XML file, for messages.
    pub source: String,
    pub name: String,
    pub frequency: String,
    pub start: String,
    pub end: String,
    pub timezone: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub controls: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub datasets: BTreeMap<String, DatasetTexts>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<EventTexts>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_logic: Option<LogicTexts>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<EventTexts>,
    pub app_path: String,
    /// Names and values, in document order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub configuration: Vec<(String, String)>,
    /// Names and values, in the order of the schema.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sla: Vec<(String, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatasetTexts {
    pub frequency: String,
    pub initial_instance: String,
    pub timezone: String,
    pub uri_template: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done_flag: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventTexts {
    pub name: String,
    pub dataset: String,
    /// Each instance, or the two ends of a range.
    pub instances: Vec<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_range: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nocleanup: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogicTexts {
    /// `and`, `or`, `combine`, or `data-in` with the input's name.
    pub element: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<LogicTexts>,
}

impl CoordinatorTexts {
    /// The texts of the table. The caller adds the datasets of included files, because it knows which files were read.
    pub fn of(table: &table::Coordinator) -> CoordinatorTexts {
        let own = table.datasets.iter();
        CoordinatorTexts {
            source: table.source.to_owned(),
            name: text(&table.name),
            frequency: text(&table.frequency),
            start: text(&table.start),
            end: text(&table.end),
            timezone: text(&table.timezone),
            controls: elements(table.controls.elements()).collect(),
            datasets: own.map(DatasetTexts::named).collect(),
            inputs: table.inputs.iter().map(EventTexts::of).collect(),
            input_logic: table.input_logic.map(LogicTexts::of),
            outputs: table.outputs.iter().map(EventTexts::of).collect(),
            app_path: text(&table.app_path),
            configuration: named(table.configuration).collect(),
            sla: elements(table.sla.into_iter().flat_map(SlaTexts::elements)).collect(),
        }
    }

    /// The texts with their code.
    ///
    /// # Errors
    ///
    /// The invalid text with its syntax error. Only texts of files that were read at run time have not been parsed before.
    pub fn definition(&self, compiled: &CompiledTexts) -> Result<CoordinatorDefinition, String> {
        let text = |source: &str| compiled.text(source);
        let events = |events: &[EventTexts]| -> Result<Vec<EventText>, String> {
            let events = events.iter();
            events.map(|event| event.definition(compiled)).collect()
        };
        let mut datasets = BTreeMap::new();
        for (name, dataset) in &self.datasets {
            let dataset = dataset
                .definition(compiled)
                .map_err(|problem| format!("dataset `{name}`: {problem}"))?;
            datasets.insert(name.clone(), dataset);
        }
        let logic = self.input_logic.as_ref();
        Ok(CoordinatorDefinition {
            name: text(&self.name)?,
            frequency: text(&self.frequency)?,
            start: text(&self.start)?,
            end: text(&self.end)?,
            timezone: text(&self.timezone)?,
            controls: Controls::of(|name| self.controls.get(name))
                .try_map(|_, source| compiled.text(source))?,
            datasets,
            inputs: events(&self.inputs)?,
            input_logic: logic.map(|logic| logic.definition(compiled)).transpose()?,
            outputs: events(&self.outputs)?,
            sla: self.sla(compiled)?,
        })
    }

    fn sla(&self, compiled: &CompiledTexts) -> Result<Option<SlaTexts<Text>>, String> {
        if self.sla.is_empty() {
            return Ok(None);
        }
        let sources = SlaTexts::of(|element| {
            let mut texts = self.sla.iter();
            texts.find_map(|(name, source)| (name == element).then_some(source))
        });
        sources.try_map(|_, source| compiled.text(source)).map(Some)
    }

    /// The names and values of the workflow's configuration.
    ///
    /// # Errors
    ///
    /// As [`CoordinatorTexts::definition`].
    pub fn configuration(&self, compiled: &CompiledTexts) -> Result<Vec<(Text, Text)>, String> {
        self.configuration
            .iter()
            .map(|(name, value)| Ok((compiled.text(name)?, compiled.text(value)?)))
            .collect()
    }

    /// Whether the data of an output event is kept when its action is rerun (`nocleanup`): only for `true`.
    pub fn keeps(&self, event: &str) -> bool {
        let event = self.outputs.iter().find(|output| output.name == event);
        event
            .and_then(|event| event.nocleanup.as_deref())
            .is_some_and(|text| text.trim() == "true")
    }

    /// One line per text, for a readable diff.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            format!("name: {}", self.name),
            format!("frequency: {}", self.frequency),
            format!("start: {}", self.start),
            format!("end: {}", self.end),
            format!("timezone: {}", self.timezone),
        ];
        let controls = self.controls.iter();
        lines.extend(controls.map(|(name, text)| format!("{name}: {text}")));
        for (name, dataset) in &self.datasets {
            lines.push(format!("dataset {name} frequency: {}", dataset.frequency));
            let DatasetTexts {
                initial_instance,
                timezone,
                uri_template,
                done_flag,
                ..
            } = dataset;
            lines.push(format!(
                "dataset {name} initial-instance: {initial_instance}"
            ));
            lines.push(format!("dataset {name} timezone: {timezone}"));
            lines.push(format!("dataset {name} uri-template: {uri_template}"));
            let flag = done_flag.iter();
            lines.extend(flag.map(|flag| format!("dataset {name} done-flag: {flag}")));
        }
        let inputs = self.inputs.iter().map(|event| ("data-in", event));
        let outputs = self.outputs.iter().map(|event| ("data-out", event));
        for (element, event) in inputs.chain(outputs) {
            let between = if event.is_range { " to " } else { ", " };
            lines.push(format!(
                "{element} {} of {}: {}",
                event.name,
                event.dataset,
                event.instances.join(between)
            ));
            let nocleanup = event.nocleanup.iter();
            lines.extend(
                nocleanup.map(|text| format!("{element} {} nocleanup: {text}", event.name)),
            );
        }
        if let Some(logic) = &self.input_logic {
            logic.push_lines(&mut lines, 0);
        }
        lines.push(format!("app-path: {}", self.app_path));
        let configuration = self.configuration.iter();
        lines.extend(configuration.map(|(name, value)| format!("property {name}: {value}")));
        let sla = self.sla.iter();
        lines.extend(sla.map(|(element, text)| format!("sla {element}: {text}")));
        lines
    }
}

fn text(template: &table::Template) -> String {
    template.source().into_owned()
}

fn elements<'t>(
    elements: impl Iterator<Item = (&'static str, &'t table::Template)>,
) -> impl Iterator<Item = (String, String)> {
    elements.map(|(name, template)| (name.to_owned(), text(template)))
}

fn named(properties: &'static [Property]) -> impl Iterator<Item = (String, String)> {
    properties
        .iter()
        .map(|property| (property.name().into_owned(), text(&property.value())))
}

impl DatasetTexts {
    /// The name and texts of a dataset in the table.
    pub fn named(table: &table::Dataset) -> (String, DatasetTexts) {
        let texts = DatasetTexts {
            frequency: text(&table.frequency),
            initial_instance: text(&table.initial_instance),
            timezone: text(&table.timezone),
            uri_template: text(&table.uri_template),
            done_flag: table.done_flag.as_ref().map(text),
        };
        (table.name.to_owned(), texts)
    }

    fn definition(&self, compiled: &CompiledTexts) -> Result<DatasetText, String> {
        Ok(DatasetText {
            frequency: compiled.text(&self.frequency)?,
            initial_instance: compiled.text(&self.initial_instance)?,
            timezone: compiled.text(&self.timezone)?,
            uri_template: compiled.text(&self.uri_template)?,
            done_flag: compiled.optional(self.done_flag.as_deref())?,
        })
    }
}

impl EventTexts {
    fn of(table: &table::Event) -> EventTexts {
        let (instances, is_range) = match &table.instances {
            Instances::Each(instances) => (instances.iter().map(text).collect(), false),
            Instances::Range(start, end) => (vec![text(start), text(end)], true),
        };
        EventTexts {
            name: table.name.to_owned(),
            dataset: text(&table.dataset),
            instances,
            is_range,
            nocleanup: table.nocleanup.as_ref().map(text),
        }
    }

    fn definition(&self, compiled: &CompiledTexts) -> Result<EventText, String> {
        let instances = match (self.is_range, self.instances.as_slice()) {
            (true, [start, end]) => InstanceTexts::Range {
                start: compiled.text(start)?,
                end: compiled.text(end)?,
            },
            (_, instances) => InstanceTexts::Each(compiled.list(instances)?),
        };
        Ok(EventText {
            name: self.name.clone(),
            dataset: compiled.text(&self.dataset)?,
            instances,
        })
    }
}

impl LogicTexts {
    fn of(table: &table::Logic) -> LogicTexts {
        let below = |nodes: &[table::Logic]| nodes.iter().map(LogicTexts::of).collect();
        let (element, input, nodes) = match &table.kind {
            LogicKind::And(nodes) => ("and", None, below(nodes)),
            LogicKind::Or(nodes) => ("or", None, below(nodes)),
            LogicKind::Combine(nodes) => ("combine", None, below(nodes)),
            LogicKind::Input(input) => ("data-in", Some(text(input)), Vec::new()),
        };
        LogicTexts {
            element: element.to_owned(),
            input,
            name: table.name.as_ref().map(text),
            min: table.min.as_ref().map(text),
            wait: table.wait.as_ref().map(text),
            nodes,
        }
    }

    fn definition(&self, compiled: &CompiledTexts) -> Result<LogicText, String> {
        let nodes = self.nodes.iter();
        let nodes = nodes
            .map(|node| node.definition(compiled))
            .collect::<Result<_, _>>()?;
        let kind = match (self.element.as_str(), self.input.as_deref()) {
            ("and", _) => LogicTextKind::And(nodes),
            ("or", _) => LogicTextKind::Or(nodes),
            ("combine", _) => LogicTextKind::Combine(nodes),
            (_, input) => LogicTextKind::Input(compiled.text(input.unwrap_or_default())?),
        };
        Ok(LogicText {
            kind,
            name: compiled.optional(self.name.as_deref())?,
            min: compiled.optional(self.min.as_deref())?,
            wait: compiled.optional(self.wait.as_deref())?,
        })
    }

    fn push_lines(&self, lines: &mut Vec<String>, depth: usize) {
        let mut line = format!("input-logic {}{}", "  ".repeat(depth), self.element);
        for (what, text) in [
            ("", &self.input),
            ("name=", &self.name),
            ("min=", &self.min),
            ("wait=", &self.wait),
        ] {
            if let Some(text) = text {
                line.push_str(&format!(" {what}{text}"));
            }
        }
        lines.push(line);
        for node in &self.nodes {
            node.push_lines(lines, depth + 1);
        }
    }
}

#[cfg(test)]
mod tests;
