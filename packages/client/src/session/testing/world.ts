import type { Message } from "../channel";
import type { Logout } from "../failure";
import { createSession, type Managers, type Session, type SessionOptions } from "../index";
import type { Shared } from "../shared";
import { type Clock, createClock, settle } from "./clock";
import { createResponse, createService, type Service } from "./service";

export const PAGE = "https://app.example/shift";
export const API = "/api/rooster/v3/terms";
export const REFRESH = "https://app.example/api/session/v1/refresh";

export interface Tab {
  readonly session: Session;
  readonly logouts: Logout[];
  readonly managers: Managers;
  wake(): void;
  /** Closes the tab: releases its lock and stops all its work. */
  close(): void;
}

/** A browser profile: the state that its tabs share, and its injected failures. */
export interface World {
  readonly clock: Clock;
  readonly service: Service;
  readonly jar: Map<string, string>;
  shared: Shared;
  broken: { lock?: "never" | "refused" | "absent"; share?: "never" | "absent"; channel?: boolean };
  /** The `fetch` of other scripts on the page. */
  readonly fetch: typeof fetch;
  tab(options?: Partial<SessionOptions>): Tab;
  signIn(ttlS?: number): void;
  /** Stores tokens in the cookies, as a browser does for `Set-Cookie`. */
  storeCookies(tokens: { dhhToken: string; refreshToken: string }): void;
}

interface Waiter {
  readonly tab: string;
  readonly grant: () => void;
}

/** Creates Web Locks with one holder and a first-in, first-out queue. */
function createLocks(world: Pick<World, "broken">) {
  let queue: Waiter[] = [];
  const leave = (waiter: Waiter) => {
    const isHolder = queue[0] === waiter;
    queue = queue.filter((each) => each !== waiter);
    if (isHolder) queue[0]?.grant();
  };
  return {
    holder: () => queue[0]?.tab,
    closed(tab: string) {
      for (const waiter of queue.filter((each) => each.tab === tab)) leave(waiter);
    },
    async request(tab: string, signal: AbortSignal, work: () => Promise<void>) {
      if (world.broken.lock === "refused") throw Error("SecurityError");
      if (world.broken.lock === "never") return new Promise<void>(() => {});
      if (world.broken.lock === "absent") return work();
      return new Promise<void>((resolve, reject) => {
        let granted = false;
        const waiter: Waiter = {
          tab,
          grant() {
            granted = true;
            work().finally(() => {
              leave(waiter);
              resolve();
            });
          },
        };
        signal.addEventListener("abort", () => {
          if (granted) return;
          leave(waiter);
          reject(signal.reason);
        });
        queue.push(waiter);
        if (queue[0] === waiter) waiter.grant();
      });
    },
  };
}

/** Returns the `fetch` of one tab. It calls the service and applies the failures of the test. */
function createNetwork(
  world: World,
  name: string,
  isHolder: () => boolean,
  inFlight = new Set<() => void>(),
) {
  const { clock, service } = world;
  return async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input);
    const call = { url, init, tab: name, locked: isHolder() };
    service.calls.push(call);
    const isRefresh = url === REFRESH;
    const failure = isRefresh ? service.failures.shift() : undefined;
    if (isRefresh) countRefresh(service, call.locked, 1);
    let drop = () => {};
    try {
      return await new Promise<Response>((resolve, reject) => {
        init.signal?.addEventListener("abort", () => reject(init.signal?.reason));
        // A browser drops the requests of a closed tab, but the server may have handled them.
        drop = () => reject(new TypeError("closed"));
        if (isRefresh) inFlight.add(drop);
        clock.after(service.delayMs, () => {
          if (failure === "network") return reject(new TypeError("fetch failed"));
          if (failure === "hang") return;
          if (!isRefresh) {
            const date = new Date(service.now()).toUTCString();
            return resolve(createResponse(service.status(call), {}, service.dates ? { date } : {}));
          }
          const response = service.refresh(String(init.body), failure);
          // A browser does not store cookies from the response of an aborted request.
          if (init.signal?.aborted) return;
          if (failure === "lost") return reject(new TypeError("fetch failed"));
          if (service.setsCookies && response.ok) {
            response.json().then((tokens) => world.storeCookies(tokens), reject);
          }
          resolve(response);
        });
      });
    } finally {
      inFlight.delete(drop);
      if (isRefresh) countRefresh(service, call.locked, -1);
    }
  };
}

