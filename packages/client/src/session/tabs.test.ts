import { describe, expect, it } from "vitest";
import { token } from "./testing/service";
import { API, expiredWorld, outcome, signedIn, type World } from "./testing/world";

function fiveTabs(world: World) {
  const tabs = Array.from({ length: 5 }, () => world.tab());
  const requests = tabs.flatMap(({ session }) =>
    Array.from({ length: 20 }, () => session.fetch(API)),
  );
  return { tabs, requests };
}

describe("five tabs with an expired token", () => {
  it("refresh once in total", async () => {
    const world = expiredWorld();
    const { tabs, requests } = fiveTabs(world);
    const { value } = await outcome(world, Promise.all(requests));
    expect(value?.every(({ ok }) => ok)).toBe(true);
    expect(world.service.refreshes()).toHaveLength(1);
    expect(world.service.refreshes()[0]?.locked).toBe(true);
    expect(tabs.flatMap(({ logouts }) => logouts)).toEqual([]);
  });

  it("refresh once although their cookies are stale, because IndexedDB has the new tokens", async () => {
    const world = expiredWorld();
    const stale = new Map(world.jar);
    world.broken.channel = true;
    const [first, second] = [world.tab(), world.tab()];
    second.managers.cookies.read = (name) => stale.get(name);
    const both = Promise.all([first.session.fetch(API), second.session.fetch(API)]);
    expect((await outcome(world, both)).value?.every(({ ok }) => ok)).toBe(true);
    expect(world.service.refreshes()).toHaveLength(1);
    expect(second.session.getToken()).toBe(first.session.getToken());
  });

  it.each(["absent", "refused", "never"] as const)(
    "complete all requests although the lock is %s",
    async (lock) => {
      const world = expiredWorld();
      world.broken.lock = lock;
      const { tabs, requests } = fiveTabs(world);
      const { value } = await outcome(world, Promise.all(requests));
      expect(value?.every(({ ok }) => ok)).toBe(true);
      expect(world.service.reused).toBe(0);
      expect(tabs.flatMap(({ logouts }) => logouts)).toEqual([]);
    },
  );

  it("wait at most 10 s for a lock and then refresh without it", async () => {
    const world = expiredWorld();
    world.broken.lock = "never";
    const request = world.tab().session.fetch(API);
    await world.clock.advance(10_000);
    expect(world.service.refreshes()).toHaveLength(0);
    expect((await outcome(world, request, 100)).value?.ok).toBe(true);
  });

  it.each(["absent", "never"] as const)(
    "complete all requests although IndexedDB is %s",
    async (share) => {
      const world = expiredWorld();
      world.broken.share = share;
      const { requests } = fiveTabs(world);
      const { value } = await outcome(world, Promise.all(requests));
      expect(value?.every(({ ok }) => ok)).toBe(true);
      expect(world.service.refreshes()).toHaveLength(1);
    },
  );

  it("refresh in another tab if the refreshing tab is closed", async () => {
    const world = expiredWorld();
    world.service.delayMs = 200;
    const [first, second] = [world.tab(), world.tab()];
    first.session.fetch(API).catch(() => {});
    const request = second.session.fetch(API);
    await world.clock.advance(250);
    expect(world.service.refreshes()).toHaveLength(1);
    first.close();
    const { value } = await outcome(world, request);
    expect(value?.ok).toBe(true);
    expect(world.service.refreshes()).toHaveLength(2);
    expect(world.service.reused).toBe(0);
  });

  it("use the tokens of the first refresh and ignore a late rejection of another one", async () => {
    const world = expiredWorld();
    world.broken.lock = "absent";
    world.service.failures.push(undefined, 401);
    const { tabs, requests } = fiveTabs(world);
    world.broken.channel = true;
    const { value } = await outcome(world, Promise.all(requests));
    expect(value?.every(({ ok }) => ok)).toBe(true);
    expect(tabs.flatMap(({ logouts }) => logouts)).toEqual([]);
  });
});

