//! Values whose texts are JSON: lists, maps, and the fields with `#[data(json)]`.

use serde::{Serialize, de::DeserializeOwned};

/// The text of a value.
///
/// # Errors
///
/// It cannot be JSON, such as a map whose keys are no texts.
pub fn text(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(value).map_err(|problem| format!("it cannot be JSON: {problem}"))
}

/// The value of a text.
///
/// # Errors
///
/// The text is missing, or no JSON of the type.
pub fn value<T: DeserializeOwned>(text: Option<&str>) -> Result<T, String> {
    let text = text.ok_or_else(|| "it is missing".to_owned())?;
    serde_json::from_str(text).map_err(|problem| format!("it is no JSON of its type: {problem}"))
}
