// Keeps all files of the page, so that it works without a connection. The build fills in the version and the list.
const NAME = `tamarack-${"VERSION"}`;
const FILES = ["FILES"];

self.addEventListener("install", (event) => {
    event.waitUntil(
        caches
            .open(NAME)
            .then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" }))))
            .then(() => self.skipWaiting()),
    );
});

self.addEventListener("activate", (event) => {
    const removeOld = async () => {
        for (const name of await caches.keys()) {
            if (name.startsWith("tamarack-") && name !== NAME) await caches.delete(name);
        }
        await self.clients.claim();
    };
    event.waitUntil(removeOld());
});

self.addEventListener("fetch", (event) => {
    const { request } = event;
    if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
    event.respondWith(
        caches.open(NAME).then((cache) => cache.match(request, { ignoreSearch: true })).then((kept) => kept ?? fetch(request)),
    );
});
