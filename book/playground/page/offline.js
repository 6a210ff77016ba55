// SPDX-License-Identifier: MIT OR Apache-2.0
// Keeps what the book's pages load once the playground was opened, and gives it to them where there is no network. Browsers
// run it only for pages that came over HTTPS or from this machine.
"use strict";

const STORE = "ladder-book";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  // The compiler is kept elsewhere, unpacked by nobody but the playground.
  if (method === "GET" && new URL(url).origin === self.location.origin && !url.endsWith(".tgz")) {
    event.respondWith(newest(event.request));
  }
});

async function newest(request) {
  const store = await caches.open(STORE);
  try {
    const answer = await fetch(request);
    if (answer.ok) {
      store.put(request, answer.clone()).catch(() => {}); // there may be no room
    }
    return answer;
  } catch (error) {
    const known = await store.match(request, { ignoreSearch: true });
    if (known) {
      return known;
    }
    throw error;
  }
}
