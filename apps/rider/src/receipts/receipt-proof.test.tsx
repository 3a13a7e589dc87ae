// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SignedReceipt } from "@musette/client/log";
import { english } from "@musette/react/language";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LanguageProvider } from "../language/language";
import { completeTexts } from "../language/page-language";
import type { StoredReceipt } from "../terms/receipt";
import { en as firstTexts } from "../texts/generated/en";
import { ReceiptProof } from "./receipt-proof";

const en = completeTexts(firstTexts);

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const file = join(import.meta.dirname, "../../../../testdata/log-vectors.json");
const vectors: { key: string; receipts: readonly { case: string; receipt: string }[] } = JSON.parse(
  readFileSync(file, "utf8"),
);
const vector = (name: string): SignedReceipt =>
  JSON.parse(vectors.receipts.find((one) => one.case === name)?.receipt ?? "");

const recordedAt = "2026-11-21T09:30:00.123Z";
const decision = (termId: number, accepted = true) => ({
  ...{ termId, accepted, recordedAt },
  receiptId: "r",
});
const shown: StoredReceipt = {
  id: "r",
  root: "r",
  userId: "rider-fictional-1",
  recordedAt,
  decisions: [decision(17), decision(18)],
};
const send = vi.fn<typeof fetch>();
let root: Root;

beforeEach(() => {
  vi.stubGlobal("fetch", send);
  send.mockReset().mockImplementation(async () => new Response(`${vectors.key}\n`));
  root = createRoot(document.body.appendChild(document.createElement("main")));
});

afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
});

const button = (label: string) =>
  [...document.querySelectorAll("button")].find((one) => one.textContent?.trim() === label);

async function check(receipt: StoredReceipt, signed: SignedReceipt): Promise<string> {
  await act(async () =>
    root.render(
      <LanguageProvider first={{ language: english, texts: en }}>
        <ReceiptProof receipt={receipt} signed={signed} />
      </LanguageProvider>,
    ),
  );
  await act(async () => button(en.proof.check)?.click());
  for (let turn = 0; turn < 500 && !document.querySelector(".checked"); turn++) {
    await act(() => new Promise((resolve) => setTimeout(resolve, 10)));
  }
  return document.querySelector("[role=status]")?.textContent ?? "";
}

it("shows an error if the key could not be fetched, and retries", async () => {
  send.mockImplementation(async () => new Response("", { status: 503 }));
  const rider = vector("a rider's, claimed");
  expect(await check(shown, rider)).toContain(en.proof.problems.unreachable);
  send.mockImplementation(async () => new Response(`${vectors.key}\n`));
  await act(async () => root.unmount());
  root = createRoot(document.querySelector("main") as HTMLElement);
  expect(await check(shown, rider)).toContain(en.proof.confirmed);
});

it("shows what was checked, and the key", async () => {
  const text = await check(shown, vector("a rider's, claimed"));
  for (const words of [
    en.proof.confirmed,
    en.proof.asShown,
    en.proof.ofUser,
    en.proof.inLog("302", "303"),
    vectors.key,
  ]) {
    expect(text).toContain(words);
  }
});

it("accepts an applicant's receipt that was claimed by an account", async () => {
  expect(await check(shown, vector("an applicant's"))).toContain(en.proof.ofHolder);
});

it.each<[string, Partial<StoredReceipt>]>([
  ["another decision", { decisions: [decision(17), decision(18, false)] }],
  ["another term", { decisions: [decision(17), decision(19)] }],
  ["a decision fewer", { decisions: [decision(17)] }],
  ["a decision more", { decisions: [decision(17), decision(18), decision(19)] }],
  ["another time", { recordedAt: "2026-11-21T09:30:00.124Z" }],
])("confirms nothing if the page shows %s", async (_, change) => {
  const text = await check({ ...shown, ...change }, vector("a rider's, claimed"));
  expect(text).toContain(en.proof.notConfirmed);
  expect(text).toContain(en.proof.problems.changed);
});

it("rejects another person's receipt, and a changed one", async () => {
  const rider = vector("a rider's, claimed");
  expect(await check({ ...shown, userId: "rider-fictional-2" }, rider)).toContain(
    en.proof.problems.otherPerson,
  );
  await act(async () => root.render(null));
  const forged = { ...rider, entry: rider.entry.replace("true", "false") };
  expect(await check(shown, forged)).toContain(en.proof.problems.changed);
});

it("does not blame the receipt for an unsupported browser", async () => {
  vi.spyOn(crypto.subtle, "importKey").mockRejectedValue(new DOMException("", "NotSupportedError"));
  const text = await check(shown, vector("a rider's, claimed"));
  expect(text).toContain(en.proof.notChecked);
  expect(text).toContain(en.proof.problems.unsupported);
  expect(text).not.toContain(en.proof.notConfirmed);
});

it("saves the proof unchanged", async () => {
  const rider = vector("a rider's, claimed");
  await check(shown, rider);
  let saved: Blob | undefined;
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    saved = blob as Blob;
    return "blob:proof";
  });
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  await act(async () => button(en.proof.download)?.click());
  expect(JSON.parse((await saved?.text()) ?? "")).toEqual(rider);
  const [link] = click.mock.contexts as HTMLAnchorElement[];
  expect(link?.download).toBe(`musette-receipt-${rider.id}.json`);
});

it("saves the certificate in the language of the app", async () => {
  const applicant = { ...shown, userId: "" };
  await check(applicant, vector("an applicant's"));
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:certificate");
  await act(async () => button(en.proof.certificate)?.click());
  expect(send).toHaveBeenCalledWith("/receipts", {
    method: "POST",
    headers: { "accept-language": "en", "content-type": "application/json" },
    body: JSON.stringify({ receipt: { id: "r" }, format: "pdf" }),
  });
  const [link] = click.mock.contexts as HTMLAnchorElement[];
  expect(link?.download).toBe("musette-receipt-r.pdf");
  expect(document.body.textContent).not.toContain(en.proof.certificateFailed);
});

it("shows an error if the certificate is not available", async () => {
  await check({ ...shown, userId: "" }, vector("an applicant's"));
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  send.mockImplementation(async () => new Response("", { status: 503 }));
  await act(async () => button(en.proof.certificate)?.click());
  expect(click).not.toHaveBeenCalled();
  expect(document.body.textContent).toContain(en.proof.certificateFailed);
});
