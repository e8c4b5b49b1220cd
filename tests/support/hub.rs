//! Drives the draughts engine's binary over pipes under Hub.

// Each test binary uses a part of the driver.
#![allow(dead_code, unused_imports)]

#[path = "client.rs"]
mod client;

pub use client::{Client, LIVENESS};

use std::fmt::Display;
use std::ops::{Deref, DerefMut};

/// A running engine.
pub struct Hub {
    client: Client,
}

impl Deref for Hub {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl DerefMut for Hub {
    fn deref_mut(&mut self) -> &mut Client {
        &mut self.client
    }
}

impl Hub {
    /// Starts the engine; nothing is sent to it.
    pub fn start() -> Self {
        Self { client: Client::start(env!("CARGO_BIN_EXE_dyad-draughts"), &["hub"]) }
    }

    /// Starts the engine with parameters (`name=value`) and waits until it is ready.
    pub fn with(parameters: &[&str]) -> Self {
        let mut engine = Self::start();
        engine.send("hub");
        for parameter in parameters {
            let (name, value) = parameter.split_once('=').unwrap();
            engine.send(format_args!("set-param name={name} value={value}"));
        }
        engine.send("init");
        engine.before("ready");
        engine
    }

    /// Sends lines and then `ping`; returns what comes before the `pong`.
    pub fn said(&mut self, lines: impl Display) -> Vec<String> {
        self.send(format_args!("{lines}\nping"));
        self.before("pong")
    }

    /// The lines of a search up to its answer, which is the last.
    pub fn search(&mut self) -> Vec<String> {
        self.until(|line| line.starts_with("done"))
    }

    /// The answer to a search.
    pub fn done(&mut self) -> String {
        self.search().pop().unwrap()
    }

    /// See [`Client::close`].
    pub fn close(self) -> Vec<String> {
        self.client.close()
    }

    /// See [`Client::quit`].
    pub fn quit(self) -> Vec<String> {
        self.client.quit()
    }
}
