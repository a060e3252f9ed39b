//! Stub while the parts are being written; see /work/notes/api.md.
