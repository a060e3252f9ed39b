//! One option of UCI: the line that describes it, the values that it takes, and the effect of each.

use super::settings::UciSettings;
use crate::search::Pool;
use std::fmt::Display;
use std::num::IntErrorKind;
use std::ops::RangeInclusive;
use thiserror::Error;

/// A message about an option that has been set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Information.
    Info(String),
    /// Something that did not work as the user may have wanted.
    Error(String),
}

/// What there is to say about an option that has been set, or the reason why it has not.
pub type SetResult = Result<Vec<Message>, String>;

/// The result of a setter, which has nothing to say, may fail, or returns messages.
pub trait IntoSetResult {
    /// The answer.
    ///
    /// # Errors
    /// If the option is not set.
    fn into_set_result(self) -> SetResult;
}

impl IntoSetResult for () {
    fn into_set_result(self) -> SetResult {
        Ok(Vec::new())
    }
}

impl<E: Display> IntoSetResult for Result<(), E> {
    fn into_set_result(self) -> SetResult {
        self.map(|()| Vec::new()).map_err(|error| error.to_string())
    }
}

impl IntoSetResult for SetResult {
    fn into_set_result(self) -> SetResult {
        self
    }
}

/// An option.
pub struct UciOption {
    /// The name as `uci` prints it. `setoption` ignores its case and blanks.
    pub name: &'static str,
    /// False if `uci` does not print it: what it does has another name now, or is for tests.
    pub is_listed: bool,
    /// The type as UCI names it, with default and values.
    description: String,
    set: Box<Setter>,
}

/// Has a value take effect; a button gets none.
type Setter = dyn Fn(&mut Pool, &mut UciSettings, Option<&str>) -> Result<Vec<Message>, OptionError> + Send;

/// The reason why an option is not set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)]
pub enum OptionError {
    #[error("there is no option '{0}'")]
    Unknown(String),
    #[error("option {0} needs a value")]
    Missing(&'static str),
    #[error("option {name}: {reason}")]
    Refused { name: &'static str, reason: String },
}

/// A whole number from a range.
pub fn spin<A: IntoSetResult>(
    name: &'static str,
    default: i64,
    range: RangeInclusive<i64>,
    set: impl Fn(&mut Pool, &mut UciSettings, i64) -> A + Send + 'static,
) -> UciOption {
    let (min, max) = range.into_inner();
    let description = format!("spin default {default} min {min} max {max}");
    UciOption::with_value(name, description, move |pool, settings, value| {
        let number = parse_clamped(value.trim(), min, max)
            .ok_or_else(|| format!("'{value}' is not a whole number from {min} to {max}"))?;
        let mut answer = set(pool, settings, number).into_set_result()?;
        if value.trim().parse() != Ok(number) {
            let clamped = format!("option {name}: {value} is not from {min} to {max}, set to {number}");
            answer.insert(0, Message::Error(clamped));
        }
        Ok(answer)
    })
}

/// `true` or `false`.
pub fn check(
    name: &'static str,
    default: bool,
    set: impl Fn(&mut Pool, &mut UciSettings, bool) + Send + 'static,
) -> UciOption {
    UciOption::with_value(name, format!("check default {default}"), move |pool, settings, value| {
        let wrong = |_| format!("'{value}' is not true or false");
        let on = value.trim().to_ascii_lowercase().parse().map_err(wrong)?;
        set(pool, settings, on);
        Ok(Vec::new())
    })
}

/// One of `values`, by index.
pub fn combo(
    name: &'static str,
    default: usize,
    values: &'static [&'static str],
    set: impl Fn(usize) + Send + 'static,
) -> UciOption {
    let list: String = values.iter().map(|value| format!(" var {value}")).collect();
    let description = format!("combo default {}{list}", values[default]);
    UciOption::with_value(name, description, move |_, _, value| {
        let index = values.iter().position(|known| known.eq_ignore_ascii_case(value.trim()));
        let wrong = || format!("'{value}' is not one of {}", values.join(", "));
        set(index.ok_or_else(wrong)?);
        Ok(Vec::new())
    })
}

/// Any text.
pub fn string<A: IntoSetResult>(
    name: &'static str,
    default: &str,
    set: impl Fn(&mut Pool, &mut UciSettings, &str) -> A + Send + 'static,
) -> UciOption {
    UciOption::with_value(name, format!("string default {default}"), move |pool, settings, value| {
        set(pool, settings, value).into_set_result()
    })
}

/// No value; setting it has an effect.
pub fn button(name: &'static str, press: impl Fn(&mut Pool) + Send + 'static) -> UciOption {
    let set = Box::new(move |pool: &mut Pool, _: &mut UciSettings, _: Option<&str>| {
        press(pool);
        Ok(Vec::new())
    });
    UciOption { name, is_listed: true, description: "button".to_string(), set }
}

impl UciOption {
    fn with_value(
        name: &'static str,
        description: String,
        set: impl Fn(&mut Pool, &mut UciSettings, &str) -> SetResult + Send + 'static,
    ) -> UciOption {
        let set = move |pool: &mut Pool, settings: &mut UciSettings, value: Option<&str>| {
            let value = value.ok_or(OptionError::Missing(name))?;
            set(pool, settings, value).map_err(|reason| OptionError::Refused { name, reason })
        };
        UciOption { name, is_listed: true, description, set: Box::new(set) }
    }

    /// The same option, not listed.
    pub fn unlisted(self) -> UciOption {
        UciOption { is_listed: false, ..self }
    }

    /// The line of this option in the answer to `uci`.
    pub fn line(&self) -> String {
        format!("option name {} type {}", self.name, self.description)
    }

    /// Sets the option to `value`, the text after the word `value` if it was there; returns what there is to say about it.
    ///
    /// # Errors
    /// If the option does not take this value, or setting it fails. Then nothing has changed.
    pub fn set(
        &self,
        pool: &mut Pool,
        settings: &mut UciSettings,
        value: Option<&str>,
    ) -> Result<Vec<Message>, OptionError> {
        (self.set)(pool, settings, value)
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
