//! Finds the networks to build in: eval/nets/chess.nnue if it is there, or the file named by `EVALFILE`.

use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rustc-check-cfg=cfg(embedded_chess_network)");
    println!("cargo::rerun-if-env-changed=EVALFILE");
    println!("cargo::rerun-if-changed=nets");
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let network = match std::env::var_os("EVALFILE") {
        // Relative to the workspace root, where `make EVALFILE=...` is called.
        Some(path) if !path.is_empty() => root.join("..").join(Path::new(&path)),
        _ => root.join("nets").join("chess.nnue"),
    };
    if network.is_file() {
        println!("cargo::rerun-if-changed={}", network.display());
        println!("cargo::rustc-env=DYAD_CHESS_NETWORK={}", network.display());
        println!("cargo::rustc-cfg=embedded_chess_network");
    } else if std::env::var_os("EVALFILE").is_some_and(|path| !path.is_empty()) {
        println!("cargo::error=EVALFILE names no file: {}", network.display());
    }
}
