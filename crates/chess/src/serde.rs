//! The feature `serde`: everything that has a text is serialised as that text.

use super::{CastlingSide, Color, Epd, File, Move, Piece, PieceType, Position, Rank, Square, UciMove};
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt::{self, Display, Formatter};
use std::marker::PhantomData;
use std::str::FromStr;

/// Reads a value from its text, and refuses others with the error of its `FromStr`.
struct TextVisitor<T> {
    expected: &'static str,
    value: PhantomData<T>,
}

impl<T: FromStr<Err: Display>> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! as_text {
    ($($name:ident: $expected:literal),* $(,)?) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                deserializer.deserialize_str(TextVisitor { expected: $expected, value: PhantomData })
            }
        }
    )*};
}

as_text! {
    Position: "a position as FEN",
    Epd: "a line of EPD",
    UciMove: "a move in UCI notation",
    Square: "a square such as e4",
    File: "a file, a to h",
    Rank: "a rank, 1 to 8",
    Color: "a colour, w or b",
    PieceType: "a piece type, p to k",
    Piece: "a piece, P to K or p to k",
    CastlingSide: "O-O or O-O-O",
}

impl Serialize for Move {
    /// The move in UCI notation, as `{}` writes it. It is read as [`UciMove`], and becomes a move in its position.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
