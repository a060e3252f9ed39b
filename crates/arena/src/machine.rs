//! The machine's description for reports.

use crate::threads;

/// Processor, threads and system, as far as they are known.
pub fn describe() -> String {
    let threads = threads::count(None);
    let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    let processor = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| model(&text));
    let processor = processor.map_or(String::new(), |name| format!("{name}, "));
    format!("{processor}{threads} threads, {system}")
}

/// The name of the first processor in Linux's list.
fn model(list: &str) -> Option<String> {
    let line = list.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_is_named_where_the_system_tells() {
        assert_eq!(model("processor : 0\nmodel name\t: AMD EPYC\n"), Some("AMD EPYC".to_owned()));
        assert!(model("").is_none() && describe().contains(std::env::consts::OS));
    }
}
