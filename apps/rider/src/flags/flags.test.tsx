// @vitest-environment happy-dom
import type { FlagValue } from "@musette/client/flags";
import { createTestFlags } from "@musette/client/flags/testing";
import { FlagsProvider } from "@musette/react/flags";
import { english } from "@musette/react/language";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LanguageProvider } from "../language/language";
import { completeTexts } from "../language/page-language";
import { en as firstTexts } from "../texts/generated/en";
import { RiderFlags } from "./rider-flags";
import { StartTip } from "./start-tip";
import { SupportHours } from "./support-hours";

const en = completeTexts(firstTexts);

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const signedIn = vi.hoisted(() => ({ userId: undefined as string | undefined }));
vi.mock("../session/session", () => ({ useUserId: () => signedIn.userId }));

const page = document.body.appendChild(document.createElement("main"));
let root: Root;

const result = (variation: FlagValue) => ({
  variation,
  abTest: false,
  explanation: { kind: "RULE" as const, from: "rule:r1" },
  relevantContext: ["userId"],
  holdoutsEvaluations: [],
});

const draw = (children: React.ReactNode) =>
  act(async () =>
    root.render(
      <LanguageProvider first={{ language: english, texts: en }}>{children}</LanguageProvider>,
    ),
  );

const decided = (key: string, variation: FlagValue) =>
  draw(
    <FlagsProvider bootstrap={{ user: {}, flags: { [key]: result(variation) } }}>
      <StartTip />
      <SupportHours />
    </FlagsProvider>,
  );

beforeEach(() => {
  root = createRoot(page);
  localStorage.clear();
  signedIn.userId = undefined;
});
afterEach(async () => {
  await act(async () => root.unmount());
});

describe("the tip on the start page", () => {
  it.each(["keep-receipts", "plan-break"] as const)("is %s if the flag selects it", async (key) => {
    await decided("start-tip", key);
    expect(page.querySelector("summary")?.textContent).toBe(en.tips[key].title);
    expect(page.textContent).toContain(en.tips[key].text);
  });

  it.each(["none", "a tip of a later version", true])("is none for %j", async (value) => {
    await decided("start-tip", value);
    expect(page.textContent).toBe("");
  });
});

it("reports the first opening of the tip in a visit", async () => {
  const flags = createTestFlags({ "start-tip": "plan-break" });
  await draw(
    <FlagsProvider client={flags}>
      <StartTip />
    </FlagsProvider>,
  );
  const tip = page.querySelector("details") as HTMLDetailsElement;
  expect(flags.metrics).toEqual([]);
  for (const open of [true, false, true]) {
    await act(async () => {
      tip.open = open;
      tip.dispatchEvent(new Event("toggle"));
    });
  }
  expect(flags.metrics).toEqual([{ metric: "tip_opened", value: 1 }]);
});

describe("the hours of rider care", () => {
  it("are shown, even past midnight", async () => {
    await decided("support-chat", { open: true, from: 8, to: 26 });
    expect(page.textContent).toBe(en.supportHours("8:00 AM", "2:00 AM"));
  });

  it.each([{ open: false }, { open: true }, { open: true, from: 8 }])(
    "are hidden for %j",
    async (value) => {
      await decided("support-chat", value);
      expect(page.textContent).toBe("");
    },
  );
});

describe("the flags of the app", () => {
  const requests: Record<string, unknown>[] = [];
  const serve = (demo: object | undefined) =>
    vi.stubGlobal(
      "fetch",
      vi.fn(async (url: string | URL, init?: RequestInit) => {
        const path = new URL(String(url), location.href).pathname;
        if (path === "/api/demo/v1")
          return Response.json(demo ?? { code: "not_found" }, { status: demo ? 200 : 404 });
        if (!path.startsWith("/api/flags/v3/features")) return new Response(null, { status: 404 });
        requests.push({
          ...JSON.parse(String(init?.body)),
          token: new Headers(init?.headers).get("Authorization"),
        });
        const flags = { "start-tip": result("plan-break") };
        return Response.json({ version: 1, flags, holdouts: [] });
      }),
    );

  const open = () =>
    draw(
      <RiderFlags>
        <StartTip />
      </RiderFlags>,
    );
  // Waits in short steps, because React renders when `act` ends.
  const eventually = (seen: () => boolean) =>
    vi.waitFor(
      async () => {
        await act(() => new Promise((done) => setTimeout(done, 5)));
        if (!seen()) throw new Error(`It never came; the page says "${page.textContent}"`);
      },
      // Long enough for a busy machine, where the default of one second is too short.
      4_000,
    );

  beforeEach(() => {
    requests.length = 0;
  });

  it("are not fetched without a key", async () => {
    serve(undefined);
    await open();
    await act(() => new Promise((done) => setTimeout(done, 50)));
    expect(page.textContent).toBe("");
    expect(requests).toEqual([]);
  });

  it("are fetched with the demonstration's key, first for a visitor, then for the rider", async () => {
    serve({ riders: [], flag_key: "key-of-the-demo" });
    await open();
    await eventually(() => page.textContent.includes(en.tips["plan-break"].title));
    const [visitor] = requests;
    expect(visitor?.token).toBe("Bearer key-of-the-demo");
    expect(visitor?.anonymousId).toMatch(/^[0-9a-f]{32}$/);
    expect(visitor).toMatchObject({ key: visitor?.anonymousId, language: "en" });
    expect(visitor).not.toHaveProperty("userId");

    signedIn.userId = "rider-1";
    await open();
    await eventually(() => requests.at(-1)?.userId === "rider-1");
    expect(requests.at(-1)).toMatchObject({ key: "rider-1", anonymousId: visitor?.anonymousId });
  });
});
