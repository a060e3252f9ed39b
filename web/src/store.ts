// What the page remembers, in this browser alone.

export function load<T>(name: string): T | null {
    try {
        return JSON.parse(localStorage.getItem(`tamarack-${name}`) ?? "null") as T | null;
    } catch {
        return null;
    }
}

/** Remembers a value; false if there is no storage, or no room in it. */
export function save(name: string, value: unknown): boolean {
    try {
        localStorage.setItem(`tamarack-${name}`, JSON.stringify(value));
        return true;
    } catch {
        return false;
    }
}
