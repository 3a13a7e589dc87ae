import { AsyncLocalStorage } from "node:async_hooks";
import type { Context, createContext, EffectCallback, useContext, useEffect } from "react";
import { vi } from "vitest";

/**
 * One load of a page, as a browser gives it to the program: a document of its own, the session storage
 * of its tab, and an end after which nothing of it runs. IndexedDB and the clock are the device's.
 */
export interface Realm {
  readonly storage: Map<string, string>;
  /** Hears what happens in this page, and in no other. */
  readonly document: HTMLElement;
  readonly arrived: "navigate" | "reload";
  alive: boolean;
}

const realms = new AsyncLocalStorage<Realm>();

/** Promises that the work makes carry the realm on. */
export function inRealm<T>(realm: Realm, work: () => T): T {
  return realms.run(realm, work);
}

export function currentRealm(): Realm | undefined {
  return realms.getStore();
}

export const realmContext: { of?: Context<Realm | undefined> } = {};

type ReactHooks = {
  readonly createContext: typeof createContext;
  readonly useContext: typeof useContext;
  readonly useEffect: typeof useEffect;
};

/** React runs the effects of all pages together; each belongs to the page of its component. */
export function effectsInRealms(react: ReactHooks): typeof useEffect {
  realmContext.of = react.createContext<Realm | undefined>(undefined);
  const context = realmContext.of;
  return function useEffect(effect: EffectCallback, deps) {
    const realm = react.useContext(context);
    const inOwn = (): ReturnType<EffectCallback> => {
      if (!realm) return effect();
      const undo = inRealm(realm, effect);
      return undo && (() => inRealm(realm, undo));
    };
    react.useEffect(inOwn, deps);
  };
}

/** Gives each realm what the program knows as globals. `onStray` hears of a use from no page at all. */
export function stubGlobals(onStray: (what: string) => void): void {
  vi.stubGlobal("sessionStorage", sessionStorageOf(onStray));
  const { setTimeout } = globalThis;
  vi.stubGlobal("setTimeout", (work: () => void, ms?: number) => {
    const realm = currentRealm();
    return setTimeout(() => {
      if (!realm) work();
      else if (realm.alive) inRealm(realm, work);
    }, ms);
  });
  const listen = document.addEventListener.bind(document);
  vi.spyOn(document, "addEventListener").mockImplementation(
    (...call: Parameters<typeof document.addEventListener>) => {
      const realm = currentRealm();
      if (realm) realm.document.addEventListener(...call);
      else listen(...call);
    },
  );
  vi.spyOn(performance, "getEntriesByType").mockImplementation(
    () => [{ type: currentRealm()?.arrived }] as never,
  );
}

function sessionStorageOf(onStray: (what: string) => void) {
  const own = () => {
    const realm = currentRealm();
    if (!realm) onStray("session storage was used from no page");
    return realm?.storage ?? new Map<string, string>();
  };
  const storage = {
    getItem: (key: string) => own().get(key) ?? null,
    setItem: (key: string, value: string) => void own().set(key, value),
    removeItem: (key: string) => void own().delete(key),
  };
  return new Proxy(storage, {
    ownKeys: () => [...own().keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: "" }),
  });
}
