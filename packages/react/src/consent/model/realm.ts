import { AsyncLocalStorage } from "node:async_hooks";
import type { Context, createContext, EffectCallback, useContext, useEffect } from "react";
import { vi } from "vitest";

/**
 * One load of a page: its own document, the session storage of its tab, and an end after which none of
 * its work runs. All realms share IndexedDB and the clock of the device.
 */
export interface Realm {
  readonly storage: Map<string, string>;
  /** Receives the events of this page only. */
  readonly document: HTMLElement;
  readonly arrived: "navigate" | "reload";
  alive: boolean;
}

const realms = new AsyncLocalStorage<Realm>();

/** Runs work in a realm. Promises created by the work keep the realm. */
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

/** Runs each effect in the realm of its component, because React runs the effects of all pages together. */
export function effectsInRealms(react: ReactHooks): typeof useEffect {
  realmContext.of = react.createContext<Realm | undefined>(undefined);
  const context = realmContext.of;
  return function useEffect(effect: EffectCallback, deps) {
    const realm = react.useContext(context);
    const runInRealm = (): ReturnType<EffectCallback> => {
      if (!realm) return effect();
      const cleanup = inRealm(realm, effect);
      return cleanup && (() => inRealm(realm, cleanup));
    };
    react.useEffect(runInRealm, deps);
  };
}

/** Replaces globals with versions for each realm. `onStray` is called for a use outside of any realm. */
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
  const entriesOfRealm = () => {
    const realm = currentRealm();
    if (!realm) onStray("session storage was used outside of any page");
    return realm?.storage ?? new Map<string, string>();
  };
  const storage = {
    getItem: (key: string) => entriesOfRealm().get(key) ?? null,
    setItem: (key: string, value: string) => void entriesOfRealm().set(key, value),
    removeItem: (key: string) => void entriesOfRealm().delete(key),
  };
  return new Proxy(storage, {
    ownKeys: () => [...entriesOfRealm().keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: "" }),
  });
}
