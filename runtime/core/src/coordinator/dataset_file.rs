//! Parser of the dataset files that a coordinator includes: programs read them when a job is submitted.
//!
//! Elements are matched by local name: Oozie silently ignores those that have a namespace.

use quick_xml::{
    Reader, XmlVersion,
    escape::resolve_xml_entity,
    events::{BytesStart, Event},
};

/// Deeper nesting is an attack or a mistake.
const MAX_DEPTH: usize = 256;

/// The content of the file; no expression is evaluated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DatasetFile {
    /// URIs of further files.
    pub includes: Vec<String>,
    pub datasets: Vec<FoundDataset>,
}

/// A `dataset`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundDataset {
    pub name: String,
    pub frequency: String,
    pub initial_instance: String,
    pub timezone: String,
    pub uri_template: String,
    pub done_flag: Option<String>,
}

/// Parses a file: datasets directly below the root, whatever its name, or in `datasets` below it.
///
/// # Errors
///
/// A message with the line: not XML, a document type declaration, or a dataset without a required part.
pub fn parse(text: &str) -> Result<DatasetFile, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut xml = Reader::from_str(text);
    xml.config_mut().enable_all_checks(true);
    let mut found = DatasetFile::default();
    let mut open: Vec<String> = Vec::new();
    let mut content = String::new();
    let mut dataset: Option<FoundDataset> = None;
    loop {
        let line = line_at(text, xml.buffer_position());
        let located = |problem: String| format!("line {line}: {problem}");
        let event = xml
            .read_event()
            .map_err(|error| located(error.to_string()))?;
        let is_empty = matches!(event, Event::Empty(_));
        match event {
            Event::Start(tag) | Event::Empty(tag) => {
                if open.len() == MAX_DEPTH {
                    return Err(located(format!(
                        "more than {MAX_DEPTH} elements in each other"
                    )));
                }
                let name = tag.local_name().into_inner().to_owned();
                if name == "dataset" {
                    dataset = Some(dataset_of(&tag).map_err(located)?);
                }
                content.clear();
                open.push(name);
                if is_empty {
                    close(&mut open, &mut dataset, &content, &mut found).map_err(located)?;
                }
            }
            Event::End(_) => {
                close(&mut open, &mut dataset, &content, &mut found).map_err(located)?;
                content.clear();
            }
            Event::Text(text) => content.push_str(&text.xml10_content()),
            Event::CData(text) => content.push_str(&text.xml10_content()),
            Event::GeneralRef(reference) => match reference.resolve_char_ref() {
                Ok(Some(character)) => content.push(character),
                Ok(None) => match resolve_xml_entity(&reference) {
                    Some(text) => content.push_str(text),
                    None => return Err(located(format!("unknown entity `&{};`", &*reference))),
                },
                Err(error) => return Err(located(error.to_string())),
            },
            Event::DocType(_) => return Err(located("a document type is not allowed".to_owned())),
            Event::Decl(_) | Event::Comment(_) | Event::PI(_) => {}
            Event::Eof => {
                return match open.last() {
                    Some(element) => Err(located(format!("`{element}` is not closed"))),
                    None => Ok(found),
                };
            }
        }
    }
}

fn dataset_of(tag: &BytesStart<'_>) -> Result<FoundDataset, String> {
    let attribute = |name: &str| -> Result<String, String> {
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| error.to_string())?;
            if attribute.key.local_name().into_inner() == name {
                let value = attribute.normalized_value(XmlVersion::Implicit1_0);
                return value
                    .map(|value| value.into_owned())
                    .map_err(|error| error.to_string());
            }
        }
        Err(format!("a `dataset` has no attribute `{name}`"))
    };
    Ok(FoundDataset {
        name: attribute("name")?,
        frequency: attribute("frequency")?,
        initial_instance: attribute("initial-instance")?,
        timezone: attribute("timezone")?,
        ..FoundDataset::default()
    })
}

fn close(
    open: &mut Vec<String>,
    dataset: &mut Option<FoundDataset>,
    content: &str,
    found: &mut DatasetFile,
) -> Result<(), String> {
    let Some(element) = open.pop() else {
        return Ok(());
    };
    match (element.as_str(), dataset.as_mut()) {
        ("uri-template", Some(dataset)) => dataset.uri_template = content.trim().to_owned(),
        ("done-flag", Some(dataset)) => dataset.done_flag = Some(content.trim().to_owned()),
        ("include", None) => found.includes.push(content.trim().to_owned()),
        ("dataset", Some(_)) => {
            let dataset = dataset.take().unwrap_or_default();
            if dataset.uri_template.is_empty() {
                return Err(format!("dataset `{}` has no `uri-template`", dataset.name));
            }
            found.datasets.push(dataset);
        }
        (_, _) => {}
    }
    Ok(())
}

/// 1-based.
fn line_at(text: &str, offset: u64) -> usize {
    let offset = usize::try_from(offset).unwrap_or(usize::MAX);
    let before = text.as_bytes().get(..offset.min(text.len()));
    let line_ends = before.map_or(0, |before| {
        before.iter().filter(|byte| **byte == b'\n').count()
    });
    line_ends + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"<?xml version="1.0"?>
<datasets xmlns="uri:oozie:coordinator:0.4">
  <include>${root}/more.xml</include>
  <!-- hourly -->
  <dataset name="logs" frequency="${coord:hours(1)}" initial-instance="2009-01-01T00:00Z" timezone="UTC">
    <uri-template>hdfs://nn/logs/${YEAR}&amp;x</uri-template>
    <done-flag/>
  </dataset>
  <dataset name="a" frequency="60" initial-instance="2009-01-01T00:00Z" timezone="UTC"><uri-template>/a</uri-template></dataset>
</datasets>"#;

    #[test]
    fn datasets_and_includes_are_found_with_or_without_a_namespace() {
        for text in [
            FILE.to_owned(),
            FILE.replace(r#" xmlns="uri:oozie:coordinator:0.4""#, ""),
        ] {
            let found = parse(&text).unwrap();
            assert_eq!(found.includes, ["${root}/more.xml"]);
            let [logs, a] = found.datasets.as_slice() else {
                panic!("{found:?}")
            };
            assert_eq!(logs.name, "logs");
            assert_eq!(logs.frequency, "${coord:hours(1)}");
            assert_eq!(logs.uri_template, "hdfs://nn/logs/${YEAR}&x");
            assert_eq!(logs.done_flag.as_deref(), Some(""));
            assert_eq!(a.done_flag, None);
        }
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        for (text, expected) in [
            (
                "<datasets>\n<dataset name='a'/></datasets>",
                "line 2: a `dataset` has no attribute `frequency`",
            ),
            ("<datasets>\n\n<datas", "line 3: "),
            ("<!DOCTYPE x><x/>", "line 1: a document type is not allowed"),
            ("<x>&unknown;</x>", "line 1: unknown entity `&unknown;`"),
            ("<x>", "line 1: `x` is not closed"),
        ] {
            let problem = parse(text).unwrap_err();
            assert!(problem.starts_with(expected), "{text}: {problem}");
        }
    }
}
