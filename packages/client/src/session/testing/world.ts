import type { Message } from "../channel";
import type { Logout } from "../failure";
import { createSession, type Managers, type Session, type SessionOptions } from "../index";
import type { Shared } from "../shared";
import { type Clock, createClock, settle } from "./clock";
import { answer, createService, type Service } from "./service";

export const PAGE = "https://app.example/shift";
export const API = "/api/rooster/v3/terms";
export const REFRESH = "https://app.example/api/session/v1/refresh";

export interface Tab {
  readonly session: Session;
  readonly logouts: Logout[];
  readonly managers: Managers;
  wake(): void;
  /** As when the person closes it: its lock is free, and nothing of it runs any more. */
  close(): void;
}

/** One browser profile: what its tabs share, and what may be broken in it. */
export interface World {
  readonly clock: Clock;
  readonly service: Service;
  readonly jar: Map<string, string>;
  shared: Shared;
  broken: { lock?: "never" | "refused" | "absent"; share?: "never" | "absent"; channel?: boolean };
  /** The network as anybody else on the page has it. */
  readonly fetch: typeof fetch;
  tab(options?: Partial<SessionOptions>): Tab;
  signIn(ttlS?: number): void;
  /** As the browser does with `Set-Cookie`. */
  keep(tokens: { dhhToken: string; refreshToken: string }): void;
}

interface Waiter {
  readonly tab: string;
  readonly grant: () => void;
}

/** Web Locks: one holder, first come first served. */
function createLocks(world: Pick<World, "broken">) {
  let queue: Waiter[] = [];
  const leave = (waiter: Waiter) => {
    const held = queue[0] === waiter;
    queue = queue.filter((each) => each !== waiter);
    if (held) queue[0]?.grant();
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

/** `fetch` of one tab: the service, through whatever fault the test has put in the way. */
function createNetwork(
  world: World,
  name: string,
  isHolder: () => boolean,
  underWayHere = new Set<() => void>(),
) {
  const { clock, service } = world;
  return async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input);
    const call = { url, init, tab: name, locked: isHolder() };
    service.calls.push(call);
    const isRefresh = url === REFRESH;
    const fault = isRefresh ? service.faults.shift() : undefined;
    if (isRefresh) underWay(service, call.locked, 1);
    let drop = () => {};
    try {
      return await new Promise<Response>((resolve, reject) => {
        init.signal?.addEventListener("abort", () => reject(init.signal?.reason));
        // A browser drops what a closed tab has under way; the server may have done it all the same.
        drop = () => reject(new TypeError("closed"));
        if (isRefresh) underWayHere.add(drop);
        clock.after(service.delayMs, () => {
          if (fault === "network") return reject(new TypeError("fetch failed"));
          if (fault === "hang") return;
          if (!isRefresh) {
            const date = new Date(service.now()).toUTCString();
            return resolve(answer(service.status(call), {}, service.dates ? { date } : {}));
          }
          const response = service.refresh(String(init.body), fault);
          // A browser takes no cookies from an answer that it does not wait for any more.
          if (init.signal?.aborted) return;
          if (fault === "lost") return reject(new TypeError("fetch failed"));
          if (service.setsCookies && response.ok) {
            response.json().then((tokens) => world.keep(tokens), reject);
          }
          resolve(response);
        });
      });
    } finally {
      underWayHere.delete(drop);
      if (isRefresh) underWay(service, call.locked, -1);
    }
  };
}

const flying = new WeakMap<Service, { locked: number; all: number }>();

function underWay(service: Service, locked: boolean, change: 1 | -1) {
  const now = flying.get(service) ?? { locked: 0, all: 0 };
  flying.set(service, now);
  now.all += change;
  if (locked) now.locked += change;
  service.most.all = Math.max(service.most.all, now.all);
  service.most.locked = Math.max(service.most.locked, now.locked);
}

export function createWorld(): World {
  const clock = createClock();
  const hearers = new Map<string, (message: Message) => void>();
  const world: World = {
    clock,
    service: createService(clock),
    jar: new Map(),
    shared: { instance: "profile-1" },
    broken: {},
    fetch: (input, init) => createNetwork(world, "page", () => false)(input, init),
    tab(options) {
      const name = `tab${hearers.size}`;
      let open = true;
      const underWayHere = new Set<() => void>();
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
            for (const [other, hear] of hearers) {
              if (other !== name) clock.after(1, () => hear(message));
            }
          },
          listen(hear) {
            hearers.set(name, (message) => open && hear(message));
          },
          close() {},
        },
      };
      hearers.set(name, () => {});
      const logouts: Logout[] = [];
      const network = createNetwork(world, name, () => locks.holder() === name, underWayHere);
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
          for (const drop of underWayHere) drop();
          locks.closed(name);
        },
      };
    },
    signIn: (ttlS) => world.keep(world.service.signIn(ttlS)),
    keep({ dhhToken, refreshToken }) {
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

/** What became of a promise once virtual time has gone on; `pending` is an error of its own. */
export async function outcome<T>(world: World, work: Promise<T>, forMs = 60_000) {
  const result = work.then(
    (value) => ({ value, error: undefined }),
    (error: unknown) => ({ value: undefined, error }),
  );
  await world.clock.advance(forMs);
  const pending = settle().then(() => ({ value: undefined, error: "pending" as unknown }));
  return Promise.race([result, pending]);
}
