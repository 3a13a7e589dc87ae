// @vitest-environment happy-dom
import { describe, expect, it, vi } from "vitest";
import { browserChannel } from "./channel";
import { createSession } from "./index";
import { browserLock } from "./lock";
import { browserManagers } from "./managers";
import { browserShare } from "./shared";
import { createResponse, token } from "./testing/service";

describe("a browser without IndexedDB, Web Locks or BroadcastChannel", () => {
  it("shares one instance between tabs in local storage", async () => {
    vi.stubGlobal("indexedDB", undefined);
    localStorage.clear();
    const { instance } = await browserShare()({ access: "a" });
    expect(instance.length).toBeGreaterThan(20);
    expect(await browserShare()()).toEqual({ instance });
  });

  it("gives each page its own instance without local storage", async () => {
    vi.stubGlobal("indexedDB", undefined);
    vi.stubGlobal("localStorage", undefined);
    const [one, two] = [browserShare(), browserShare()];
    expect((await one()).instance).toBe((await one()).instance);
    expect((await one()).instance).not.toBe((await two()).instance);
  });

  it("runs the work without a lock", async () => {
    vi.stubGlobal("navigator", {});
    const work = vi.fn(async () => {});
    await browserLock(new AbortController().signal, work);
    expect(work).toHaveBeenCalledOnce();
  });

  it("posts no messages and does not throw", () => {
    vi.stubGlobal("BroadcastChannel", undefined);
    const channel = browserChannel();
    channel.listen(() => {});
    expect(() => channel.post({ ended: "a", reason: "retried" })).not.toThrow();
    channel.close();
  });

  it("still refreshes a token", async () => {
    vi.stubGlobal("indexedDB", undefined);
    vi.stubGlobal("BroadcastChannel", undefined);
    const [old, fresh] = [token({ sub: "r1", exp: 1 }), token({ sub: "r1", exp: 9e9 })];
    const { cookies } = browserManagers();
    cookies.write("dhh_token", old);
    cookies.write("refresh_token", "first");
    const network = vi.fn(async (input: RequestInfo | URL, init?: RequestInit) => {
      if (String(input) === "/refresh") {
        return createResponse(200, { dhhToken: fresh, refreshToken: "second" });
      }
      const authorization = new Headers(init?.headers).get("authorization");
      return createResponse(authorization === `Bearer ${fresh}` ? 200 : 401, {});
    });
    const session = createSession({ refreshUrl: "/refresh", onLogout: vi.fn(), fetch: network });
    expect((await session.fetch("/api")).status).toBe(200);
    expect(document.cookie).toContain("refresh_token=second");
    expect(network).toHaveBeenCalledTimes(3);
    session.close();
  });
});

describe("onWake", () => {
  it("runs on online, pageshow and visibilitychange until it is stopped", () => {
    const run = vi.fn();
    const stop = browserManagers().onWake(run);
    const fire = () => {
      window.dispatchEvent(new Event("online"));
      window.dispatchEvent(new Event("pageshow"));
      document.dispatchEvent(new Event("visibilitychange"));
    };
    fire();
    expect(run).toHaveBeenCalledTimes(document.visibilityState === "visible" ? 3 : 2);
    stop();
    fire();
    expect(run.mock.calls.length).toBeLessThan(4);
  });

  it("does not run when the page is hidden", () => {
    const run = vi.fn();
    const stop = browserManagers().onWake(run);
    vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    document.dispatchEvent(new Event("visibilitychange"));
    expect(run).not.toHaveBeenCalled();
    stop();
  });
});
