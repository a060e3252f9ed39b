//! The parameters to tune: names, ranges and steps, in the form that OpenBench takes for SPSA.

use crate::play::player::OptionInfo;
use crate::play::spec::is_same_option;
use anyhow::{Context, Result, bail, ensure};
use std::str::FromStr;

/// A number that tuning may move; an option of the engine, in the option's unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The option.
    pub name: String,
    /// The value at the start.
    pub start: f64,
    /// The least value.
    pub min: i64,
    /// The greatest value.
    pub max: i64,
    /// The perturbation of the last iteration.
    pub c_end: f64,
    /// The learning rate of the last iteration, in perturbations for each game won more than lost.
    pub r_end: f64,
}

/// The form of a line.
const FORM: &str = "name, int, value, min, max, c_end, r_end";

impl FromStr for Parameter {
    type Err = anyhow::Error;

    /// `name, int, value, min, max, c_end, r_end`
    fn from_str(line: &str) -> Result<Self> {
        let words: Vec<&str> = line.split(',').map(str::trim).collect();
        let [name, kind, start, min, max, c_end, r_end] = words[..] else {
            bail!("{line:?} is not of the form `{FORM}`");
        };
        ensure!(!name.is_empty(), "{line:?} has no name");
        ensure!(kind == "int", "{line:?}: only int can be tuned, not {kind:?}");
        let whole = |text: &str| -> Result<i64> {
            let number =
                text.parse::<i32>().with_context(|| format!("{line:?}: {text:?} is no whole number"))?;
            Ok(i64::from(number))
        };
        let real = |text: &str| {
            let number: Option<f64> = text.parse().ok().filter(|number: &f64| number.is_finite());
            number.with_context(|| format!("{line:?}: {text:?} is no number"))
        };
        let parameter = Self {
            name: name.to_owned(),
            start: real(start)?,
            min: whole(min)?,
            max: whole(max)?,
            c_end: real(c_end)?,
            r_end: real(r_end)?,
        };
        ensure!(parameter.min < parameter.max, "{line:?}: min must be below max");
        ensure!(
            parameter.clamp(parameter.start) == parameter.start,
            "{line:?}: the value is out of its range"
        );
        ensure!(parameter.c_end > 0.0 && parameter.r_end > 0.0, "{line:?}: c_end and r_end must be above 0");
        Ok(parameter)
    }
}

impl Parameter {
    /// The nearest value in the range.
    pub fn clamp(&self, value: f64) -> f64 {
        value.clamp(self.min as f64, self.max as f64)
    }

    /// The line of this parameter with another value.
    pub fn line(&self, value: f64) -> String {
        let Self { name, min, max, c_end, r_end, .. } = self;
        format!("{name}, int, {value}, {min}, {max}, {c_end}, {r_end}")
    }
}

/// Reads lines; empty ones and those that begin with `#` are skipped.
pub fn parse<'t>(lines: impl Iterator<Item = &'t str>) -> Result<Vec<Parameter>> {
    let mut parameters: Vec<Parameter> = Vec::new();
    for line in lines.map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let parameter: Parameter = line.parse()?;
        let twice = parameters.iter().any(|known| is_same_option(&known.name, &parameter.name));
        ensure!(!twice, "{} is there twice", parameter.name);
        parameters.push(parameter);
    }
    Ok(parameters)
}

/// The parameters that a pattern names: a name, or the beginning of names with `*`. All if there is no pattern.
pub fn pick(parameters: Vec<Parameter>, patterns: &[String]) -> Result<Vec<Parameter>> {
    let named = |name: &str, pattern: &str| match pattern.strip_suffix('*') {
        Some(beginning) => {
            name.get(..beginning.len()).is_some_and(|start| start.eq_ignore_ascii_case(beginning))
        }
        None => is_same_option(name, pattern),
    };
    for pattern in patterns {
        if !parameters.iter().any(|parameter| named(&parameter.name, pattern)) {
            let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            bail!("no parameter {pattern:?}; there are {}", names.join(", "));
        }
    }
    let wanted = |parameter: &Parameter| {
        patterns.is_empty() || patterns.iter().any(|pattern| named(&parameter.name, pattern))
    };
    Ok(parameters.into_iter().filter(wanted).collect())
}

