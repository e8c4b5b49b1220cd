//! What the program was built from, as `--version` tells it.

use search::chess::Evaluation;

/// Instruction sets worth a word: those that make a difference to speed.
const FEATURES: [&str; 5] = ["avx512vnni", "avx512bw", "avx2", "bmi2", "neon"];

/// Version, sources, network and target, one on each line.
pub fn version() -> String {
    let features: Vec<&str> = FEATURES
        .into_iter()
        .filter(|name| env!("BUILD_FEATURES").split(',').any(|other| other == *name))
        .collect();
    format!(
        "{}\nbuild:  {} ({})\nnet:    {}\ntarget: {} ({})",
        env!("CARGO_PKG_VERSION"),
        env!("BUILD_COMMIT"),
        env!("BUILD_PROFILE"),
        Evaluation::built_in(),
        env!("BUILD_TARGET"),
        features.join(" ")
    )
}
