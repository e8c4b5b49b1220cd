//! The loss of each epoch as a table and as a picture.

use std::fmt::Write;

use super::run::EpochLoss;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;

/// Lines `epoch,training,held_out`.
pub fn csv(history: &[EpochLoss]) -> String {
    let mut text = String::from("epoch,training,held_out\n");
    for (i, loss) in history.iter().enumerate() {
        let held_out = loss.held_out.map(|value| format!("{value:.8}")).unwrap_or_default();
        let _ = writeln!(text, "{},{:.8},{held_out}", i + 1, loss.training);
    }
    text
}

/// A drawing of both losses over the epochs.
pub fn svg(title: &str, history: &[EpochLoss]) -> String {
    let values = history.iter().flat_map(|loss| [Some(loss.training), loss.held_out]).flatten();
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    let margin = ((high - low) * 0.05).max(1e-6);
    let (low, high) = (low - margin, high + margin);
    let x = |epoch: usize| {
        let steps = history.len().saturating_sub(1).max(1) as f64;
        LEFT + (WIDTH - LEFT - RIGHT) * epoch as f64 / steps
    };
    let y = |value: f64| TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low);
    let title = title.replace('&', "&amp;").replace('<', "&lt;");

    let mut text = String::new();
    let _ = writeln!(
        text,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">
<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>
<text x="{LEFT}" y="22" font-size="14">{title}</text>"##
    );
    for i in 0..=5 {
        let value = low + (high - low) * f64::from(i) / 5.0;
        let at = y(value);
        let _ = writeln!(
            text,
            r##"<path d="M{LEFT} {at:.1}H{:.1}" stroke="#ddd"/><text x="{:.1}" y="{:.1}" text-anchor="end">{value:.5}</text>"##,
            WIDTH - RIGHT,
            LEFT - 6.0,
            at + 4.0
        );
    }
    let stride = history.len().div_ceil(20).max(1);
    for epoch in (0..history.len()).step_by(stride) {
        let _ = writeln!(
            text,
            r#"<text x="{:.1}" y="{:.1}" text-anchor="middle">{}</text>"#,
            x(epoch),
            HEIGHT - BOTTOM + 18.0,
            epoch + 1
        );
    }
    let _ = writeln!(
        text,
        r#"<text x="{:.1}" y="{:.1}" text-anchor="middle">epoch</text>"#,
        f64::midpoint(LEFT, WIDTH - RIGHT),
        HEIGHT - 10.0
    );
    type Pick = fn(&EpochLoss) -> Option<f64>;
    let lines: [(&str, &str, Pick); 2] =
        [("training", "#1f77b4", |loss| Some(loss.training)), ("held out", "#d62728", |loss| loss.held_out)];
    for (i, (label, color, pick)) in lines.into_iter().enumerate() {
        let points: Vec<String> = history
            .iter()
            .enumerate()
            .filter_map(|(epoch, loss)| Some(format!("{:.1},{:.1}", x(epoch), y(pick(loss)?))))
            .collect();
        if points.is_empty() {
            continue;
        }
        let _ = writeln!(
            text,
            r#"<polyline points="{}" fill="none" stroke="{color}" stroke-width="2"/><text x="{:.1}" y="22" fill="{color}">{label}</text>"#,
            points.join(" "),
            WIDTH - 180.0 + 90.0 * i as f64
        );
    }
    text.push_str("</svg>\n");
    text
}
