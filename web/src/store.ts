// What the page remembers, in this browser alone.

export function load<T>(name: string): T | null {
    try {
        return JSON.parse(localStorage.getItem(`tamarack-${name}`) ?? "null") as T | null;
    } catch {
        return null;
    }
}

export function save(name: string, value: unknown): void {
    try {
        localStorage.setItem(`tamarack-${name}`, JSON.stringify(value));
    } catch {
        // Without storage nothing is remembered.
    }
}
