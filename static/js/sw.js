// The service worker. It keeps this release's static files and the page "Bağlantı yok"; all else comes over the line or not at all.
// /sw.js puts before it what it keeps: CACHE (its name), STATIC (where our files lie), PAGE (that page) and FILES (what it needs).

const SILENT = [502, 504]; // a proxy's words: the house behind it does not answer

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([PAGE, ...FILES])));
});

self.addEventListener('activate', (event) => event.waitUntil(begin()));

async function begin() {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
  if (self.registration.navigationPreload) await self.registration.navigationPreload.enable();
  await self.clients.claim();
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate') event.respondWith(page(event));
  else if (request.url.startsWith(self.location.origin + STATIC) && !request.headers.has('Range')) event.respondWith(file(event));
});

async function page(event) {
  let answer = null;
  try {
    answer = (await event.preloadResponse) || (await fetch(event.request));
    if (!SILENT.includes(answer.status)) return answer;
  } catch (error) { /* no line */ }
  return (await caches.match(PAGE)) || answer || Response.error();
}

async function file(event) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(event.request);
  if (kept) return kept;
  const answer = await fetch(event.request);
  if (answer.status === 200) event.waitUntil(cache.put(event.request, answer.clone()).catch(() => {})); // no room: next time
  return answer;
}
