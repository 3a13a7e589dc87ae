// @vitest-environment happy-dom
import { english } from "@musette/react/language";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { App } from "../app";
import { LanguageProvider } from "../language/language";
import { completeTexts } from "../language/page-language";
import { en as firstTexts } from "../texts/generated/en";
import { confirmUser, enterSession } from "./person";

const en = completeTexts(firstTexts);

const NAMES: Record<string, string> = { "rider-1": "Ottilie Fernwick", "rider-2": "Bram Tolliver" };

const fake = vi.hoisted(() => ({
  userId: undefined as string | undefined,
  listeners: new Set<() => void>(),
  change(userId: string | undefined) {
    fake.userId = userId;
    for (const listener of fake.listeners) listener();
  },
}));
vi.mock("./session", async () => {
  const { useSyncExternalStore } = await import("react");
  const subscribe = (listener: () => void) => {
    fake.listeners.add(listener);
    return () => fake.listeners.delete(listener);
  };
  return {
    useUserId: () => useSyncExternalStore(subscribe, () => fake.userId),
    useSuspended: () => false,
    useEnded: () => false,
    session: {
      subscribe,
      getState: () => ({ userId: fake.userId }),
      fetch: (...call: Parameters<typeof fetch>) => fetch(...call),
      setTokens: ({ dhhToken }: { readonly dhhToken: string }) => fake.change(dhhToken),
      logout: () => fake.change(undefined),
    },
  };
});

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const term = {
  id: 1,
  title: "Freelancer agreement",
  content: "https://musette.test/documents/x.pdf",
  mandatory: true,
  display_order: 1,
};

const page = document.body.appendChild(document.createElement("div"));
let root: ReturnType<typeof createRoot>;

/** Waits until a page has loaded and shows this. */
const shows = (selector: string, text: string) =>
  vi.waitFor(async () => {
    await act(() => new Promise((done) => setTimeout(done, 10)));
    expect(page.querySelector(selector)?.textContent).toBe(text);
  }, 5_000);

async function open(path: string): Promise<void> {
  window.history.replaceState(null, "", path);
  await act(async () =>
    root.render(
      <LanguageProvider first={{ language: english, texts: en }}>
        <App />
      </LanguageProvider>,
    ),
  );
}

const change = (userId: string | undefined) => act(async () => fake.change(userId));

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  fake.userId = undefined;
  confirmUser(undefined);
  vi.stubGlobal("fetch", async (asked: string) => {
    const { pathname } = new URL(asked, "https://musette.test");
    const { userId } = fake;
    if (pathname.endsWith("/me"))
      return Response.json({ user_id: userId, name: NAMES[userId ?? ""], roles: [], sid: "s" });
    if (pathname.endsWith("/consents"))
      return Response.json({ user_id: userId, user_type: "RIDER", consents: [] });
    if (pathname.endsWith("/terms")) return Response.json([term]);
    if (pathname.endsWith("/markets")) return Response.json({ markets: [] });
    return new Response("", { status: 404 });
  });
  root = createRoot(page);
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});

it("the consent screen says who is agreeing", async () => {
  fake.userId = "rider-1";
  await open("/terms");
  await shows(".signer", en.signer.rider("Ottilie Fernwick"));
});

it("the consent screen says that an applicant is agreeing", async () => {
  await open("/apply");
  await shows(".signer", en.signer.applicant);
});

it("says that another person has signed in in another tab, and shows nothing of theirs before", async () => {
  fake.userId = "rider-1";
  await open("/terms");
  await shows(".signer", en.signer.rider("Ottilie Fernwick"));
  await change("rider-2");
  await shows("h1", en.otherPerson.title);
  await shows(".calm p", en.otherPerson.text("Bram Tolliver"));
  expect(page.querySelector(".mu-terms")).toBeNull();

  await act(async () => page.querySelector<HTMLElement>("main .mu-button")?.click());
  await shows(".signer", en.signer.rider("Bram Tolliver"));
});

it("says so as well if the first person was signed out meanwhile", async () => {
  fake.userId = "rider-1";
  await open("/terms");
  await change(undefined);
  await change("rider-2");
  await shows("h1", en.otherPerson.title);
});

it("says nothing after a sign-in in this tab", async () => {
  fake.userId = "rider-1";
  await open("/terms");
  await act(async () => enterSession({ dhhToken: "rider-2" }));
  expect(page.querySelector("h1")?.textContent).not.toBe(en.otherPerson.title);
  await shows(".signer", en.signer.rider("Bram Tolliver"));
});
