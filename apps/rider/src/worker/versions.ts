import { isFrugal } from "@musette/client/http";
import { mayCache } from "./cacheable";

declare const __APP_VERSION__: string;
declare const __APP_FILES__: readonly string[];
declare const __APP_LANGUAGES__: readonly string[];

const PREFIX = "musette-app-";
const CURRENT = `${PREFIX}${__APP_VERSION__}`;
const SHELL = "/index.html";
/** When a newer version replaced this one. */
const REPLACED = "/replaced";
const REPLACED_KEPT_MS = 30 * 24 * 3600_000;
const REPLACED_MOST = 3;

const assetsIn = (html: string) => [...new Set(html.match(/\/assets\/[\w.-]+/g))];

/**
 * Caches this version: the page and every file that it may load later, except the texts of languages
 * that were never shown on this device. Those are cached when they are used. With data saving, it
 * caches only what the page needs at once.
 */
export async function install(): Promise<void> {
  const page = await fetch(SHELL, { cache: "reload", headers: { Accept: "text/html" } });
  if (!mayCache("page", page)) throw new Error(`${SHELL} was answered with ${page.status}`);
  const needed = assetsIn(await page.clone().text());
  // The server was updated between the two downloads: the next check finds the newer worker.
  const foreign = needed.find((name) => !__APP_FILES__.includes(name));
  if (foreign)
    throw new Error(`${SHELL} belongs to another version: ${foreign} is not one of its files`);
  const cache = await caches.open(CURRENT);
  const files = isFrugal() ? needed : inLanguages(__APP_FILES__, await shownLanguages());
  await Promise.all(files.map((name) => add(cache, name)));
  // Stored last, so a cached page always has everything that it needs.
  await cache.put(SHELL, page);
}

/** Returns the language whose texts a file contains; undefined for a file that all languages need. */
function languageOf(file: string): string | undefined {
  const tag = /^\/assets\/([a-z]{2})-[\w-]+\.js$/.exec(file)?.[1];
  return tag !== undefined && __APP_LANGUAGES__.includes(tag) ? tag : undefined;
}

function inLanguages(files: readonly string[], languages: ReadonlySet<string>): readonly string[] {
  return files.filter((file) => {
    const language = languageOf(file);
    return language === undefined || languages.has(language);
  });
}

/** Returns the languages whose texts an earlier version has cached. The first page reports its own. */
async function shownLanguages(): Promise<ReadonlySet<string>> {
  const languages = new Set<string>();
  for (const name of (await caches.keys()).filter((one) => one.startsWith(PREFIX))) {
    for (const { url } of await (await caches.open(name)).keys()) {
      const language = languageOf(new URL(url).pathname);
      if (language) languages.add(language);
    }
  }
  return languages;
}

async function add(cache: Cache, name: string): Promise<void> {
  // The page may have loaded the same file shortly before: the HTTP cache has it.
  const answer = await fetch(name);
  if (!mayCache("file", answer)) throw new Error(`${name} was answered with ${answer.status}`);
  await cache.put(name, answer);
}

/** Removes versions that no open page can still use. */
export async function removeOldVersions(): Promise<void> {
  const others = (await caches.keys()).filter(
    (name) => name.startsWith(PREFIX) && name !== CURRENT,
  );
  const replaced = await Promise.all(
    others.map(async (name) => {
      const cache = await caches.open(name);
      const noted = await cache.match(REPLACED);
      if (!noted) await cache.put(REPLACED, new Response(String(Date.now())));
      return { name, at: noted ? Number(await noted.text()) : Date.now() };
    }),
  );
  const newestFirst = replaced.sort((a, b) => b.at - a.at);
  const over = newestFirst.filter(
    ({ at }, index) => index >= REPLACED_MOST || Date.now() - at > REPLACED_KEPT_MS,
  );
  await Promise.all(over.map(({ name }) => caches.delete(name)));
}

/** Returns the page of this version. Its scripts are named by their content, so versions never mix. */
export async function page(request: Request): Promise<Response> {
  const cached = await (await caches.open(CURRENT)).match(SHELL);
  return cached ?? fetch(request);
}

/** Returns a file of this version, or of the one that an open page was loaded from. */
export async function file(request: Request): Promise<Response> {
  const cache = await caches.open(CURRENT);
  const { pathname } = new URL(request.url);
  const cached = (await cache.match(pathname)) ?? (await fileOfOlderVersion(pathname));
  if (cached) return cached;
  const answer = await fetch(request);
  if (__APP_FILES__.includes(pathname) && mayCache("file", answer)) {
    await cache.put(pathname, answer.clone());
  }
  return answer;
}

async function fileOfOlderVersion(pathname: string): Promise<Response | undefined> {
  for (const name of await caches.keys()) {
    if (!name.startsWith(PREFIX) || name === CURRENT) continue;
    const cached = await (await caches.open(name)).match(pathname);
    if (cached) return cached;
  }
  return undefined;
}