describe("a message from another tab", () => {
  it("about a refresh resumes a suspended session", async () => {
    const world = expiredWorld();
    world.service.failures.push(500);
    const [first, second] = [world.tab(), world.tab()];
    await outcome(world, first.session.fetch(API), 100);
    expect(first.session.getState().status).toBe("suspended");
    await outcome(world, second.session.fetch(API), 100);
    expect(first.session.getState().status).toBe("signed-in");
    expect(first.session.getToken()).toBe(second.session.getToken());
  });

  it("about a log-out calls onLogout once in every tab and is not sent again", async () => {
    const world = expiredWorld();
    world.service.failures.push(401);
    const tabs = [world.tab(), world.tab(), world.tab()];
    let posted = 0;
    for (const { managers } of tabs) {
      const { post } = managers.channel;
      managers.channel.post = (message) => {
        posted += 1;
        post(message);
      };
    }
    await outcome(world, (tabs[0] as (typeof tabs)[0]).session.fetch(API));
    expect(posted).toBe(1);
    for (const { logouts, session } of tabs) {
      expect(logouts).toMatchObject([{ reason: "refresh_rejected", final: true }]);
      expect(session.getState().status).toBe("signed-out");
    }
  });

  it.each([false, true])(
    "about a log-out drops the refresh in flight and its response (it sets cookies: %s)",
    async (setsCookies) => {
      const world = expiredWorld();
      world.service.setsCookies = setsCookies;
      world.service.delayMs = 200;
      const [first, second] = [world.tab(), world.tab()];
      const request = first.session.fetch(API);
      await world.clock.advance(250);
      expect(world.service.refreshes()).toHaveLength(1);
      second.session.clear();
      const { error } = await outcome(world, request);
      expect(error).toMatchObject({ status: 401 });
      expect(first.session.getToken()).toBeUndefined();
      expect(world.jar.size).toBe(0);
      expect(first.logouts).toMatchObject([{ reason: "missing_token", final: true }]);
      expect(second.logouts).toEqual([]);
    },
  );

  it("about a log-out ends the session although the cookies in this tab are stale", async () => {
    const world = signedIn();
    const stale = new Map(world.jar);
    const [first, second] = [world.tab(), world.tab()];
    second.managers.cookies.read = (name) => stale.get(name);
    first.session.clear();
    await world.clock.advance(10);
    expect(second.session.getState().status).toBe("signed-out");
    expect(second.session.getToken()).toBeUndefined();
  });

  it("about the end of an old session does not affect a new sign-in", async () => {
    const world = signedIn();
    const [first, second] = [world.tab(), world.tab()];
    second.session.clear();
    const { dhhToken, refreshToken } = world.service.signIn();
    first.session.setTokens({ dhhToken, refreshToken });
    await world.clock.advance(100);
    expect(first.session.getState().status).toBe("signed-in");
    expect(first.logouts).toEqual([]);
  });
});

describe("setTokens", () => {
  it("sets the tokens in every tab", async () => {
    const world = signedIn();
    const [first, second] = [world.tab(), world.tab()];
    const dhhToken = token({ sub: "r9", exp: world.clock.now() / 1000 + 900 });
    first.session.setTokens({ dhhToken, refreshToken: "fresh" });
    await world.clock.advance(10);
    for (const { session } of [first, second]) {
      expect(session.getToken()).toBe(dhhToken);
      expect(session.getState()).toEqual({ status: "signed-in", userId: "r9" });
    }
    expect(Object.fromEntries(world.jar)).toEqual({ dhh_token: dhhToken, refresh_token: "fresh" });
  });

  it("is not needed for tokens that the host writes to the cookies itself", () => {
    const world = signedIn();
    const tab = world.tab();
    const dhhToken = token({ sub: "r7", exp: world.clock.now() / 1000 - 900 });
    world.jar.set("dhh_token", dhhToken);
    expect(tab.session.getToken()).toBe(dhhToken);
    world.jar.delete("dhh_token");
    expect(tab.session.getState().status).toBe("signed-out");
  });
});

describe("logout", () => {
  const logoutUrl = "https://app.example/api/session/v1/logout";

  it("ends the session in this browser first and then sends the tokens to the server", async () => {
    const world = signedIn();
    const access = world.jar.get("dhh_token");
    const [first, second] = [world.tab({ logoutUrl }), world.tab()];
    const logout = first.session.logout();
    expect(world.jar.size).toBe(0);
    await outcome(world, logout);
    const [call] = world.service.calls;
    expect(call).toMatchObject({ url: logoutUrl, init: { method: "POST", keepalive: true } });
    expect(call?.init.body).toBe('{"refresh_token":"s2.0"}');
    expect(new Headers(call?.init.headers).get("authorization")).toBe(`Bearer ${access}`);
    expect(first.logouts).toEqual([]);
    expect(second.logouts).toMatchObject([{ final: true }]);
  });

  it("settles after 8 s without a response", async () => {
    const world = signedIn();
    const tab = world.tab({ logoutUrl, fetch: () => new Promise(() => {}) });
    expect((await outcome(world, tab.session.logout(), 8_000)).error).toBeUndefined();
  });
});

describe("getState", () => {
  it("returns the same object until the state changes, and notifies listeners of the change", async () => {
    const world = expiredWorld();
    const tab = world.tab();
    const before = tab.session.getState();
    expect(tab.session.getState()).toBe(before);
    let notifications = 0;
    const stop = tab.session.subscribe(() => {
      notifications += 1;
    });
    tab.session.clear();
    expect(notifications).toBeGreaterThan(0);
    expect(tab.session.getState()).not.toBe(before);
    stop();
    notifications = 0;
    tab.session.setTokens({ dhhToken: "x" });
    expect(notifications).toBe(0);
  });

  it("sends no refresh after close", async () => {
    const world = expiredWorld();
    world.service.failures.push(500);
    const tab = world.tab();
    await outcome(world, tab.session.fetch(API), 100);
    tab.session.close();
    tab.wake();
    await world.clock.advance(600_000);
    expect(world.service.refreshes()).toHaveLength(1);
  });
});
