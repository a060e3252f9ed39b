//! The differences between two descriptions of a run.

use serde_json::Value;

/// The places where the values of a file and the given ones differ, a line each; empty if they are the same.
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
