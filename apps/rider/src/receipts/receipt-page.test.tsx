// @vitest-environment happy-dom
import { english } from "@musette/react/language";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApplicantAgreements } from "../agreements/applicant-agreements";
import { LanguageProvider } from "../language/language";
import { completeTexts } from "../language/page-language";
import { receiptHref } from "../router/receipt-address";
import { removeApplications, storeReceipt } from "../terms/stored-receipts";
import { en as firstTexts } from "../texts/generated/en";
import { ReceiptPage } from "./receipt-page";

const en = completeTexts(firstTexts);

vi.mock("../session/session", () => ({
  useUserId: () => undefined,
  useSuspended: () => false,
  session: { getState: () => ({}), getToken: () => undefined },
}));

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const NUMBER = "receiptNumber0000000000000000001";
const at = "2026-11-21T09:30:00.000Z";
const term = {
  id: 15,
  title: "Marketing messages",
  content: "https://musette.test/documents/x.pdf",
  mandatory: false,
  display_order: 5,
};
const decisions = [{ termId: 15, accepted: true, recordedAt: at, receiptId: NUMBER, term }];

const page = document.body.appendChild(document.createElement("main"));
let root: ReturnType<typeof createRoot>;
const draw = async (children: React.ReactNode) => {
  await act(async () =>
    root.render(
      <LanguageProvider first={{ language: english, texts: en }}>{children}</LanguageProvider>,
    ),
  );
  await act(() => new Promise((done) => setTimeout(done, 20)));
};

/** Simulates a browser whose storage is full. */
const refuseToStore = () =>
  vi.stubGlobal("localStorage", {
    getItem: () => null,
    removeItem: () => {},
    setItem() {
      throw new DOMException("full", "QuotaExceededError");
    },
  });

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal("fetch", async () => new Response("", { status: 503 }));
  window.history.replaceState(null, "", receiptHref(NUMBER));
  root = createRoot(page);
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
  // What could not be stored lasts as long as this page.
  removeApplications();
});

it("asks the person to keep the number if this phone also stores it", async () => {
  storeReceipt({ id: NUMBER, root: NUMBER, userId: "", recordedAt: at, decisions });
  await draw(<ReceiptPage />);
  expect(page.textContent).toContain(en.receipt.keep);
  expect(page.textContent).not.toContain(en.receipt.notKept);
});

it("asks the person to copy the number now if this phone could not store it", async () => {
  refuseToStore();
  storeReceipt({ id: NUMBER, root: NUMBER, userId: "", recordedAt: at, decisions });
  await draw(<ReceiptPage />);
  expect(page.querySelector(".receipt code")?.textContent).toBe(NUMBER);
  expect(page.querySelector("[role=alert]")?.textContent).toBe(en.receipt.notKept);
  await draw(<ApplicantAgreements />);
  expect(page.textContent).toContain(en.agreements.notKeptText);
  expect(page.textContent).not.toContain(en.agreements.onThisDevice);
});

it("does not claim that nothing was agreed to if nothing can be stored", async () => {
  refuseToStore();
  await draw(<ApplicantAgreements />);
  expect(page.querySelector("h2")?.textContent).toBe(en.agreements.notKeptTitle);
  expect(page.textContent).not.toContain(en.agreements.emptyHere);
});

const opened = (link?: object) => ({
  user_id: "",
  user_type: "APPLICANT",
  recorded_at: at,
  consents: [{ terms_and_conditions_id: 15, accepted: true, consented_at: at }],
  receipt: { id: NUMBER },
  terms: [term],
  standing: [{ terms_and_conditions_id: 15, accepted: true, consented_at: at }],
  ...(link && { link }),
});
const answerWith = (body: object) =>
  vi.stubGlobal("fetch", async () => Response.json(body, { status: 200 }));
const shareButton = () =>
  [...page.querySelectorAll("button")].find(({ textContent }) =>
    [en.receipt.share, en.receipt.linkCopied].includes(textContent ?? ""),
  );

it("shows a QR code only if the server has a public URL", async () => {
  answerWith(opened());
  await draw(<ReceiptPage />);
  expect(shareButton()).toBeDefined();
  expect(page.querySelector(".receipt-code")).toBeNull();
  await act(async () => root.unmount());
  root = createRoot(page);
  const url = `https://terms.example/receipt#${NUMBER}`;
  answerWith(opened({ url, qr: { size: 21, path: "M0 0h1v1h-1z" } }));
  await draw(<ReceiptPage />);
  const code = page.querySelector(".receipt-code [role=img]");
  expect(code?.getAttribute("aria-label")).toBe(en.receipt.qrTitle);
  expect(code?.getAttribute("viewBox")).toBe("-4 -4 29 29");
});

it("shares the address of the receipt, or copies it", async () => {
  storeReceipt({ id: NUMBER, root: NUMBER, userId: "", recordedAt: at, decisions });
  const writeText = vi.fn(async () => {});
  Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
  await draw(<ReceiptPage />);
  const address = `${window.location.origin}${receiptHref(NUMBER)}`;
  await act(async () => shareButton()?.click());
  expect(writeText.mock.calls).toEqual([[address]]);
  expect(shareButton()?.textContent).toBe(en.receipt.linkCopied);

  const share = vi.fn(async () => {
    throw new DOMException("closed", "AbortError");
  });
  Object.defineProperty(navigator, "share", { value: share, configurable: true });
  await act(async () => shareButton()?.click());
  expect(share.mock.calls).toEqual([[{ title: en.receipt.id, url: address }]]);
  // The person closed the dialog: nothing is copied instead.
  expect(writeText).toHaveBeenCalledTimes(1);
  Object.defineProperty(navigator, "share", { value: undefined, configurable: true });
});
