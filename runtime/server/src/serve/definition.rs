//! What a job's own executable says of its definition: its document, and the values of its nodes.

use hpdlc_runtime::fleet::Masks;
use hpdlc_store::JobRow;
use serde::Deserialize;

use crate::serve::{
    call::Call, failure::Failure, program, properties_file::PropertiesFile,
    wire::workflow::properties,
};

/// The document of a job, without secrets.
pub(crate) fn document(call: &Call, job: &JobRow) -> Result<String, Failure> {
    let words = program::words(["definition", job.id.as_str()]);
    let printed = program::of_job(&call.server.session, job, &words)?;
    Ok(String::from_utf8_lossy(&printed).into_owned())
}

/// A value of a node.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct NodeValue {
    /// Its element, such as `argument`.
    pub(crate) path: String,
    /// As it is written.
    pub(crate) template: String,
    /// What it gives; `None` if that is known only when the node starts, or if it fails.
    pub(crate) value: Option<String>,
    pub(crate) error: Option<String>,
    pub(crate) origin: Origin,
}

/// Where something is written.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Origin {
    pub(crate) file: String,
    pub(crate) line: u32,
}

#[derive(Deserialize)]
struct Report {
    nodes: Vec<NodeValues>,
}

/// The values of a node.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct NodeValues {
    pub(crate) name: String,
    pub(crate) values: Vec<NodeValue>,
}

/// The values of all nodes with the properties of their job, as `dryrun` has them: without secrets.
pub(crate) fn values(call: &Call, job: &JobRow, masks: &Masks) -> Result<Vec<NodeValues>, Failure> {
    // A masked secret stays masked, whatever is made of it.
    let file = PropertiesFile::new(&properties(job, masks))?;
    let path = file.path().as_os_str();
    let words = ["dryrun".as_ref(), "--json".as_ref(), "-c".as_ref(), path];
    let printed = program::printed_of_job(&call.server.session, job, &program::words(words))?;
    let report: Result<Report, _> = serde_json::from_slice(&printed);
    let report =
        report.map_err(|error| Failure::server(format!("the values of {}: {error}", job.app)))?;
    Ok(report.nodes)
}
