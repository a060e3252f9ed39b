//! Charts as SVG text: curves and bars.

use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, DefaultFormatting, KeyPointHint, Ranged, ValueFormatter};
use plotters::prelude::*;

const SIZE: (u32, u32) = (760, 340);

/// An error of the drawing library.
type DrawError = DrawingAreaErrorKind<std::io::Error>;

/// A curve.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name in the legend; a curve without one is not listed.
    pub name: String,
    /// Points by rising x.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    /// The name as far as there is room for it.
    fn short_name(&self) -> String {
        const MAX_CHARS: usize = 34;
        if self.name.chars().count() <= MAX_CHARS {
            return self.name.clone();
        }
        self.name.chars().take(MAX_CHARS - 1).chain(['…']).collect()
    }
}

/// Several curves in one picture.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// Above the picture.
    pub title: String,
    /// Below the picture.
    pub x_label: String,
    /// Beside the picture.
    pub y_label: String,
    /// The curves.
    pub curves: Vec<Series>,
    /// A shaded band: x, low, high.
    pub band: Vec<(f64, f64, f64)>,
    /// Horizontal lines.
    pub levels: Vec<f64>,
    /// Logarithmic x axis; all x must be positive.
    pub log_x: bool,
}

impl Chart {
    /// The picture.
    pub fn svg(&self) -> Result<String> {
        let (x, y) = self.ranges();
        let mut text = String::new();
        {
            let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
            if self.log_x {
                self.draw(&area, (x.0..x.1).log_scale(), y.0..y.1)
            } else {
                self.draw(&area, x.0..x.1, y.0..y.1)
            }
            .map_err(|error| anyhow!("drawing {:?}: {error}", self.title))?;
            area.present().map_err(|error| anyhow!("{error}"))?;
        }
        Ok(text)
    }

    fn ranges(&self) -> ((f64, f64), (f64, f64)) {
        // A band may be as wide as it likes at its start, and the curve in it jump about: that must not squeeze the rest.
        let settled = self.band.get(self.band.len() / 4).map_or(f64::NEG_INFINITY, |&(x, _, _)| x);
        let (mut x, mut y) = (empty(), empty());
        for &(px, py) in self.curves.iter().flat_map(|curve| &curve.points) {
            x = stretch(x, px);
            if px >= settled {
                y = stretch(y, py);
            }
        }
        for &(_, low, high) in self.band.iter().filter(|(px, _, _)| *px >= settled) {
            y = stretch(stretch(y, low), high);
        }
        for &level in &self.levels {
            y = stretch(y, level);
        }
        let (x, y) = (at_least(x), at_least(y));
        let air = 0.05 * (y.1 - y.0);
        (x, (y.0 - air, y.1 + air))
    }

    fn draw<X>(
        &self,
        area: &DrawingArea<SVGBackend<'_>, Shift>,
        x: X,
        y: std::ops::Range<f64>,
    ) -> Result<(), DrawError>
    where
        X: AsRangedCoord<Value = f64>,
        X::CoordDescType: ValueFormatter<f64>,
    {
        area.fill(&WHITE)?;
        let (outline, shown) = (self.outline(&y), y.clone());
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, ("sans-serif", 18))
            .margin(10)
            .margin_right(10 + self.legend_width())
            .x_label_area_size(36)
            .y_label_area_size(56)
            .build_cartesian_2d(x, y)?;
        let mut mesh = chart.configure_mesh();
        mesh.x_desc(&self.x_label).y_desc(&self.y_label).light_line_style(WHITE).draw()?;
        if outline.len() > 2 {
            chart.draw_series([Polygon::new(outline, BLUE.mix(0.15))])?;
        }
        let (left, right) = self.ranges().0;
        for &level in &self.levels {
            chart.draw_series(LineSeries::new([(left, level), (right, level)], BLACK.mix(0.5)))?;
        }
        let mut ends = Vec::new();
        for (index, curve) in self.curves.iter().enumerate() {
            let color =
                if self.curves.len() == 1 { BLUE.to_rgba() } else { Palette99::pick(index).to_rgba() };
            let mut points = curve.points.iter().map(|&(x, y)| (x, y.clamp(shown.start, shown.end)));
            chart.draw_series(LineSeries::new(points.clone(), color.stroke_width(2)))?;
            if let Some(end) = points.next_back().filter(|_| !curve.name.is_empty()) {
                ends.push((chart.backend_coord(&end).1, color, curve.short_name()));
            }
        }
        let (columns, rows) = chart.plotting_area().get_pixel_range();
        drop(chart);
        if self.legend_width() > 0 { draw_legend(area, columns.end + 6, rows, ends) } else { Ok(()) }
    }

    /// Pixels for the names beside the curves; none if there is only one curve, which the title names.
    fn legend_width(&self) -> u32 {
        let names: Vec<String> = self.curves.iter().map(Series::short_name).collect();
        if names.len() > 1 { legend_width(names.iter().map(String::as_str)) } else { 0 }
    }

    /// The band as a polygon, cut to what is shown.
    fn outline(&self, shown: &std::ops::Range<f64>) -> Vec<(f64, f64)> {
        let upper = self.band.iter().map(|&(x, _, high)| (x, high.min(shown.end)));
        let lower = self.band.iter().rev().map(|&(x, low, _)| (x, low.max(shown.start)));
        upper.chain(lower).collect()
    }
}

