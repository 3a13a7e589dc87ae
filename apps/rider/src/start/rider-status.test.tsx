// @vitest-environment happy-dom
import { english } from "@musette/react/language";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { RiderAgreements } from "../agreements/rider-agreements";
import { LanguageProvider } from "../language/language";
import { completeTexts } from "../language/page-language";
import { ReceiptPage } from "../receipts/receipt-page";
import { receiptHref } from "../router/receipt-address";
import { storeReceipt } from "../terms/stored-receipts";
import { en as firstTexts } from "../texts/generated/en";
import { RiderStatus } from "./rider-status";

const en = completeTexts(firstTexts);

vi.mock("../session/session", () => ({
  useUserId: () => "rider-1",
  useSuspended: () => false,
  session: {
    getState: () => ({ userId: "rider-1" }),
    subscribe: () => () => {},
    fetch: (...call: Parameters<typeof fetch>) => fetch(...call),
  },
}));

// Needs the provider of flags, and is of another subject.
vi.mock("../flags/support-hours", () => ({ SupportHours: () => null }));

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const NUMBER = "firstPersonsReceiptNumber0000001";
const at = "2026-11-21T09:30:00.000Z";
const term = {
  id: 1,
  title: "Freelancer agreement",
  content: "https://musette.test/documents/x.pdf",
  mandatory: true,
  display_order: 1,
};
const consent = { terms_and_conditions_id: 1, accepted: true, consented_at: at };

/** A rider who has decided nothing, next to an applicant's receipt. */
const answers: Record<string, unknown> = {
  outstanding: { user_id: "rider-1", may_work: false, outstanding: [term] },
  history: { user_id: "rider-1", history: [] },
  consents: { user_id: "rider-1", user_type: "RIDER", consents: [] },
  terms: [term],
  me: { user_id: "rider-1", name: "Ottilie Fernwick", roles: ["rider"], sid: "s" },
  receipts: {
    user_id: "",
    user_type: "APPLICANT",
    consents: [consent],
    recorded_at: at,
    receipt: { id: NUMBER },
    terms: [term],
    standing: [consent],
  },
};

const page = document.body.appendChild(document.createElement("main"));
let root: ReturnType<typeof createRoot>;

async function draw(children: React.ReactNode): Promise<void> {
  await act(async () =>
    root.render(
      <LanguageProvider first={{ language: english, texts: en }}>{children}</LanguageProvider>,
    ),
  );
  await act(() => new Promise((done) => setTimeout(done, 20)));
}

/** Whether `first` comes before `second` on the page. */
function isBefore(first: string, second: string): boolean {
  const [a, b] = [page.querySelector(first), page.querySelector(second)];
  if (!a || !b) throw new Error(`${a ? second : first} is not on the page: ${page.innerHTML}`);
  return (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  vi.stubGlobal("fetch", async (asked: string) => {
    const name = new URL(asked, "https://musette.test").pathname.split("/").at(-1) ?? "";
    return answers[name] ? Response.json(answers[name]) : new Response("", { status: 404 });
  });
  const decisions = [{ termId: 1, accepted: true, recordedAt: at, receiptId: NUMBER, term }];
  storeReceipt({ id: NUMBER, root: NUMBER, userId: "", recordedAt: at, decisions });
  root = createRoot(page);
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});

it("offers to join an agreement above the documents that need the rider", async () => {
  await draw(<RiderStatus userId="rider-1" />);
  expect(page.querySelector("h1")?.textContent).toBe(en.status.now(1));
  expect(isBefore(".join", ".status")).toBe(true);
});

it("offers to join an agreement above the list of agreements", async () => {
  await draw(<RiderAgreements userId="rider-1" />);
  expect(page.textContent).toContain(en.agreements.emptyTitle);
  expect(isBefore(".join", ".calm")).toBe(true);
});

it("offers to join a receipt above its contents after a sign-in from it", async () => {
  window.history.replaceState(null, "", receiptHref(NUMBER));
  await draw(<ReceiptPage />);
  expect(isBefore(".join", ".facts")).toBe(true);
});
