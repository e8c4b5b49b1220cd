//! Colours, bars and graphs for a terminal; plain text elsewhere.

use std::io::IsTerminal;

/// Height of a graph in lines.
const GRAPH_LINES: usize = 8;
/// Eighths of a character cell, from empty to full.
const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Whether what is printed may have colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    colour: bool,
}

impl Style {
    /// Colours when standard output is a terminal and the user has not set `NO_COLOR` (no-color.org).
    #[must_use]
    pub fn of_output() -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Self { colour: wanted && std::io::stdout().is_terminal() }
    }

    /// No colours.
    #[must_use]
    pub const fn plain() -> Self {
        Self { colour: false }
    }

    /// Whether there are colours.
    #[must_use]
    pub const fn has_colour(self) -> bool {
        self.colour
    }

    /// The text with the graphic rendition `code` (ECMA-48, SGR), such as `1;31`.
    #[must_use]
    pub fn paint(self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// A bar of `width` cells of which `share` (0 to 1) is full.
#[must_use]
pub fn bar(share: f64, width: usize) -> String {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    let full = (share * width as f64).round() as usize;
    (0..width).map(|cell| if cell < full { '█' } else { '░' }).collect()
}

/// White's and Black's chances side by side: `width` cells, White's full.
#[must_use]
pub fn win_bar(white_percent: f64, width: usize) -> String {
    bar(white_percent / 100.0, width)
}

/// A graph of values from 0 to 100, a column for each, at most `width` columns: several values share one then.
#[must_use]
pub fn graph(values: &[f64], width: usize) -> Vec<String> {
    let columns = values.len().min(width.max(1));
    let heights: Vec<usize> = (0..columns)
        .filter_map(|column| {
            let (from, to) = (column * values.len() / columns, (column + 1) * values.len() / columns);
            let part = values.get(from..to)?;
            let mean = part.iter().sum::<f64>() / part.len().max(1) as f64;
            Some((mean.clamp(0.0, 100.0) / 100.0 * (GRAPH_LINES * 8) as f64).round() as usize)
        })
        .collect();
    (0..GRAPH_LINES)
        .rev()
        .map(|line| {
            let cell = |height: &usize| EIGHTHS.get(height.saturating_sub(8 * line).min(8)).copied();
            let label = match line {
                _ if line == GRAPH_LINES - 1 => "100 %",
                _ if line == GRAPH_LINES / 2 => " 50 %",
                0 => "  0 %",
                _ => "     ",
            };
            format!("{label} {}", heights.iter().filter_map(cell).collect::<String>())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_full_by_their_share() {
        assert_eq!(bar(0.5, 4), "██░░");
        assert_eq!(bar(f64::NAN, 2), "░░");
        assert_eq!(win_bar(100.0, 3), "███");
        assert_eq!(bar(7.0, 2), "██");
    }

    #[test]
    fn graphs_rise_with_their_values() {
        let lines = graph(&[0.0, 50.0, 100.0], 80);
        assert_eq!(lines.len(), GRAPH_LINES);
        assert_eq!(lines[0], "100 %   █");
        assert_eq!(lines[7], "  0 %  ██");
        assert!(graph(&[50.0; 1000], 60).iter().all(|line| line.chars().count() == 66));
        assert_eq!(graph(&[], 60).len(), GRAPH_LINES);
    }

    #[test]
    fn plain_text_stays_plain() {
        assert_eq!(Style::plain().paint("1;31", "x"), "x");
    }
}
