//! Conditions of queries, put together from what a request asks for: values are parameters only.

use hpdlc_store::sql::{ToSql, Value};

/// A condition of SQL with its values.
#[derive(Default)]
pub(super) struct Condition {
    pub(super) sql: String,
    pub(super) values: Vec<Value>,
}

impl Condition {
    pub(super) fn and(&mut self, sql: &str, values: impl IntoIterator<Item = Value>) {
        if !self.sql.is_empty() {
            self.sql.push_str(" AND ");
        }
        self.sql.push_str(sql);
        self.values.extend(values);
    }

    /// One of the texts, if there are any.
    pub(super) fn one_of(&mut self, column: &str, texts: &[String]) {
        if texts.is_empty() {
            return;
        }
        let marks = vec!["?"; texts.len()].join(", ");
        let values = texts.iter().cloned().map(Value::Text);
        self.and(&format!("{column} IN ({marks})"), values);
    }

    pub(super) fn values(&self) -> Vec<&dyn ToSql> {
        self.values
            .iter()
            .map(|value| value as &dyn ToSql)
            .collect()
    }
}
