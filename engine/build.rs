//! Tells the program what it was built from and for.

use std::process::Command;

fn main() {
    let git = |arguments: &[&str]| {
        let output =
            Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
        let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        Some(text).filter(|text| !text.is_empty())
    };
    // Sources without a repository are built too.
    let commit = git(&["rev-parse", "--short=10", "HEAD"]).unwrap_or_else(|| "unknown".to_owned());
    if let Some(folder) = git(&["rev-parse", "--absolute-git-dir"]) {
        println!("cargo::rerun-if-changed={folder}/HEAD");
        println!("cargo::rerun-if-changed={folder}/logs/HEAD");
    }
    println!("cargo::rerun-if-env-changed=CARGO_CFG_TARGET_FEATURE");
    let variable = |name| std::env::var(name).unwrap_or_default();
    println!("cargo::rustc-env=BUILD_COMMIT={commit}");
    println!("cargo::rustc-env=BUILD_PROFILE={}", variable("PROFILE"));
    println!("cargo::rustc-env=BUILD_TARGET={}", variable("TARGET"));
    println!("cargo::rustc-env=BUILD_FEATURES={}", variable("CARGO_CFG_TARGET_FEATURE"));
}
