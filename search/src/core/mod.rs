//! Game-neutral search parts.
