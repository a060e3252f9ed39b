// Keeps the files of the page, so that it works without a connection (the engine's large ones the page keeps, see engine-files.ts), and
// isolates the page, so that it may have shared memory: where the server does not send the headers for that, from the second visit on.
// The build fills in the versions and the list.
const NAME = `tamarack-${"VERSION"}`;
const ENGINE = `tamarack-engine-${"ENGINE"}`;
const FILES = ["FILES"];

self.addEventListener("install", (event) => {
    event.waitUntil(
        caches
            .open(NAME)
            .then((cache) => cache.addAll(FILES.map(asked)))
            .then(() => self.skipWaiting()),
    );
});

/** The request of a file. One with a hash of it in its name is what the browser has kept of it, whatever its age. */
function asked(file) {
    return new Request(file, { cache: file.startsWith("assets/") ? "force-cache" : "no-cache" });
}

self.addEventListener("activate", (event) => {
    const removeOld = async () => {
        for (const name of await caches.keys()) {
            if (name.startsWith("tamarack-") && ![NAME, ENGINE].includes(name)) await caches.delete(name);
        }
        await self.clients.claim();
    };
    event.waitUntil(removeOld());
});

self.addEventListener("fetch", (event) => {
    const { request } = event;
    if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
    const answer = async () => {
        const kept = await (await caches.open(NAME)).match(request, { ignoreSearch: true });
        const engine = kept ?? (await caches.match(request, { cacheName: ENGINE }));
        return isolating(engine ?? (await fetch(request)));
    };
    event.respondWith(answer());
});

/** The response with the headers of a page that is cross-origin isolated, and of its workers. */
function isolating(response) {
    // A redirection stays what it is.
    if (response.status === 0) return response;
    const headers = new Headers(response.headers);
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cross-Origin-Embedder-Policy", "require-corp");
    const { body, status, statusText } = response;
    return new Response(body, { status, statusText, headers });
}
