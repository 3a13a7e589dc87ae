// @vitest-environment happy-dom

import { keepPending } from "@musette/client/terms";
import { english } from "@musette/react/language";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fakeIndexedDb } from "../../../../packages/client/src/terms/testing/indexed-db";
import { LanguageProvider } from "../language/language";
import { completeTexts } from "../language/page-language";
import { createAttempt } from "../terms/decide";
import { en as firstTexts } from "../texts/generated/en";
import { AgreementsPage } from "./agreements-page";

const en = completeTexts(firstTexts);

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const session = vi.hoisted(() => ({ userId: undefined as string | undefined, ended: false }));
vi.mock("../session/session", () => ({
  useUserId: () => session.userId,
  useEnded: () => session.ended,
  session: { fetch: () => new Promise(() => {}) },
}));

const page = document.body.appendChild(document.createElement("main"));
let root = createRoot(page);
const show = (userId: string | undefined) => {
  session.userId = userId;
  return act(async () =>
    root.render(
      <LanguageProvider first={{ language: english, texts: en }}>
        <AgreementsPage />
      </LanguageProvider>,
    ),
  );
};

const settle = async () => {
  for (let turn = 0; turn < 5; turn++) await act(() => new Promise((done) => setTimeout(done)));
};

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal("indexedDB", fakeIndexedDb().indexedDB);
  session.ended = false;
  // A server without a demonstration.
  vi.stubGlobal("fetch", async () => Response.json({ riders: [] }));
});
afterEach(async () => {
  await act(async () => root.unmount());
  root = createRoot(page);
});

it("distinguishes an applicant from a rider whose session has ended", async () => {
  await show(undefined);
  await settle();
  expect(page.textContent).toContain(en.agreements.emptyApplicant);
  await show("rider-1");
  await show(undefined);
  expect(page.textContent).toContain(en.ended.title);
  expect(page.textContent).not.toContain(en.agreements.emptyHere);
});

it("shows an applicant's waiting decision on a server without demonstration", async () => {
  const by = { userId: undefined, receiptId: undefined, locale: "en" };
  const attempt = createAttempt(true, { id: 1 }, by, new Date());
  await keepPending({ ...attempt, termsType: "FREELANCER", unsent: true });
  await show(undefined);
  await settle();
  expect(window.location.pathname).toBe("/");
  expect(page.querySelector("h2")?.textContent).toBe(en.status.pendingHere);
  expect(page.textContent).toContain(en.status.unsentText);
  expect(page.querySelector("a.mu-button")?.getAttribute("href")).toBe("/apply");
});

it("shows the three ways on if nothing was agreed to on this phone", async () => {
  await show(undefined);
  await settle();
  expect(window.location.pathname).toBe("/");
  expect(page.querySelector("h2")?.textContent).toBe(en.agreements.emptyHere);
  const ways = [...page.querySelectorAll("a.mu-button")].map((way) => way.getAttribute("href"));
  expect(ways).toEqual(["/apply", "/sign-in?next=%2Fagreements", "/receipt"]);
});

it("does not claim that nothing was agreed to after a 401", async () => {
  session.ended = true;
  await show(undefined);
  await settle();
  expect(page.textContent).toContain(en.ended.title);
  expect(page.textContent).not.toContain(en.agreements.emptyHere);
});

it("says that a rider's waiting decision is sent after they sign in", async () => {
  const by = { userId: "rider-1", receiptId: undefined, locale: "en" };
  await keepPending(createAttempt(true, { id: 15 }, by, new Date()));
  await show(undefined);
  await settle();
  expect(page.querySelector("h2")?.textContent).toBe(en.status.pendingHere);
  expect(page.textContent).toContain(en.status.pendingRider);
  expect(page.textContent).not.toContain(en.agreements.emptyHere);
});
