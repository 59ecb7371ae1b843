// The service worker. It keeps the app's own files, so that the app opens without the server, and shows notifications. It handles
// no request to the API. docs/app-on-the-phone.md says what tabs and workers of two versions do with each other.

// The build replaces this line: the version's name, the paths of its files, and the SHA-256 of its page.
const app = { version: "", files: [], page: "" };

const CACHE = `app-${app.version}`;
const files = new Set(app.files);

/** What the server answers itself, also when it is opened as a page. */
const OF_SERVER = /^\/(?:api|gateway|unsubscribe|\.well-known|healthz|readyz|robots\.txt)(?:\/|$)/u;

addEventListener("install", (event) => event.waitUntil(keepFiles()));

async function keepFiles() {
  const cache = await caches.open(CACHE);
  // Only files with a hash in their names may come from the browser's own cache.
  const requests = app.files.map(
    (path) => new Request(path, { cache: path.startsWith("/assets/") ? "default" : "no-cache" }),
  );
  await cache.addAll(requests);
  const response = await fetch("/", { cache: "no-store" });
  const digest = await crypto.subtle.digest("SHA-256", await response.clone().arrayBuffer());
  const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  // The page names the files, so it must be that of this version.
  if (hash !== app.page) throw new Error("The server has another version by now.");
  await cache.put("/", response);
}

addEventListener("activate", (event) => event.waitUntil(removeOldFiles()));

async function removeOldFiles() {
  const others = (await caches.keys()).filter((name) => name.startsWith("app-") && name !== CACHE);
  // A tab may still show the former version, which loads its files as it needs them. It is the youngest.
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

// A page that has just been opened asks a waiting version to take over.
addEventListener("message", (event) => {
  if (event.data === "take over") event.waitUntil(takeOver());
});

async function takeOver() {
  const tabs = await clients.matchAll({ type: "window", includeUncontrolled: true });
  if (tabs.length <= 1) await skipWaiting();
}

addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin || app.version === "") return;
  if (files.has(pathname) || pathname.startsWith("/assets/"))
    event.respondWith(file(event.request, pathname));
  else if (mode === "navigate" && !OF_SERVER.test(pathname)) event.respondWith(page(event));
});

async function file(request, path) {
  const own = await caches.match(path, { cacheName: CACHE, ignoreVary: true });
  return own ?? (await caches.match(path, { ignoreVary: true })) ?? fetch(request);
}

async function page(event) {
  const kept = await caches.match("/", { cacheName: CACHE, ignoreVary: true });
  if (kept !== undefined) return kept;
  // The browser has removed the files.
  event.waitUntil(keepFiles().catch(() => {}));
  return fetch(event.request);
}

addEventListener("push", (event) => {
  const body = event.data?.text() || "Something new in Porchlight.";
  // A further one takes the place of one with the same words.
  const notification = { body, tag: body, renotify: true, icon: "/icon-192.png" };
  event.waitUntil(
    Promise.all([
      registration.showNotification("Porchlight", notification),
      // A dot, because the message has no number. The app shows it when it is opened.
      navigator.setAppBadge?.(),
    ]),
  );
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  // A page of its own: in an open one, somebody may be typing.
  event.waitUntil(clients.openWindow("/"));
});
