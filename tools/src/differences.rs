//! What is not the same in two descriptions of a run.

use serde_json::Value;

/// Where what a file says differs from what is given, a line each; nothing if they are the same.
pub fn differences(file: &Value, given: &Value) -> String {
    within("", file, given)
}

fn within(place: &str, file: &Value, given: &Value) -> String {
    match (file, given) {
        _ if file == given => String::new(),
        (Value::Object(old), Value::Object(new)) if old.len() == new.len() => {
            let entries = old.iter().zip(new.values());
            entries.map(|((name, old), new)| within(&format!("{place} {name}"), old, new)).collect()
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            old.iter().zip(new).map(|(old, new)| within(place, old, new)).collect()
        }
        _ => format!("\n {place}: {file} there, {given} here"),
    }
}
