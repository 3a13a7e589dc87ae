// @vitest-environment happy-dom
import { english } from "@musette/react/language";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LanguageProvider } from "../language/language";
import { completeTexts } from "../language/page-language";
import { applications, storeReceipt } from "../terms/stored-receipts";
import { en as firstTexts } from "../texts/generated/en";
import { ApplicantStatus } from "./applicant-status";

const en = completeTexts(firstTexts);

vi.mock("../session/session", () => ({
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

const page = document.body.appendChild(document.createElement("main"));
let root: ReturnType<typeof createRoot>;

async function draw(): Promise<void> {
  await act(async () =>
    root.render(
      <LanguageProvider first={{ language: english, texts: en }}>
        <ApplicantStatus newest={applications()[0]} pending={undefined} />
      </LanguageProvider>,
    ),
  );
  await act(() => new Promise((done) => setTimeout(done, 20)));
}

beforeEach(() => {
  localStorage.clear();
  const decisions = [{ termId: 15, accepted: true, recordedAt: at, receiptId: NUMBER, term }];
  storeReceipt({ id: NUMBER, root: NUMBER, userId: "", recordedAt: at, decisions });
  root = createRoot(page);
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});

it("shows a withdrawal that was made on another device", async () => {
  const consent = { terms_and_conditions_id: 15, accepted: false, consented_at: at };
  const opened = {
    user_id: "",
    user_type: "APPLICANT",
    consents: [{ ...consent, accepted: true }],
    recorded_at: at,
    receipt: { id: NUMBER },
    terms: [term],
    standing: [consent],
  };
  vi.stubGlobal("fetch", async () => Response.json(opened));
  await draw();
  expect(page.querySelector("li")?.textContent).toBe(
    `Marketing messages: ${en.agreements.withdrewElsewhere}`,
  );
});

it("shows what this phone knows while the server does not answer", async () => {
  vi.stubGlobal("fetch", async () => new Response("", { status: 503 }));
  await draw();
  expect(page.querySelector("li")?.textContent).toBe(`Marketing messages: ${en.receipt.agreed}`);
});
