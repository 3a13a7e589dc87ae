import { pushOwner } from "../push/push-owner";
import { PAGES } from "./cacheable";
import { readCookies } from "./cookies";
import { scope } from "./scope";

/** A longer text does not fit on a locked screen. */
const TEXT_MAX = 200;

/** What the server sends: the company, the title of the document, and its page. */
interface PushContent {
  readonly title: string;
  readonly body: string;
  readonly path: string;
}

/** Returns the content of a message; undefined if it has no title. */
export function readPush(text: string): PushContent | undefined {
  let value: Readonly<Record<string, unknown>>;
  try {
    value = Object(JSON.parse(text));
  } catch {
    return undefined;
  }
  const part = (name: string) => {
    const content = value[name];
    return typeof content === "string" ? content.trim().slice(0, TEXT_MAX) : "";
  };
  const title = part("title");
  return title ? { title, body: part("body"), path: pagePath(value.url) } : undefined;
}

/**
 * Returns the page and the fragment of an address. Only a page of this app is opened, and always at
 * this origin: the server may have several names.
 */
export function pagePath(address: unknown): string {
  if (typeof address !== "string") return "/";
  try {
    const { pathname, hash } = new URL(address, scope.location.origin);
    return PAGES.includes(pathname) ? `${pathname}${hash}` : "/";
  } catch {
    return "/";
  }
}

/** Returns the user id of the signed-in person; undefined if the browser does not reveal it. */
async function signedInUser(): Promise<string | undefined> {
  try {
    const token = (await readCookies()).get("dhh_token") ?? "";
    const payload = (token.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/");
    const bytes = Uint8Array.from(atob(payload), (char) => char.charCodeAt(0));
    const { sub } = JSON.parse(new TextDecoder().decode(bytes));
    return typeof sub === "string" ? sub : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Shows a message of the rider who turned push messages on. If another person has signed in since,
 * it shows nothing and ends the subscription.
 */
export async function showPush(text: string): Promise<void> {
  const [owner, user] = await Promise.all([pushOwner(), signedInUser()]);
  if (owner === undefined || (user !== undefined && user !== owner)) {
    const subscription = await scope.registration.pushManager.getSubscription();
    await subscription?.unsubscribe();
    return;
  }
  const content = readPush(text);
  if (!content) return;
  const { title, body, path } = content;
  await scope.registration.showNotification(title, {
    body,
    dir: "auto",
    icon: "/icon-192.png",
    // The server may send the same message again: it replaces the first one.
    tag: `${path} ${title} ${body}`,
    data: path,
  });
}

/** Opens the page of a notification, in a tab that shows this page already if there is one. */
export async function openNotification(data: unknown): Promise<void> {
  const path = pagePath(data);
  const { pathname } = new URL(path, scope.location.origin);
  const tabs = await scope.clients.matchAll({ type: "window" });
  // Other tabs keep their page: the rider may be writing there.
  const tab = tabs.find(({ url }) => new URL(url).pathname === pathname);
  if (!tab) {
    await scope.clients.openWindow(path);
    return;
  }
  await tab.navigate(path);
  await tab.focus();
}
