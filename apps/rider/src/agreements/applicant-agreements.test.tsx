// @vitest-environment happy-dom
import type { Term } from "@musette/client/terms";
import { english } from "@musette/react/language";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LanguageProvider } from "../language/language";
import { completeTexts } from "../language/page-language";
import { storeReceipt } from "../terms/stored-receipts";
import { en as firstTexts } from "../texts/generated/en";
import { ApplicantAgreements } from "./applicant-agreements";

const en = completeTexts(firstTexts);

vi.mock("../session/session", () => ({ useSuspended: () => false, session: {} }));

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const term: Term = {
  id: 15,
  title: "Marketing messages",
  content: "https://musette.test/documents/x.pdf",
  mandatory: false,
  display_order: 5,
};
const at = "2026-11-21T09:30:00.000Z";
const consent = (accepted: boolean) => ({
  terms_and_conditions_id: 15,
  accepted,
  consented_at: at,
});
const answerOf = (id: string, accepted: boolean) => ({
  user_id: "",
  user_type: "APPLICANT",
  recorded_at: at,
  consents: [consent(accepted)],
  receipt: { id },
});

/** What the server reports for the receipt's term; undefined if no answer comes. */
let standing: boolean | undefined;
const server = vi.fn<typeof fetch>(async (_, init) => {
  const body = JSON.parse(String(init?.body));
  if (body.consents) return Response.json(answerOf("later", body.consents[0].accepted));
  if (standing === undefined) throw new TypeError("Failed to fetch");
  const answer = { ...answerOf("first", true), terms: [term], standing: [consent(standing)] };
  return Response.json(answer);
});

const page = document.body.appendChild(document.createElement("main"));
let root: ReturnType<typeof createRoot>;
const settle = () => act(() => new Promise((done) => setTimeout(done, 20)));
const box = () => page.querySelector("input");

async function show(): Promise<void> {
  root = createRoot(page);
  await act(async () =>
    root.render(
      <LanguageProvider first={{ language: english, texts: en }}>
        <ApplicantAgreements />
      </LanguageProvider>,
    ),
  );
  await settle();
}

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal("fetch", server);
  const decisions = [{ termId: 15, accepted: true, recordedAt: at, receiptId: "first", term }];
  storeReceipt({ id: "first", root: "first", userId: "", recordedAt: at, decisions });
});

afterEach(async () => {
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});

it("shows a withdrawal that was made with the receipt on another phone", async () => {
  standing = false;
  await show();
  expect(box()?.checked).toBe(false);
  expect(page.querySelector(".standing")?.textContent).toBe(en.agreements.withdrewElsewhere);
});

it("shows no differences if the server knows the same as this phone", async () => {
  standing = true;
  await show();
  expect(box()?.checked).toBe(true);
  expect(page.querySelector(".standing")?.textContent).toMatch(/^Agreed on /);
  expect(page.textContent).not.toContain(en.agreements.standingUnknown);
});

it("shows an error if it could not be loaded, and retries", async () => {
  standing = undefined;
  await show();
  expect(box()?.checked).toBe(true);
  expect(page.textContent).toContain(en.agreements.standingUnknown);
  standing = false;
  const again = [...page.querySelectorAll("button")].find(
    ({ textContent }) => textContent === en.tryAgain,
  );
  await act(async () => again?.click());
  await settle();
  expect(box()?.checked).toBe(false);
  expect(page.textContent).not.toContain(en.agreements.standingUnknown);
});

it("prefers a decision made here since the last fetch", async () => {
  standing = false;
  await show();
  // The next request gets no answer yet.
  server.mockImplementationOnce(async () => Response.json(answerOf("later", true)));
  server.mockImplementationOnce(() => new Promise(() => {}));
  await act(async () => box()?.click());
  await settle();
  expect(box()?.checked).toBe(true);
  expect(page.querySelector(".standing")?.textContent).toMatch(/^Agreed on /);
});
