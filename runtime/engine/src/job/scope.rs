//! The scope of expressions: what they see of a running job.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use chrono::{DateTime, Utc};
use hpdlc_core::el::{
    error::ElError,
    scope::{ClusterFacts, FileFacts, JobFacts, NodeFacts, Origin, Scope, is_variable_name},
    value::Value,
};
use hpdlc_executors::callbacks::Callbacks;
use hpdlc_files::Access;
use hpdlc_host::clock;
use hpdlc_program::{failure::ActionError, table::Template};
use hpdlc_store::callbacks::CallbackSubject;

/// A job as its expressions see it. Kept behind an [`Arc`], so that an evaluation on another thread has a consistent snapshot.
#[derive(Clone, Debug, Default)]
pub struct JobScope {
    pub facts: JobFacts,
    /// The job's properties, substituted.
    pub conf: Arc<BTreeMap<String, String>>,
    pub nodes: BTreeMap<String, NodeFacts>,
    pub last_error_node: Option<String>,
    /// `None` if nothing runs.
    pub callbacks: Option<Callbacks>,
}

/// A [`JobScope`] while one node is evaluated.
#[derive(Debug)]
pub struct NodeScope<'a> {
    pub view: &'a JobScope,
    pub node: &'a str,
    /// The base of the line numbers in the node's texts.
    pub origin: Origin,
    /// For its functions with the prefixes `fs` and `hadoop`.
    pub access: &'a Access<'a>,
}

impl Scope for NodeScope<'_> {
    fn variable(&self, name: &str) -> Option<Value> {
        if !is_variable_name(name) {
            return None;
        }
        let value = self.view.conf.get(name)?;
        Some(Value::from(hpdlc_core::java::trim(value)))
    }

    fn conf(&self, name: &str) -> Result<Option<String>, ElError> {
        Ok(self.view.conf.get(name).cloned())
    }

    fn job(&self) -> Result<&JobFacts, ElError> {
        Ok(&self.view.facts)
    }

    fn node(&self, name: &str) -> Result<Option<NodeFacts>, ElError> {
        Ok(self.view.nodes.get(name).cloned())
    }

    fn last_error_node(&self) -> Result<Option<String>, ElError> {
        Ok(self.view.last_error_node.clone())
    }

    fn callback_url(&self, state: &str) -> Result<String, ElError> {
        let subject = CallbackSubject {
            job: &self.view.facts.id,
            run: self.view.facts.run,
            node: self.node,
        };
        let url = match &self.view.callbacks {
            Some(callbacks) => callbacks.url(subject, state),
            None => Err("there is a URL to call only while the job runs".to_owned()),
        };
        url.map_err(|problem| {
            ElError::function("wf:callback", format!("node `{}`: {problem}", self.node))
        })
    }

    fn now(&self) -> DateTime<Utc> {
        clock::now()
    }

    fn files(&self) -> &dyn FileFacts {
        self.access
    }

    fn clusters(&self) -> Result<&dyn ClusterFacts, ElError> {
        Ok(&self.access.settings.clusters)
    }

    fn origin(&self) -> Origin {
        self.origin
    }
}

/// The first case that holds, in document order; later ones are not evaluated (trap T33).
///
/// # Errors
///
/// A case has no value.
pub fn choose_case(cases: &[Template], scope: &dyn Scope) -> Result<u32, ActionError> {
    for (n, case) in (0..).zip(cases) {
        if case.holds(scope)? {
            return Ok(n);
        }
    }
    Ok(u32::try_from(cases.len()).unwrap_or(u32::MAX))
}

/// The most cases whose values are told.
const MOST_CASES: usize = 20;

/// Why a decision chose that case: the values in each case up to it that no earlier one has, such as ``default; case 1: `x` is `5` ``. Empty if no case has any.
pub fn why_chosen(cases: &[Template], chosen: u32, scope: &dyn Scope) -> String {
    let n_tried = usize::try_from(chosen).map_or(cases.len(), |chosen| chosen + 1);
    let mut words = String::new();
    let mut told: BTreeSet<String> = BTreeSet::new();
    for (number, case) in (1..).zip(cases.iter().take(n_tried.min(MOST_CASES))) {
        let values: Vec<String> = case
            .deciding_values(scope)
            .into_iter()
            .filter(|(text, _)| told.insert(text.clone()))
            .map(|(text, value)| format!("`{text}` is {value}"))
            .collect();
        if !values.is_empty() {
            words.push_str(&format!("; case {number}: {}", values.join(", ")));
        }
    }
    if words.is_empty() {
        return words;
    }
    let outcome = match usize::try_from(chosen) {
        Ok(chosen) if chosen < cases.len() => format!("case {}", chosen + 1),
        _ => "default".to_owned(),
    };
    outcome + &words
}