/// A picture among several over the same numbers.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Beside the picture.
    pub y_label: String,
    /// Names and values of the curves, a value for each of the numbers.
    pub curves: Vec<(String, Vec<f64>)>,
}

/// Pictures below each other over the same positive numbers. Both axes double from mark to mark, so whatever grows like the numbers is
/// a straight line.
pub fn panels(title: &str, x_label: &str, numbers: &[u32], panels: &[Panel]) -> Result<String> {
    let mut text = String::new();
    let size = (SIZE.0, 30 + 240 * panels.len() as u32);
    let names = panels.iter().filter(|panel| panel.curves.len() > 1).flat_map(|panel| &panel.curves);
    let legend = legend_width(names.map(|(name, _)| name.as_str()));
    let draw = |text: &mut String| -> Result<(), DrawError> {
        let area = SVGBackend::with_string(text, size).into_drawing_area();
        area.fill(&WHITE)?;
        let areas = area.titled(title, ("sans-serif", 18))?.split_evenly((panels.len(), 1));
        for (panel, area) in panels.iter().zip(&areas) {
            draw_panel(panel, area, x_label, numbers, legend)?;
        }
        area.present()
    };
    draw(&mut text).map_err(|error| anyhow!("drawing {title:?}: {error}"))?;
    Ok(text)
}

fn draw_panel(
    panel: &Panel,
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    x_label: &str,
    numbers: &[u32],
    legend: u32,
) -> Result<(), DrawError> {
    let columns: Vec<f64> = numbers.iter().map(|&number| f64::from(number).log2()).collect();
    let values = || panel.curves.iter().flat_map(|(_, values)| values.iter().map(|value| value.log2()));
    let x = at_least(columns.iter().copied().fold(empty(), stretch));
    let marks = doublings(at_least(values().fold(empty(), stretch)));
    let y = marks.iter().copied().fold(empty(), stretch);
    let air = 0.05 * (y.1 - y.0);
    let y = (y.0 - air, y.1 + air);
    let mut chart = ChartBuilder::on(area)
        .margin(10)
        .margin_right(10 + legend)
        .x_label_area_size(36)
        .y_label_area_size(64)
        .build_cartesian_2d(Axis { shown: x, marks: columns.clone() }, Axis { shown: y, marks })?;
    let number = |place: &f64| format!("{:.0}", place.exp2());
    // A power may lie a little below the round number that it stands for.
    let value = |place: &f64| short(&(place.exp2() * (1.0 + 1e-9)));
    let mut mesh = chart.configure_mesh();
    mesh.x_desc(x_label).y_desc(&panel.y_label).light_line_style(WHITE);
    mesh.x_label_formatter(&number).y_label_formatter(&value).draw()?;
    let mut ends = Vec::new();
    for (index, (name, values)) in panel.curves.iter().enumerate() {
        let color = Palette99::pick(index).to_rgba();
        let points = || columns.iter().copied().zip(values.iter().map(|value| value.log2()));
        chart.draw_series(LineSeries::new(points(), color.stroke_width(2)))?;
        chart.draw_series(points().map(|point| Circle::new(point, 3, color.filled())))?;
        if let Some(end) = points().next_back().filter(|_| panel.curves.len() > 1) {
            ends.push((chart.backend_coord(&end).1, color, name.clone()));
        }
    }
    let (shown, rows) = chart.plotting_area().get_pixel_range();
    drop(chart);
    // Those are pixels of the whole picture.
    let (left, top) = (area.get_pixel_range().0.start, area.get_pixel_range().1.start);
    ends.iter_mut().for_each(|(row, _, _)| *row -= top);
    draw_legend(area, shown.end + 6 - left, rows.start - top..rows.end - top, ends)
}

/// An axis of binary logarithms, with marks at places of its own.
struct Axis {
    shown: (f64, f64),
    marks: Vec<f64>,
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        let share = (value - self.shown.0) / (self.shown.1 - self.shown.0);
        start + (share * f64::from(end - start)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // Light lines between the marks are asked for, too; there are none.
        if hint.weight().allow_light_points() { Vec::new() } else { self.marks.clone() }
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.shown.0..self.shown.1
    }
}

/// The marks of an axis of binary logarithms: doublings of a round number, from below `low` to above `high`.
fn doublings((low, high): (f64, f64)) -> Vec<f64> {
    let tens = high.exp2().log10();
    let round = 10_f64.powf(if tens < 0.0 { tens.floor() } else { 3.0 * (tens / 3.0).floor() }).log2();
    let (first, last) = ((low - round).floor() as i32, (high - round).ceil() as i32);
    (first..=last.max(first + 1)).map(|doubling| round + f64::from(doubling)).collect()
}

