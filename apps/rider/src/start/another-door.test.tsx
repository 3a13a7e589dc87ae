// @vitest-environment happy-dom
import { english } from "@musette/react/language";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LanguageProvider } from "../language/language";
import { completeTexts } from "../language/page-language";
import { ReceiptPage } from "../receipts/receipt-page";
import { receiptHref } from "../router/receipt-address";
import { navigate } from "../router/router";
import { storedSentCode, storeSentCode } from "../sign-in/sent-code";
import { applications, storeReceipt } from "../terms/stored-receipts";
import { en as firstTexts } from "../texts/generated/en";
import { AnotherApplicant } from "./another-door";

const en = completeTexts(firstTexts);

vi.mock("../session/session", () => ({
  useUserId: () => undefined,
  useSuspended: () => false,
  session: { getState: () => ({}), getToken: () => undefined },
}));

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const NUMBER = "firstPersonsReceiptNumber0000001";
const at = "2026-11-21T09:30:00.000Z";
const term = {
  id: 15,
  title: "Marketing messages",
  content: "https://musette.test/documents/x.pdf",
  mandatory: false,
  display_order: 5,
};

const page = document.body.appendChild(document.createElement("main"));
let root: ReturnType<typeof createRoot>;
const draw = (children: React.ReactNode) =>
  act(async () =>
    root.render(
      <LanguageProvider first={{ language: english, texts: en }}>{children}</LanguageProvider>,
    ),
  );
const tap = (words: string) =>
  act(async () => {
    [...page.querySelectorAll("button")].find(({ textContent }) => textContent === words)?.click();
  });

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  vi.stubGlobal("fetch", async () => new Response("", { status: 503 }));
  root = createRoot(page);
  const decisions = [{ termId: 15, accepted: true, recordedAt: at, receiptId: NUMBER, term }];
  storeReceipt({ id: NUMBER, root: NUMBER, userId: "", recordedAt: at, decisions });
  window.history.replaceState(null, "", "/");
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});

it("asks once, and shows the number that this phone would forget", async () => {
  await draw(<AnotherApplicant isPending={false} />);
  await tap(en.applied.another);
  expect(page.querySelector("dialog")?.textContent).toContain(en.applied.forgetText);
  expect(page.querySelector("dialog code")?.textContent).toBe(NUMBER);
  expect(page.textContent).not.toContain(en.applied.forgetPending);
  await tap(en.applied.stay);
  expect(applications()).toHaveLength(1);
  expect(window.location.pathname).toBe("/");
});

it("leaves nothing of the first person for the next one", async () => {
  storeSentCode({ identifier: "first@example.test", expiresAtMs: 9e15, resendAtMs: 0 });
  localStorage.setItem("musette.market", "DE-BE");
  await draw(<AnotherApplicant isPending />);
  await tap(en.applied.another);
  expect(page.textContent).toContain(en.applied.forgetPending);
  await tap(en.applied.forget);
  expect(applications()).toEqual([]);
  expect(storedSentCode(0)).toBeUndefined();
  expect(JSON.stringify(localStorage)).not.toMatch(/DE-BE|firstPersons/);
  expect(window.location.pathname).toBe("/apply");
});

it("does not ask if there is no number to lose", async () => {
  localStorage.clear();
  await draw(<AnotherApplicant isPending />);
  await tap(en.applied.another);
  expect(page.querySelector("dialog")).toBeNull();
  expect(window.location.pathname).toBe("/apply");
});

it("does not show the former receipt again, but opens a typed number", async () => {
  navigate(receiptHref(NUMBER));
  const before = window.history.state;
  await draw(<ReceiptPage />);
  expect(page.querySelector(".receipt code")?.textContent).toBe(NUMBER);
  await draw(<AnotherApplicant isPending={false} />);
  await tap(en.applied.another);
  await tap(en.applied.forget);

  // Simulates the back button.
  window.history.replaceState(before, "", receiptHref(NUMBER));
  await draw(<ReceiptPage />);
  expect(window.location.hash).toBe("");
  expect(page.querySelector("h1")?.textContent).toBe(en.receipt.open.title);
  expect(page.innerHTML).not.toContain(NUMBER);

  await act(async () => navigate(receiptHref(NUMBER)));
  expect(window.location.hash).toBe(`#${NUMBER}`);
});