const refreshCounts = new WeakMap<Service, { locked: number; all: number }>();

function countRefresh(service: Service, locked: boolean, change: 1 | -1) {
  const now = refreshCounts.get(service) ?? { locked: 0, all: 0 };
  refreshCounts.set(service, now);
  now.all += change;
  if (locked) now.locked += change;
  service.most.all = Math.max(service.most.all, now.all);
  service.most.locked = Math.max(service.most.locked, now.locked);
}

export function createWorld(): World {
  const clock = createClock();
  const listeners = new Map<string, (message: Message) => void>();
  const world: World = {
    clock,
    service: createService(clock),
    jar: new Map(),
    shared: { instance: "profile-1" },
    broken: {},
    fetch: (input, init) => createNetwork(world, "page", () => false)(input, init),
    tab(options) {
      const name = `tab${listeners.size}`;
      let open = true;
      const inFlight = new Set<() => void>();
      let wake = () => {};
      const alive = (run: () => void) => () => open && run();
      const managers: Managers = {
        page: PAGE,
        now: clock.now,
        random: () => 0.5,
        after: (delayMs, run) => clock.after(delayMs, alive(run)),
        onWake(run) {
          wake = alive(run);
          return () => {
            wake = () => {};
          };
        },
        cookies: {
          read: (key) => world.jar.get(key),
          write(key, value) {
            if (open) value ? world.jar.set(key, value) : world.jar.delete(key);
          },
        },
        async share(change) {
          if (world.broken.share === "never" || !open) return new Promise(() => {});
          if (world.broken.share === "absent") return { instance: "own" };
          world.shared = { ...world.shared, ...change };
          return world.shared;
        },
        lock: (signal, work) => locks.request(name, signal, work),
        channel: {
          post(message) {
            if (world.broken.channel || !open) return;
            for (const [other, onMessage] of listeners) {
              if (other !== name) clock.after(1, () => onMessage(message));
            }
          },
          listen(onMessage) {
            listeners.set(name, (message) => open && onMessage(message));
          },
          close() {},
        },
      };
      listeners.set(name, () => {});
      const logouts: Logout[] = [];
      const network = createNetwork(world, name, () => locks.holder() === name, inFlight);
      const session = createSession(
        {
          refreshUrl: REFRESH,
          onLogout: (logout) => logouts.push(logout),
          fetch: network as typeof fetch,
          ...options,
        },
        managers,
      );
      return {
        session,
        logouts,
        managers,
        wake: () => wake(),
        close() {
          open = false;
          for (const drop of inFlight) drop();
          locks.closed(name);
        },
      };
    },
    signIn: (ttlS) => world.storeCookies(world.service.signIn(ttlS)),
    storeCookies({ dhhToken, refreshToken }) {
      world.jar.set("dhh_token", dhhToken);
      world.jar.set("refresh_token", refreshToken);
    },
  };
  const locks = createLocks(world);
  return world;
}

export function signedIn(ttlS?: number): World {
  const world = createWorld();
  world.signIn(ttlS);
  return world;
}

export function expiredWorld(): World {
  const world = createWorld();
  world.signIn(-1);
  return world;
}

/** Advances virtual time and returns the outcome of a promise; the error `pending` if it has not settled. */
export async function outcome<T>(world: World, work: Promise<T>, forMs = 60_000) {
  const result = work.then(
    (value) => ({ value, error: undefined }),
    (error: unknown) => ({ value: undefined, error }),
  );
  await world.clock.advance(forMs);
  const pending = settle().then(() => ({ value: undefined, error: "pending" as unknown }));
  return Promise.race([result, pending]);
}
