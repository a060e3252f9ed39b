//! One option of UCI: its type, its values, and the line that describes it.

use super::config::{Config, Message};
use std::num::IntErrorKind;
use thiserror::Error;

/// An option.
pub struct UciOption {
    /// The name as `uci` prints it. `setoption` ignores its case and blanks.
    pub name: &'static str,
    /// The type with default, range and effect.
    pub option_type: OptionType,
}

/// The effect of a number.
pub type SetSpin = Box<dyn Fn(&mut Config, i64) -> Result<(), String> + Send>;

/// The type of an option as UCI names it, with its default, which holds before it is set, and its effect.
#[allow(missing_docs)]
pub enum OptionType {
    /// A whole number from `min` to `max`.
    Spin { default: i64, min: i64, max: i64, set: SetSpin },
    /// `true` or `false`.
    Check { default: bool, set: fn(&mut Config, bool) },
    /// One of `values`, by index.
    Combo { default: usize, values: &'static [&'static str], set: fn(usize) },
    /// Any text.
    String { default: &'static str, set: fn(&mut Config, &str) -> Result<(), String> },
    /// No value; setting it has an effect.
    Button { press: fn(&mut Config) },
}

/// The reason why an option is not set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)]
pub enum OptionError {
    #[error("there is no option '{0}'")]
    Unknown(String),
    #[error("option {0} needs a value")]
    Missing(&'static str),
    #[error("option {name}: '{value}' is not {expected}")]
    Value { name: &'static str, value: String, expected: String },
    #[error("option {name}: {reason}")]
    Failed { name: &'static str, reason: String },
}

impl UciOption {
    /// The line of this option in the answer to `uci`, under the given name.
    pub fn line(&self, name: &str) -> String {
        match &self.option_type {
            OptionType::Spin { default, min, max, .. } => {
                format!("option name {name} type spin default {default} min {min} max {max}")
            }
            OptionType::Check { default, .. } => format!("option name {name} type check default {default}"),
            OptionType::String { default, .. } => format!("option name {name} type string default {default}"),
            OptionType::Button { .. } => format!("option name {name} type button"),
            OptionType::Combo { default, values, .. } => {
                let list: String = values.iter().map(|value| format!(" var {value}")).collect();
                format!("option name {name} type combo default {}{list}", values[*default])
            }
        }
    }

    /// The name without its blanks; `None` if it has none.
    pub fn alias(&self) -> Option<String> {
        self.name.contains(' ').then(|| self.name.replace(' ', ""))
    }

    /// True if `value` is the default.
    pub fn is_default(&self, value: &str) -> bool {
        match &self.option_type {
            OptionType::Spin { default, .. } => value.parse() == Ok(*default),
            OptionType::Check { default, .. } => value.parse() == Ok(*default),
            OptionType::Combo { default, values, .. } => value == values[*default],
            OptionType::String { default, .. } => value == *default || value.is_empty(),
            OptionType::Button { .. } => false,
        }
    }

    /// Sets the option to `value`.
    ///
    /// # Errors
    /// If the option does not take this value, or setting it fails.
    pub fn set(&self, config: &mut Config, value: &str) -> Result<(), OptionError> {
        match &self.option_type {
            OptionType::Spin { min, max, set, .. } => {
                let expected = || self.wrong_value(value, format!("a whole number from {min} to {max}"));
                let number = parse_clamped(value, *min, *max).ok_or_else(expected)?;
                if value.parse() != Ok(number) {
                    let message =
                        format!("option {}: {value} is not from {min} to {max}, set to {number}", self.name);
                    config.messages.push(Message::Error(message));
                }
                set(config, number).map_err(|reason| OptionError::Failed { name: self.name, reason })
            }
            OptionType::Check { set, .. } => {
                let expected = |_| self.wrong_value(value, "true or false".to_string());
                set(config, value.to_ascii_lowercase().parse().map_err(expected)?);
                Ok(())
            }
            OptionType::Combo { values, set, .. } => {
                let expected = || self.wrong_value(value, format!("one of {}", values.join(", ")));
                set(values
                    .iter()
                    .position(|known| known.eq_ignore_ascii_case(value))
                    .ok_or_else(expected)?);
                Ok(())
            }
            OptionType::String { set, .. } => {
                set(config, value).map_err(|reason| OptionError::Failed { name: self.name, reason })
            }
            OptionType::Button { press } => {
                press(config);
                Ok(())
            }
        }
    }

    fn wrong_value(&self, value: &str, expected: String) -> OptionError {
        OptionError::Value { name: self.name, value: value.to_string(), expected }
    }
}

/// The whole number in `text`, or the nearest one from `min` to `max`; `None` if it is no whole number.
fn parse_clamped(text: &str, min: i64, max: i64) -> Option<i64> {
    let number = text.parse::<i64>().or_else(|error| match error.kind() {
        IntErrorKind::PosOverflow => Ok(max),
        IntErrorKind::NegOverflow => Ok(min),
        _ => Err(error),
    });
    Some(number.ok()?.clamp(min, max))
}

/// A name without case and blanks, for comparisons: OpenBench writes `MoveOverhead`.
pub fn normalised_name(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase())
}
