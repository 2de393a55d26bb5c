//! The properties of a job as a JSON Schema (draft 2020-12): for forms, editors, and programs that submit jobs.
//!
//! A job may be given more than the workflow reads, so other properties are allowed.

use hpdlc_program::table::Parameter;
use serde_json::{Map, Value, json};

use super::used_at;

/// Oozie's date format; the schema format `date-time` requires seconds.
const DATE: &str = r"^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}T[0-9]{1,2}:[0-9]{1,2}(Z|[+-][0-9]{4})$";

/// The schema of the properties for a job of the program `name`.
pub(super) fn of(name: &str, parameters: &[&Parameter]) -> Value {
    let properties: Map<String, Value> = parameters
        .iter()
        .map(|parameter| (parameter.name.to_owned(), property(parameter)))
        .collect();
    let required: Value = parameters
        .iter()
        .filter(|parameter| parameter.is_required())
        .map(|parameter| Value::from(parameter.name))
        .collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("Properties of a job of {name}"),
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": true,
    })
}

fn property(parameter: &Parameter) -> Value {
    let mut schema = match parameter.r#type {
        "integer" => json!({ "type": "integer" }),
        "number" => json!({ "type": "number" }),
        "boolean" => json!({ "type": "boolean" }),
        "date" => json!({ "type": "string", "pattern": DATE }),
        "uri" => json!({ "type": "string", "format": "uri-reference" }),
        _ => json!({ "type": "string" }),
    };
    if let Some(default) = parameter.default {
        schema["default"] = typed(parameter.r#type, default.text());
    }
    let used = used_at(parameter).map(|place| format!("Used at {place}."));
    let description: Vec<String> = parameter
        .description
        .map(str::to_owned)
        .into_iter()
        .chain(used)
        .collect();
    if !description.is_empty() {
        schema["description"] = Value::from(description.join(" "));
    }
    schema
}

/// A default as a value of the type: the compiler infers a type only if the default has it.
fn typed(type_name: &str, text: &str) -> Value {
    let trimmed = text.trim();
    let value = match type_name {
        "integer" => trimmed.parse::<i64>().ok().map(Value::from),
        "number" => trimmed.parse::<f64>().ok().map(Value::from),
        "boolean" => Some(Value::from(trimmed.eq_ignore_ascii_case("true"))),
        _ => None,
    };
    value.unwrap_or_else(|| Value::from(text))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{property, typed};
    use hpdlc_program::table::{Parameter, ParameterDefault, Uses};

    #[test]
    fn values_have_the_type_of_their_schema() {
        assert_eq!(typed("integer", " 5 "), json!(5));
        assert_eq!(typed("number", "0.5"), json!(0.5));
        assert_eq!(typed("boolean", "TRUE"), json!(true));
        assert_eq!(typed("path", " /a "), json!(" /a "));
        assert_eq!(
            typed("date", "2026-11-20T00:00Z"),
            json!("2026-11-20T00:00Z")
        );
    }

    #[test]
    fn a_property_says_what_it_is_for_and_where() {
        static USES: [Uses; 1] = [Uses {
            file: "workflow.xml",
            places: "12:9 14:20",
        }];
        let parameter = Parameter {
            name: "limit",
            default: Some(ParameterDefault::Declared(3, "100")),
            is_optional: false,
            r#type: "integer",
            description: Some("How many rows are enough."),
            uses: &USES,
        };
        assert_eq!(
            property(&parameter),
            json!({
                "type": "integer",
                "default": 100,
                "description": "How many rows are enough. Used at workflow.xml:12 and 1 more.",
            })
        );
    }
}
