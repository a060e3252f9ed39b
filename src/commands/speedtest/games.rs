//! The games of `speedtest`: Tamarack against itself, generation 14, 40,000 nodes a move, begun by one to three given moves.

/// The moves of each game from the usual array.
pub const GAMES: [&str; 5] = [
    "e2e4 c7c5 g1f3 g8f6 e4e5 f6d5 b1c3 e7e6 c3d5 e6d5 c2c3 b8c6 d2d4 d7d6 f1b5 f8e7 e5d6 d8d6 d4c5 d6c5 b5e2 e8g8 \
     c1e3 c5d6 e1g1 e7f6 h2h3 f8d8 d1c2 d6c7 a1d1 h7h6 f1e1 a7a6 c2b3 d8e8 e3b6 c7f4 e2f1 c8h3 g2h3 f4f3 f1g2 f3f5 \
     b3d5 f5g6 b6c7 f6h4 d5d7 e8e7 e1e7 c6e7 g1h2 e7c6 d1d2 g6h5 g2c6 b7c6 d7c6 a8a7 a2a4 h4g5 c6e8 g8h7 e8e4 h5g6 \
     e4g6 h7g6 d2d6 g6f5 c7b6 g5f4 h2g2 f4d6 b6a7 f5e4 c3c4 d6b4 f2f3 e4e5 g2f2 g7g5 f2e3 e5e6 e3d4 b4e1 c4c5 f7f5 \
     d4c4 h6h5 b2b4 e1f2 b4b5 a6b5 c4b5 g5g4 f3g4 h5g4 h3g4 f5g4",
    "d2d4 d7d5 c2c4 e7e6 g1f3 g8f6 g2g3 f8b4 c1d2 b4e7 f1g2 c7c6 d1c2 e8g8 e1g1 b7b6 c4d5 c6d5 f1c1 c8b7 f3e5 e7d6 \
     b1c3 b8d7 e5d3 a7a6 c2b3 f6e4 d2f4 d6f4 d3f4 e4d6 e2e3 h7h6 a2a4 a8c8 f4d3 a6a5 c3b5 d6c4 c1c2 d7f6 h2h3 f6e4 \
     b5a7 c8a8 a7b5 a8c8 a1c1 d8g5 g2e4 d5e4 c2c4 c8c4 b3c4 e4d3 c4d3 g5d5 e3e4 d5e4 d3e4 b7e4 b5d6 e4d3 c1c6 f8b8 \
     f2f3 d3e2 c6c8 b8c8 d6c8 b6b5 g1f2 e2d3 f2e3 d3f1 a4b5 f1b5 c8d6 b5a6 e3d2 g7g5 d2c3 a6f1 h3h4 g5h4 g3h4 f1e2 \
     d6b7 a5a4 b7c5 e2f3 c5a4 f3c6 a4c5 g8f8 c5d3 f8e7 c3d2 e7d6",
    "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8e7 e1g1 e8g8 f1e1 d7d6 a2a4 c6a5 c4a2 c7c5 b1d2 c8e6 c2c3 a5c6 a2c4 d8c7 \
     d2f1 h7h6 d1e2 c7d7 f1g3 a8b8 h2h3 a7a6 c4a2 b7b5 a2e6 f7e6 c1e3 b5a4 e2c2 a6a5 a1a4 b8b7 e3c1 f8b8 a4a1 e7d8 \
     g3f1 d8c7 f1e3 d7e8 c2e2 f6d7 g1f1 e8f7 e2c2 d6d5 f1g1 b8f8 c2a4 b7b6 a4c2 d7f6 e3f1 f6d7 f1e3 g8h8 c2e2 f8b8 \
     e2d1 b8f8 d1c2 b6b8 c2a4 b8b6 e3g4 f7g6 a4d1 g6f7 d1c2 f7g6 c2d1 h8h7 f3h4 g6h5 h4f3 h5g6 f3h4 g6f7 d1c2 h7g8 \
     h4f3 f7g6 c2d1 g8h7 f3h4 g6f7 h4f3 f7g6 g4h2 d7f6 d1c2 f6d7",
    "d2d4 g8f6 c2c4 e7e6 g1f3 d7d5 g2g3 f8b4 c1d2 b4e7 f1g2 c7c6 d1c2 e8g8 e1g1 b8d7 f1c1 h7h6 a2a4 a7a5 e2e3 d8c7 \
     d2e1 d5c4 c2c4 e6e5 c4c2 f8e8 e1c3 e5d4 f3d4 d7e5 b1a3 c8d7 e3e4 c7b6 d4b3 d7e6 b3d4 e6g4 d4b3 g4e6 b3d4 e6g4 \
     d4b3 g4e6 b3d4 e6g4 d4b3 g4e6 b3d4 e6g4 d4b3 e5f3 g2f3 g4f3 a3c4 b6a6 c4d2 f3e2 c1e1 e2d3 c2d1 c6c5 b3a5 c5c4 \
     b2b4 c4b3 d1b3 a8c8 e4e5 f6g4 c3d4 e7c5 d4c5 c8c5 e5e6 e8e6 e1e6 f7e6 a5b7 c5f5 a1e1 a6a7 e1e3 f5f2 b3d3 f2f8 \
     b7d8 a7e3 d3e3 g4e3 d8e6 f8b8 e6c5 b8b2 d2b3 b2g2 g1h1 g2f2",
    "c2c4 e7e5 b1c3 g8f6 g1f3 b8c6 g2g3 f8b4 f1g2 e8g8 e1g1 b4c3 b2c3 d7d6 d2d3 h7h6 a1b1 f8e8 f3d2 f6d7 c1a3 a7a5 \
     d1c2 a8a7 f1e1 d7f8 d2f1 f8e6 f1e3 c6e7 e1d1 e7c6 a3c1 c8d7 e3d5 b7b6 e2e4 e6g5 d1f1 g5h7 f2f4 e5f4 g3f4 f7f5 \
     c1b2 c6e7 c2f2 h7f8 b1e1 f8g6 e1e3 e8f8 e3g3 g8h8 b2c1 g6h4 g1h1 e7g6 f1g1 c7c5 g2f3 h4f3 g3f3 f5e4 d3e4 g6h4 \
     f3g3 d8e8 g3e3 e8h5 f4f5 h4f5 e3f3 h8h7 g1f1 b6b5 e4f5 d7c6 f2g2 a7f7 f1g1 b5c4 g2g6 h5g6 f5g6 h7h8 g6f7 c6d5 \
     g1g3 f8f7 h1g2 f7f5 g2f2 d5f3 g3f3 f5d5 f2e2 g7g5 f3f7 d5d3",
];
