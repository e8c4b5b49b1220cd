//! Protocols as text: grammars, options, line I/O, clients.
