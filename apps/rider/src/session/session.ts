import { useSyncExternalStore } from "react";

// The host's app, or the demo, puts the token into this cookie. This page only reads who it is for.
const TOKEN = "dhh_token";
const REFRESH_TOKEN = "refresh_token";

const listeners = new Set<() => void>();

function token(): string | undefined {
  const cookie = document.cookie.split("; ").find((part) => part.startsWith(`${TOKEN}=`));
  return cookie?.slice(TOKEN.length + 1) || undefined;
}

/** The `sub` of a token, without a check of its signature: only the server's check counts. */
export function subjectOf(jwt: string): string | undefined {
  try {
    const payload = jwt.split(".")[1] ?? "";
    const bytes = Uint8Array.from(atob(payload.replaceAll("-", "+").replaceAll("_", "/")), (c) =>
      c.charCodeAt(0),
    );
    const { sub } = JSON.parse(new TextDecoder().decode(bytes)) as { sub?: unknown };
    return typeof sub === "string" && sub !== "" ? sub : undefined;
  } catch {
    return undefined;
  }
}

function currentUserId(): string | undefined {
  const jwt = token();
  return jwt && subjectOf(jwt);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab or the host's app may have signed in or out while this one was in the background.
  window.addEventListener("focus", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("focus", listener);
  };
}

export function sessionChanged(): void {
  for (const listener of listeners) listener();
}

export function useUserId(): string | undefined {
  return useSyncExternalStore(subscribe, currentUserId);
}

export function signOut(): void {
  for (const name of [TOKEN, REFRESH_TOKEN]) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on older phones
    document.cookie = `${name}=; path=/; max-age=0; samesite=lax`;
  }
  sessionChanged();
}

/** `fetch` with the token of the session, where there is one. */
export const authorisedFetch: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  const jwt = token();
  if (jwt) headers.set("Authorization", `Bearer ${jwt}`);
  return fetch(input, { ...init, headers });
};
