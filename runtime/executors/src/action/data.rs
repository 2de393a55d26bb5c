//! What an action returns to its workflow.

use super::DataMap;

/// The data of an action, as `wf:actionData` gives it: a text by the name of each field. `#[derive(Data)]` implements it.
#[diagnostic::on_unimplemented(
    message = "an action cannot return `{Self}`",
    label = "no data that a workflow could see",
    note = "`#[derive(Data)]` makes a struct the data of an action; an action without data returns `()`"
)]
pub trait Data: Sized {
    /// The texts of its fields, without those that are absent.
    ///
    /// # Errors
    ///
    /// The name of a field that cannot be JSON.
    fn to_data(&self) -> Result<DataMap, String>;

    /// The value of data that an action returned.
    ///
    /// # Errors
    ///
    /// The name of a field that is missing, or whose text is no value of its type.
    fn of_data(data: &DataMap) -> Result<Self, String>;

    /// The names of its fields; `None` if they are known at run time alone.
    fn keys() -> Option<Vec<&'static str>> {
        None
    }
}

/// An action that only does something.
impl Data for () {
    fn to_data(&self) -> Result<DataMap, String> {
        Ok(DataMap::new())
    }

    fn of_data(_: &DataMap) -> Result<(), String> {
        Ok(())
    }

    fn keys() -> Option<Vec<&'static str>> {
        Some(Vec::new())
    }
}

/// The data as it is, for names that are known at run time alone.
impl Data for DataMap {
    fn to_data(&self) -> Result<DataMap, String> {
        Ok(self.clone())
    }

    fn of_data(data: &DataMap) -> Result<DataMap, String> {
        Ok(data.clone())
    }
}
