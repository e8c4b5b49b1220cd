//! A report as one HTML file that needs nothing else: style, script, figures and games are in it.

use std::io::{self, Write};

use crate::report::GameReport;

const STYLE: &str = include_str!("../assets/report.css");
const SCRIPT: &str = include_str!("../assets/report.js");
const BODY: &str = include_str!("../assets/report.html");

/// Writes a report game by game, so that it needs no more memory than one game.
pub struct HtmlReport<W: Write> {
    output: W,
}

impl<W: Write> HtmlReport<W> {
    /// Begins a report.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn new(mut output: W, title: &str) -> io::Result<Self> {
        write!(
            output,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" \
             content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n\
             <link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n{BODY}",
            escape(title)
        )?;
        Ok(Self { output })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn push(&mut self, game: &GameReport) -> io::Result<()> {
        // No text of a game can end the script element or begin a comment in it.
        let json = serde_json::to_string(game)?.replace('<', "\\u003c").replace('&', "\\u0026");
        writeln!(
            self.output,
            "<script type=\"application/json\" class=\"game\" data-title=\"{}\">{json}</script>",
            escape(&game.title())
        )
    }

    /// Ends the report and gives back what it was written to.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        write!(self.output, "<script>\n{SCRIPT}</script>\n</body>\n</html>\n")?;
        Ok(self.output)
    }
}

/// Text for HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_of_a_game_breaks_out() -> io::Result<()> {
        let game = GameReport {
            kind: "chess",
            number: 1,
            tags: vec![("White".into(), "</script><img src=x onerror=alert(1)>\"&".into())],
            result: "<!--".into(),
            opening: None,
            start: String::new(),
            start_win: 50.0,
            notes: Vec::new(),
            plies: Vec::new(),
            summary: Default::default(),
            turning_points: Vec::new(),
        };
        let mut html = HtmlReport::new(Vec::new(), "<b>")?;
        html.push(&game)?;
        let text = String::from_utf8_lossy(&html.finish()?).into_owned();
        let scripts = text.matches("</script>").count();
        assert_eq!(scripts, 2);
        assert!(!text.contains("<img") && text.contains("<title>&lt;b&gt;</title>"));
        assert!(text.contains("\\u003c/script>\\u003cimg src=x onerror=alert(1)>\\\"\\u0026"));
        // Nothing is fetched.
        assert!(
            !text.contains("http://")
                || text.matches("http://").count() == text.matches("www.w3.org").count()
        );
        Ok(())
    }
}
