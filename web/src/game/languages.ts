// The piece letters of languages.

import type { Role } from "chessops/types";

export interface Language {
    name: string;
    /** The role of each letter, in capitals. */
    roles: ReadonlyMap<string, Role>;
}

const ROLES: readonly Role[] = ["king", "queen", "rook", "bishop", "knight", "pawn"];

/** King, queen, rook, bishop, knight, and the pawn where one writes it; several forms of a letter stand beside each other. */
const LARGE: Record<string, string> = {
    "English with P for pawns": "K Q R B N P",
    German: "K D T L S",
    French: "R D T F C P",
    Spanish: "R D T A C P",
    Italian: "R D T A C P",
    Portuguese: "R D T B C P",
    Dutch: "K D T L P",
    Polish: "K H W G S",
    Russian: "Кр Ф Л С К",
    Czech: "K D V S J",
    Hungarian: "K V B F H",
    Swedish: "K D T L S",
};

/** Danish and Norwegian have the letters of Swedish, Slovak those of Czech, Croatian and Slovenian those of German. */
const SMALL: Record<string, string> = {
    Finnish: "K D T L R",
    Romanian: "R D T N C",
    Turkish: "Ş V K F A",
    Ukrainian: "Кр Ф Т С К",
    Bulgarian: "Ц Д Т О К",
    Serbian: "К Д Т Л С",
    Greek: "Ρ Β Π Α Ι",
    Estonian: "K L V O R",
    Latvian: "K D T L Z",
    Lithuanian: "K V B R Ž",
    Icelandic: "K D H B R",
    Esperanto: "R D T K Ĉ",
    Indonesian: "R M B G K",
};

function language(name: string, letters: string): Language {
    return { name, roles: new Map(letters.split(" ").map((letter, at) => [letter, ROLES[at]!])) };
}

function languages(letters: Record<string, string>): Language[] {
    return Object.entries(letters).map(([name, one]) => language(name, one));
}

/** The standard's letters. P for a pawn is none of them: it is the knight in Dutch. */
export const ENGLISH = language("English", "K Q R B N");

/** All other sets of letters: those that many write, and others, which count where none of the first fits. */
export const OTHERS: readonly (readonly Language[])[] = [languages(LARGE), languages(SMALL)];

/** The roles of figurines; a pawn's says nothing that the squares do not say. */
export const FIGURINES: ReadonlyMap<string, Role> = new Map(
    ["♔♕♖♗♘♙", "♚♛♜♝♞♟"].flatMap((signs) => [...signs].map((sign, at) => [sign, ROLES[at]!] as const)),
);
