import { beforeEach, describe, expect, it, vi } from "vitest";

const ORIGIN = "https://terms.example";

const fake = vi.hoisted(() => ({
  owner: undefined as string | undefined,
  shown: [] as { readonly title: string; readonly options: NotificationOptions }[],
  opened: [] as string[],
  tabs: [] as {
    url: string;
    navigate: (url: string) => Promise<void>;
    focus: () => Promise<void>;
  }[],
  unsubscribed: 0,
}));

vi.mock("../push/push-owner", () => ({ pushOwner: async () => fake.owner }));
vi.mock("./scope", () => ({
  scope: {
    location: { origin: "https://terms.example" },
    clients: {
      matchAll: async () => fake.tabs,
      openWindow: async (url: string) => void fake.opened.push(url),
    },
    registration: {
      pushManager: {
        getSubscription: async () => ({
          unsubscribe: async () => {
            fake.unsubscribed += 1;
          },
        }),
      },
      showNotification: async (title: string, options: NotificationOptions) =>
        void fake.shown.push({ title, options }),
    },
  },
}));

const { openNotification, pagePath, readPush, showPush } = await import("./push-messages");

const message = (over: object = {}) =>
  JSON.stringify({
    title: "Larkspur Couriers",
    body: "Rules of pay",
    url: `${ORIGIN}/notices#12`,
    ...over,
  });

function signIn(userId: string | undefined): void {
  const token = `h.${btoa(JSON.stringify({ sub: userId }))}.s`;
  const cookies = userId === undefined ? [] : [{ name: "dhh_token", value: token }];
  vi.stubGlobal("cookieStore", { getAll: async () => cookies });
}

beforeEach(() => {
  Object.assign(fake, { owner: "r1", shown: [], opened: [], tabs: [], unsubscribed: 0 });
  signIn("r1");
});

describe("a push message", () => {
  it("shows the company and the title, and nothing else of the message", async () => {
    await showPush(message({ name: "Ottilie", actions: [{}], image: "https://other.example/x" }));
    expect(fake.shown).toHaveLength(1);
    const [{ title, options }] = fake.shown as [(typeof fake.shown)[0]];
    expect([title, options.body, options.data]).toEqual([
      "Larkspur Couriers",
      "Rules of pay",
      "/notices#12",
    ]);
    expect(JSON.stringify(fake.shown)).not.toMatch(/Ottilie|other\.example/);
  });

  it("replaces the first one if it is sent again", async () => {
    await showPush(message());
    await showPush(message());
    await showPush(message({ body: "Rules of insurance" }));
    const tags = fake.shown.map(({ options }) => options.tag);
    expect(tags[1]).toBe(tags[0]);
    expect(tags[2]).not.toBe(tags[0]);
  });

  it.each([
    ["another person has signed in", "r1", "r2"],
    ["the rider has signed out", undefined, undefined],
    ["the rider has turned it off", undefined, "r1"],
  ])("is not shown if %s, and the subscription ends", async (_, owner, user) => {
    fake.owner = owner;
    signIn(user);
    await showPush(message());
    expect([fake.shown.length, fake.unsubscribed]).toEqual([0, 1]);
  });

  it.each([
    ["does not reveal cookies to the worker", undefined],
    ["has no cookie after the token has expired", { getAll: async () => [] }],
    ["has a malformed cookie", { getAll: async () => [{ name: "dhh_token", value: "x.%.y" }] }],
  ])("is shown if the browser %s", async (_, store) => {
    vi.stubGlobal("cookieStore", store);
    await showPush(message());
    expect([fake.shown.length, fake.unsubscribed]).toEqual([1, 0]);
  });

  it.each(["", "nonsense", "null", "[]", "7", '{"title":7}', '{"title":"  "}', '{"body":"x"}'])(
    "without a title is not shown: %s",
    async (text) => {
      expect(readPush(text)).toBeUndefined();
      await showPush(text);
      expect(fake.shown).toEqual([]);
    },
  );

  it("has texts of a limited length", () => {
    const long = readPush(message({ title: "x".repeat(4000), body: "y".repeat(4000) }));
    expect([long?.title.length, long?.body.length]).toEqual([200, 200]);
  });
});

describe("the page of a notification", () => {
  it.each([
    ["https://terms.example/notices#12", "/notices#12"],
    // The server has several names.
    ["https://other.example/notices#12", "/notices#12"],
    ["/terms", "/terms"],
    ["https://terms.example/console/people", "/"],
    ["https://terms.example/documents/x.pdf", "/"],
    ["javascript:alert(1)", "/"],
    ["https://terms.example//evil.example/notices", "/"],
    ["https://", "/"],
    ["/notices?next=//evil.example", "/notices"],
    [undefined, "/"],
    [{ url: "/terms" }, "/"],
  ])("of %j is %s", (address, path) => {
    expect(pagePath(address)).toBe(path);
  });

  it("opens in a new tab if no tab shows it", async () => {
    const navigate = vi.fn(async () => {});
    fake.tabs = [{ url: `${ORIGIN}/contest#7`, navigate, focus: async () => {} }];
    await openNotification("/notices#12");
    expect(fake.opened).toEqual(["/notices#12"]);
    expect(navigate).not.toHaveBeenCalled();
  });

  it("opens in the tab that shows it already", async () => {
    const navigate = vi.fn(async () => {});
    const focus = vi.fn(async () => {});
    fake.tabs = [{ url: `${ORIGIN}/notices`, navigate, focus }];
    await openNotification("/notices#12");
    expect(fake.opened).toEqual([]);
    expect(navigate).toHaveBeenCalledWith("/notices#12");
    expect(focus).toHaveBeenCalledOnce();
  });
});
