//! The part of SARIF 2.1.0's object model that hpdlc writes, with the names of the specification's sections 3.13 and
//! following.

use serde::Serialize;

#[derive(Debug, Serialize)]
pub(super) struct Log<'a> {
    #[serde(rename = "$schema")]
    pub(super) schema: &'static str,
    pub(super) version: &'static str,
    pub(super) runs: [SarifRun<'a>; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifRun<'a> {
    pub(super) tool: Tool,
    pub(super) invocations: [Invocation; 1],
    pub(super) column_kind: &'static str,
    pub(super) artifacts: Vec<Artifact>,
    pub(super) results: Vec<SarifResult<'a>>,
}

#[derive(Debug, Serialize)]
pub(super) struct Tool {
    pub(super) driver: Driver,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    pub(super) semantic_version: &'static str,
    pub(super) rules: Vec<Descriptor>,
}

/// A `reportingDescriptor`: a rule.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Descriptor {
    pub(super) id: &'static str,
    pub(super) name: String,
    pub(super) short_description: Message,
    pub(super) full_description: Message,
    pub(super) help: MultiformatMessage,
    pub(super) default_configuration: Configuration,
    pub(super) properties: RuleProperties,
}

#[derive(Debug, Serialize)]
pub(super) struct MultiformatMessage {
    pub(super) text: String,
    pub(super) markdown: &'static str,
}

#[derive(Debug, Serialize)]
pub(super) struct Configuration {
    pub(super) enabled: bool,
    pub(super) level: &'static str,
}

/// Custom properties of hpdlc.
#[derive(Debug, Serialize)]
pub(super) struct RuleProperties {
    /// Oozie's codes for the same mistake.
    pub(super) oozie: &'static [&'static str],
    pub(super) tags: [&'static str; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub(super) execution_successful: bool,
    pub(super) exit_code: u8,
}

#[derive(Debug, Serialize)]
pub(super) struct Artifact {
    pub(super) location: ArtifactLocation,
    /// In bytes; unknown for files that were not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) length: Option<usize>,
}

#[derive(Debug, Serialize)]
pub(super) struct ArtifactLocation {
    pub(super) uri: String,
    /// In the run's `artifacts`; absent in that list itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) index: Option<usize>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifResult<'a> {
    pub(super) rule_id: &'static str,
    pub(super) rule_index: usize,
    pub(super) level: &'static str,
    pub(super) message: Message,
    pub(super) locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) fixes: Vec<Fix<'a>>,
}

#[derive(Debug, Serialize)]
pub(super) struct Message {
    pub(super) text: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<usize>,
    pub(super) physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<Message>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub(super) artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) region: Option<Region>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub(super) start_line: u32,
    pub(super) start_column: u32,
    pub(super) end_line: u32,
    pub(super) end_column: u32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Fix<'a> {
    pub(super) description: Message,
    pub(super) artifact_changes: Vec<ArtifactChange<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactChange<'a> {
    pub(super) artifact_location: ArtifactLocation,
    pub(super) replacements: Vec<Replacement<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Replacement<'a> {
    pub(super) deleted_region: Region,
    pub(super) inserted_content: ArtifactContent<'a>,
}

#[derive(Debug, Serialize)]
pub(super) struct ArtifactContent<'a> {
    pub(super) text: &'a str,
}
