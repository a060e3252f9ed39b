// Addresses: those that carry a game or a position are made and read; those of games on servers cannot be fetched.

import { Unreadable, quoted } from "./unreadable";

/** The address of a page with a game in it, for `#pgn=`. */
export function pgnLink(page: string, pgn: string): string {
    return `${bare(page)}#pgn=${encoded(pgn)}`;
}

/** The address of a page with a position in it, for `#fen=`; underscores stand for blanks. */
export function fenLink(page: string, fen: string): string {
    return `${bare(page)}#fen=${encoded(fen.replaceAll(" ", "_")).replaceAll("%2F", "/")}`;
}

function bare(page: string): string {
    return page.replace(/[?#].*$/s, "");
}

/** Halves of characters, which have no encoding. */
const LONE = /[\ud800-\udfff]/gu;

/** Programs that show messages end an address at brackets and such, so they are escaped, too. */
function encoded(text: string): string {
    const escape = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
    return encodeURIComponent(text.replaceAll(LONE, "\ufffd")).replaceAll(/[!'()*~]/g, escape);
}

/** The text that the page's own address carries (`#pgn=`, `#fen=`, `?pgn=`, `?fen=`); null if it carries none. */
export function carriedText(address: string): string | null {
    const found = /[#?&](pgn|fen|epd|moves)=/i.exec(address);
    if (!found) return null;
    const isFragment = address.indexOf("#") >= 0 && address.indexOf("#") <= found.index;
    const rest = address.slice(found.index + found[0].length);
    const raw = isFragment ? withoutParameters(rest) : rest.replace(/[&#].*$/s, "");
    return found[1]!.toLowerCase() === "fen" || found[1]!.toLowerCase() === "epd" ? fenOfRaw(raw) : pgnOfRaw(raw);
}

/** In a fragment `&` may be part of a name, "A & B"; other parameters are what begins as one. */
function withoutParameters(raw: string): string {
    return raw.replace(/&(?:fen|pgn|color|colour|orientation|ply|move|at|flip)=[^&]*$/i, "");
}

/** Percent signs that begin no escape stay as they are. */
function decoded(raw: string): string {
    return raw.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
        try {
            return decodeURIComponent(escapes);
        } catch {
            return escapes;
        }
    });
}

function pgnOfRaw(raw: string): string {
    const hasBlanks = /%20| /.test(raw);
    // A form writes blanks as plus signs.
    const text = decoded(hasBlanks ? raw : raw.replaceAll(/\+(?=[^+&])/g, " "));
    return /[\s[]/.test(text) ? text : text.replaceAll("_", " ");
}

function fenOfRaw(raw: string): string {
    return decoded(raw.replaceAll("+", " ")).replaceAll("_", " ");
}

/** True for a text that is an address and nothing else. */
export function isLink(text: string): boolean {
    const isSite = /^(?:https?:\/\/|www\.|(?:[\w-]+\.)*(?:lichess\.org|chess\.com|chess24\.com|chessgames\.com|chesstempo\.com)\b)/i;
    return !text.includes("\n") && (isSite.test(text) || /^[#?](?:pgn|fen|epd|moves)=/i.test(text));
}

/** The text that an address carries.
 *  @throws Unreadable if it carries none: it would have to be fetched. */
export function textOfLink(link: string): string {
    const carried = carriedText(link);
    if (carried !== null) return carried;
    const [, host = link, path = ""] = /^(?:https?:\/\/)?([^/?#]+)(\/[^?#]*)?/i.exec(link) ?? [];
    const moves = /\/analysis\/pgn\/([^/]+)$/i.exec(path)?.[1];
    if (moves) return decoded(moves).replaceAll(/[_+]/g, " ");
    const fen = /(?:^|\/)((?:[pnbrqk1-8]+(?:\/|%2f)){7}[pnbrqk1-8]+.*)$/i.exec(decoded(path))?.[1];
    if (fen) {
        const variant = /\/(?:analysis|editor)\/(?![pnbrqk1-8]+\/)([a-z]\w+)\//i.exec(path)?.[1];
        if (variant && !/^(?:standard|chess|chess960|fromPosition)$/i.test(variant)) {
            throw new Unreadable(`This is a position of ${quoted(variant)}; only chess and Chess960 are played here.`);
        }
        return fen.replaceAll(/[_+]/g, " ");
    }
    const what = [
        [/study/i, "a study"],
        [/puzzle|training/i, "a puzzle"],
        [/\.pgn$/i, "a file"],
        [/^\/?$/, "a page"],
        [/\/(?:analysis|editor)$/i, "an analysis board"],
        [/./, "a game"],
    ] as const;
    const name = what.find(([pattern]) => pattern.test(path))?.[1] ?? "a page";
    throw new Unreadable(
        `This is a link to ${name} on ${host}, and this page fetches nothing from other servers: copy the PGN or FEN there and paste it here.`,
    );
}