/// Checks that the engine has an option for each parameter that takes its whole range.
///
/// # Errors
/// If it has not, with the name of the first.
pub fn check(parameters: &[Parameter], options: &[OptionInfo]) -> Result<()> {
    for Parameter { name, min, max, .. } in parameters {
        let option = options.iter().find(|option| is_same_option(&option.name, name));
        let option = option.with_context(|| {
            format!("the engine has no option {name:?}: is it built with the feature tune?")
        })?;
        let Some((low, high)) = option.range else {
            bail!("option {name} is not a number but of type {}", option.kind);
        };
        ensure!(low <= *min && *max <= high, "option {name} takes {low}..{high}, not {min}..{max}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_written() {
        let text =
            "# for a try\n\nrfp_margin, int, 75, 30, 160, 6, 0.002\nlmr_base,int,12.5,-4,20,0.5,0.01\n";
        let parameters = parse(text.lines()).unwrap();
        assert_eq!(parameters[0].line(75.0), "rfp_margin, int, 75, 30, 160, 6, 0.002");
        assert_eq!(parameters[1].line(parameters[1].start), "lmr_base, int, 12.5, -4, 20, 0.5, 0.01");
        let again: Vec<String> = parameters.iter().map(|parameter| parameter.line(parameter.start)).collect();
        assert_eq!(parse(again.iter().map(String::as_str)).unwrap(), parameters);
    }

    #[test]
    fn wrong_lines_are_named() {
        for (line, words) in [
            ("x, int, 1, 0, 2, 1", "is not of the form"),
            ("x, float, 1, 0, 2, 1, 0.1", "only int"),
            (", int, 1, 0, 2, 1, 0.1", "has no name"),
            ("x, int, 3, 0, 2, 1, 0.1", "out of its range"),
            ("x, int, nan, 0, 2, 1, 0.1", "is no number"),
            ("x, int, 1, 0.5, 2, 1, 0.1", "is no whole number"),
            ("x, int, 1, 0, 99999999999, 1, 0.1", "is no whole number"),
            ("x, int, 2, 2, 2, 1, 0.1", "min must be below max"),
            ("x, int, 1, 0, 2, 0, 0.1", "must be above 0"),
            ("x, int, 1, 0, 2, 1, -1", "must be above 0"),
            ("x, int, 1, 0, 2, 1, 0.1\nX, int, 1, 0, 2, 1, 0.1", "X is there twice"),
        ] {
            let error = parse(line.lines()).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }

    fn names(patterns: &[&str]) -> Result<Vec<String>> {
        let text = "rfp_margin, int, 1, 0, 2, 1, 0.1\nrfp_depth, int, 1, 0, 2, 1, 0.1\nnull_base, int, 1, 0, 2, 1, 0.1";
        let patterns: Vec<String> = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
        let picked = pick(parse(text.lines())?, &patterns)?;
        Ok(picked.into_iter().map(|parameter| parameter.name).collect())
    }

    #[test]
    fn parameters_are_picked_by_name_or_beginning() {
        assert_eq!(names(&[]).unwrap().len(), 3);
        assert_eq!(names(&["rfp_*"]).unwrap(), ["rfp_margin", "rfp_depth"]);
        assert_eq!(names(&["null_base", "RFP_D*"]).unwrap(), ["rfp_depth", "null_base"]);
        let error = names(&["null_base", "nul"]).unwrap_err().to_string();
        assert!(error.contains("no parameter \"nul\"; there are rfp_margin,"), "{error}");
    }

    #[test]
    fn the_engine_must_take_the_whole_range() {
        let option = |kind: &str, range| OptionInfo {
            name: "Margin".into(),
            kind: kind.into(),
            default: String::new(),
            range,
            values: Vec::new(),
        };
        let parameters = parse("margin, int, 5, 0, 10, 1, 0.1".lines()).unwrap();
        check(&parameters, &[option("spin", Some((0, 10)))]).unwrap();
        for (options, words) in [
            (vec![], "has no option \"margin\""),
            (vec![option("check", None)], "of type check"),
            (vec![option("spin", Some((1, 10)))], "takes 1..10, not 0..10"),
        ] {
            let error = check(&parameters, &options).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
