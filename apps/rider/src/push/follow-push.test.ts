// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";

interface Call {
  readonly method: string;
  readonly url: string;
  readonly body: string | undefined;
}

const fake = vi.hoisted(() => ({
  userId: undefined as string | undefined,
  calls: [] as { method: string; url: string; body: string | undefined }[],
  refusal: undefined as number | undefined,
  permission: "default" as NotificationPermission,
  /** The endpoint of the browser's subscription. */
  endpoint: undefined as string | undefined,
  subscriptions: 0,
  owner: undefined as string | undefined,
  unsubscribes: true,
}));

vi.mock("./push-owner", () => ({
  storePushOwner: async (userId: string | undefined) => {
    fake.owner = userId;
  },
}));
vi.mock("../session/session", async () => {
  const { HttpError } = await import("@musette/client/http");
  return {
    session: {
      getState: () => ({ userId: fake.userId }),
      subscribe: () => () => {},
      fetch: async (url: string, init: RequestInit) => {
        fake.calls.push({ method: init.method ?? "GET", url, body: init.body as string });
        if (fake.refusal) throw new HttpError(new Response("", { status: fake.refusal }));
        return new Response(null, { status: 204 });
      },
    },
  };
});

const subscription = () =>
  fake.endpoint === undefined
    ? null
    : {
        endpoint: fake.endpoint,
        toJSON: () => ({ endpoint: fake.endpoint, keys: { p256dh: "p", auth: "a" } }),
        unsubscribe: async () => {
          if (!fake.unsubscribes) throw new Error("The push service has no answer.");
          fake.endpoint = undefined;
          return true;
        },
      };

const registration = {
  pushManager: {
    getSubscription: async () => subscription(),
    subscribe: async () => {
      fake.subscriptions += 1;
      fake.endpoint ??= `https://push.example/${fake.subscriptions}`;
      return subscription();
    },
  },
};

Object.defineProperty(navigator, "serviceWorker", {
  value: { ready: Promise.resolve(registration), getRegistration: async () => registration },
});

const { followUser, isPushOn, leavePush, refusePush, turnOffPush, turnOnPush } = await import(
  "./follow-push"
);
const { choiceOf } = await import("./push-choices");

const requests = () =>
  fake.calls.map(({ method, url }: Call) => `${method} ${url.split("/riders/")[1]}`);
const id = () => JSON.parse(localStorage.getItem("musette.push") ?? "{}").id;
const path = (rider: string) => `${rider}/push-subscriptions/${id()}`;

beforeEach(() => {
  vi.stubGlobal("PushManager", class {});
  vi.stubGlobal("Notification", {
    get permission() {
      return fake.permission;
    },
    requestPermission: async () => fake.permission,
  });
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("fetch", async () => Response.json({ key: "BA" }));
  localStorage.clear();
  Object.assign(fake, {
    userId: "r1",
    calls: [],
    refusal: undefined,
    permission: "granted",
    endpoint: undefined,
    subscriptions: 0,
    owner: undefined,
    unsubscribes: true,
  });
});

it("subscribes with the server's key, and tells the worker whose messages come", async () => {
  expect(await turnOnPush("r1")).toBe(true);
  expect(requests()).toEqual([`PUT ${path("r1")}`]);
  expect(JSON.parse(fake.calls[0]?.body ?? "")).toMatchObject({
    endpoint: "https://push.example/1",
    keys: { p256dh: "p", auth: "a" },
  });
  expect([isPushOn("r1"), isPushOn("r2"), fake.owner]).toEqual([true, false, "r1"]);
});

it.each(["denied", "default"] as const)("does not ask again after the browser's %s", async (no) => {
  fake.permission = no;
  expect(await turnOnPush("r1")).toBe(false);
  expect([choiceOf("r1"), requests(), fake.subscriptions]).toEqual(["off", [], 0]);
});

it("keeps a no of one rider, and asks another one", () => {
  refusePush("r1");
  expect([choiceOf("r1"), choiceOf("r2")]).toEqual(["off", undefined]);
});

it("leaves no subscription if the server does not take it", async () => {
  fake.refusal = 409;
  await expect(turnOnPush("r1")).rejects.toThrow();
  expect([fake.endpoint, isPushOn("r1"), choiceOf("r1"), fake.owner]).toEqual([
    undefined,
    false,
    undefined,
    undefined,
  ]);
});

it("ends the subscription at both places when it is turned off, and does not renew it", async () => {
  await turnOnPush("r1");
  await turnOffPush("r1");
  expect(requests()).toEqual([`PUT ${path("r1")}`, `DELETE ${path("r1")}`]);
  expect([fake.endpoint, isPushOn("r1"), fake.owner]).toEqual([undefined, false, undefined]);
  await followUser();
  expect(requests()).toHaveLength(2);
});

it("turns off with one answer of the two, and says so if there is none", async () => {
  await turnOnPush("r1");
  fake.unsubscribes = false;
  fake.refusal = 503;
  await expect(turnOffPush("r1")).rejects.toThrow();
  expect(isPushOn("r1")).toBe(true);
  fake.refusal = undefined;
  await turnOffPush("r1");
  expect(isPushOn("r1")).toBe(false);
});

it("ends at the sign-out, and comes back with the next sign-in of the same rider", async () => {
  await turnOnPush("r1");
  await leavePush();
  fake.userId = undefined;
  await followUser();
  expect([fake.endpoint, fake.owner]).toEqual([undefined, undefined]);
  fake.userId = "r1";
  await followUser();
  expect(requests()).toEqual([`PUT ${path("r1")}`, `DELETE ${path("r1")}`, `PUT ${path("r1")}`]);
  expect(isPushOn("r1")).toBe(true);
});

it("ends when another person is signed in, whose session cannot delete it", async () => {
  await turnOnPush("r1");
  fake.userId = "r2";
  await followUser();
  expect(requests()).toEqual([`PUT ${path("r1")}`]);
  expect([fake.endpoint, fake.owner, isPushOn("r1"), isPushOn("r2")]).toEqual([
    undefined,
    undefined,
    false,
    false,
  ]);
});

it("tries again to end another person's subscription", async () => {
  await turnOnPush("r1");
  fake.userId = "r2";
  fake.unsubscribes = false;
  await expect(followUser()).rejects.toThrow();
  fake.unsubscribes = true;
  await followUser();
  expect(fake.endpoint).toBeUndefined();
});

it("sends a subscription again that the browser has changed, and otherwise once a day", async () => {
  await turnOnPush("r1");
  await followUser();
  expect(requests()).toHaveLength(1);
  fake.endpoint = "https://push.example/changed";
  await followUser();
  expect(JSON.parse(fake.calls[1]?.body ?? "").endpoint).toBe("https://push.example/changed");
  vi.useFakeTimers({ now: Date.now() + 25 * 3600_000, toFake: ["Date"] });
  await followUser();
  vi.useRealTimers();
  expect(requests()).toHaveLength(3);
});

it("survives a stored value that this app has not written", async () => {
  localStorage.setItem("musette.push", '{"id":7}');
  await followUser();
  expect(choiceOf("r1")).toBeUndefined();
  await turnOnPush("r1");
  expect(isPushOn("r1")).toBe(true);
});
