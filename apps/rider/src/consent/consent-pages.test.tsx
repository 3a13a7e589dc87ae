// @vitest-environment happy-dom
import type { Term } from "@musette/client/terms";
import { english } from "@musette/react/language";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LanguageProvider } from "../language/language";
import { completeTexts } from "../language/page-language";
import { en as firstTexts } from "../texts/generated/en";
import { RiderTermsPage } from "./consent-pages";

const en = completeTexts(firstTexts);

// A new user in each test: the screen may show the terms that it has fetched for a user before.
const rider = vi.hoisted(() => ({ id: 0 }));
vi.mock("../session/session", () => ({
  useUserId: () => `rider-${rider.id}`,
  useSuspended: () => false,
  useEnded: () => false,
  session: {
    subscribe: () => () => {},
    getState: () => ({ userId: `rider-${rider.id}` }),
    fetch: (...call: Parameters<typeof fetch>) => fetch(...call),
  },
}));

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const term = (id: number, over: Partial<Term> = {}): Term => ({
  id,
  title: `Term ${id}`,
  content: "https://musette.test/documents/x.pdf",
  mandatory: true,
  display_order: id,
  ...over,
});
const later = { grace_until: "2099-12-03T09:00:00.000Z" };
const optional = { mandatory: false };

const page = document.body.appendChild(document.createElement("main"));
let root: ReturnType<typeof createRoot>;

async function open(terms: readonly Term[], accepted: readonly number[] = []): Promise<void> {
  vi.stubGlobal("fetch", async (asked: string) => {
    const { pathname } = new URL(asked, "https://musette.test");
    if (pathname.endsWith("/terms")) return Response.json(terms);
    const user_id = `rider-${rider.id}`;
    const consents = accepted.map((terms_and_conditions_id) => ({
      terms_and_conditions_id,
      accepted: true,
      consented_at: "2026-11-21T09:30:00.000Z",
    }));
    if (pathname.endsWith("/consents"))
      return Response.json({ user_id, user_type: "RIDER", consents });
    return Response.json({ user_id, name: "Ottilie Fernwick", roles: [], sid: "s" });
  });
  await act(async () =>
    root.render(
      <LanguageProvider first={{ language: english, texts: en }}>
        <RiderTermsPage />
      </LanguageProvider>,
    ),
  );
  await vi.waitFor(async () => {
    await act(() => new Promise((done) => setTimeout(done, 10)));
    expect(page.querySelector("[data-term='1']")).not.toBeNull();
  }, 5_000);
}

const title = () => page.querySelector("h1")?.textContent;
const lead = () => page.querySelector(".mu-consent-lead")?.textContent;

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  rider.id += 1;
  root = createRoot(page);
});
afterEach(async () => {
  await vi.dynamicImportSettled();
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});

it("asks to agree if a term is required", async () => {
  await open([term(1), term(2, later)]);
  expect(lead()).toContain("You need to agree to the terms to continue");
});

it("says until when the rider can work without agreeing", async () => {
  await open([term(1), term(2, later), term(3, optional)], [1]);
  expect(lead()).toMatch(/You can work without agreeing until December 3, 2099/);
  expect(lead()).not.toContain("You need to agree");
});

it("does not say that optional terms are required", async () => {
  await open([term(1, optional)]);
  expect(lead()).toContain(en.status.optionalOnly);
  expect(lead()).not.toContain("You need to agree");
});

it("says that all is done, but not while a changed tick is not sent", async () => {
  await open([term(1), term(2, optional)], [1]);
  expect(title()).toBe(en.status.done);
  await act(async () => page.querySelector<HTMLElement>("[data-term='2'] input")?.click());
  expect(title()).toBe("Terms & Conditions");
  expect(lead()).toContain(en.status.doneText);
});