/// A number in few letters.
fn short(value: &f64) -> String {
    match value.abs() {
        size if size >= 1e6 => format!("{:.1} M", value / 1e6),
        size if size >= 1e3 => format!("{:.0} k", value / 1e3),
        size if size >= 20.0 || *value == value.round() => format!("{value:.0}"),
        _ => format!("{value:.2}"),
    }
}

/// Pixels for these names beside the curves.
fn legend_width<'a>(names: impl Iterator<Item = &'a str>) -> u32 {
    /// Pixels of a letter, nearly, and of the line before the name.
    const LETTER: usize = 7;
    const KEY: usize = 26;
    let longest = names.map(|name| name.chars().count()).max().unwrap_or(0);
    if longest > 0 { (KEY + LETTER * longest) as u32 } else { 0 }
}

/// The names of the curves beside their ends, one below the other where the ends meet. An end is a row of pixels, the color and
/// the name of the curve.
fn draw_legend(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    left: i32,
    rows: std::ops::Range<i32>,
    mut ends: Vec<(i32, RGBAColor, String)>,
) -> Result<(), DrawError> {
    /// Pixels from one name to the next.
    const LINE: i32 = 15;
    ends.sort_by_key(|(row, _, _)| *row);
    let mut lowest = rows.start;
    for (row, _, _) in &mut ends {
        *row = (*row).max(lowest);
        lowest = *row + LINE;
    }
    let mut highest = rows.end;
    for (row, color, name) in ends.into_iter().rev() {
        let row = row.min(highest);
        highest = row - LINE;
        area.draw(&PathElement::new([(left, row), (left + 14, row)], color.stroke_width(2)))?;
        area.draw(&Text::new(name, (left + 18, row - 6), ("sans-serif", 12)))?;
    }
    Ok(())
}

/// Bars of equal width, each from its x on.
pub fn bars(title: &str, x_label: &str, y_label: &str, width: f64, bars: &[(f64, f64)]) -> Result<String> {
    let (mut x, mut y) = (empty(), (0.0, 1e-9));
    for &(left, height) in bars {
        x = stretch(stretch(x, left), left + width);
        y = stretch(y, height);
    }
    let (x, y) = (at_least(x), at_least(y));
    let fail = |error: &dyn std::fmt::Display| anyhow!("drawing {title:?}: {error}");
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        area.fill(&WHITE).map_err(|error| fail(&error))?;
        let mut chart = ChartBuilder::on(&area)
            .caption(title, ("sans-serif", 18))
            .margin(10)
            .x_label_area_size(36)
            .y_label_area_size(56)
            .build_cartesian_2d(x.0..x.1, y.0..y.1 * 1.05)
            .map_err(|error| fail(&error))?;
        let mut mesh = chart.configure_mesh();
        mesh.x_desc(x_label).y_desc(y_label).light_line_style(WHITE).draw().map_err(|error| fail(&error))?;
        let boxes = bars.iter().map(|&(left, height)| {
            Rectangle::new([(left, 0.0), (left + 0.9 * width, height)], BLUE.mix(0.6).filled())
        });
        chart.draw_series(boxes).map_err(|error| fail(&error))?;
        area.present().map_err(|error| fail(&error))?;
    }
    Ok(text)
}

fn empty() -> (f64, f64) {
    (f64::INFINITY, f64::NEG_INFINITY)
}

fn stretch(range: (f64, f64), value: f64) -> (f64, f64) {
    if value.is_finite() { (range.0.min(value), range.1.max(value)) } else { range }
}

/// A range that can be drawn.
fn at_least((low, high): (f64, f64)) -> (f64, f64) {
    match (low.is_finite() && high.is_finite(), high > low) {
        (false, _) => (0.0, 1.0),
        (true, true) => (low, high),
        (true, false) => (low - 0.5, high + 0.5),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_beside_the_curves_and_not_on_each_other() {
        let curve = |name: &str| Series { name: name.to_owned(), points: vec![(1.0, 1.0), (2.0, 2.0)] };
        let curves = vec![curve("first"), curve("second"), curve(&"very long ".repeat(10))];
        let svg = Chart { curves, ..Chart::default() }.svg().unwrap();
        let row = |name: &str| {
            let tag = svg.lines().collect::<Vec<_>>().windows(2).find(|lines| lines[1] == name).unwrap()[0]
                .to_owned();
            tag.split("y=\"").nth(1).unwrap().split('"').next().unwrap().parse::<i32>().unwrap()
        };
        assert!((row("first") - row("second")).abs() >= 15, "{svg}");
        assert!(svg.contains("very long very long very long ver…"));
    }

    #[test]
    fn a_wild_start_does_not_squeeze_a_curve_with_a_band() {
        let points: Vec<_> = (0..40).map(|x| (f64::from(x), if x == 0 { 800.0 } else { 1.0 })).collect();
        let band = points.iter().map(|&(x, y)| (x, y - 1.0, y + 1.0)).collect();
        let curves = vec![Series { name: String::new(), points }];
        assert!(Chart { curves, band, ..Chart::default() }.ranges().1.1 < 3.0);
    }
}
