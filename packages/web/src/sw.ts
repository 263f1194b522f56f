// Keeps the site for use without a network; the build sets FILES and VERSION.
declare const FENCEWRIGHT_FILES: readonly string[];
declare const FENCEWRIGHT_SITE: string;

/**
 * The members of a service worker's scope that the script uses, and that TypeScript's types for
 * pages lack.
 */
interface Scope {
  readonly skipWaiting: () => Promise<void>;
  readonly clients: { readonly claim: () => Promise<void> };
  readonly addEventListener: <K extends keyof Events>(
    kind: K,
    listener: (event: Events[K]) => void,
  ) => void;
}

interface Waiting {
  readonly waitUntil: (work: Promise<unknown>) => void;
}

interface Events {
  readonly install: Waiting;
  readonly activate: Waiting;
  readonly fetch: {
    readonly request: Request;
    readonly respondWith: (response: Promise<Response>) => void;
  };
}

const scope = globalThis as unknown as Scope;
const name = `fencewright-${FENCEWRIGHT_SITE}`;

async function keep(): Promise<void> {
  const cache = await caches.open(name);
  await cache.addAll(FENCEWRIGHT_FILES.map((file) => new Request(file, { cache: 'reload' })));
  await scope.skipWaiting();
}

async function forgetOthers(): Promise<void> {
  const others = (await caches.keys()).filter(
    (each) => each.startsWith('fencewright-') && each !== name,
  );
  await Promise.all(others.map((each) => caches.delete(each)));
  await scope.clients.claim();
}

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(name);
  const known = await cache.match(request, { ignoreSearch: true });
  if (known) return known;
  const response = await fetch(request);
  // Files needed by few programs are kept after the first use.
  if (response.ok) await cache.put(request, response.clone());
  return response;
}

scope.addEventListener('install', (event) => event.waitUntil(keep()));
scope.addEventListener('activate', (event) => event.waitUntil(forgetOthers()));
scope.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method === 'GET' && new URL(request.url).origin === location.origin)
    event.respondWith(answer(request));
});
