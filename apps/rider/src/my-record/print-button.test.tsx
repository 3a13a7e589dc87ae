// @vitest-environment happy-dom
import { english } from "@musette/react/language";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LanguageProvider } from "../language/language";
import { completeTexts } from "../language/page-language";
import { restriction } from "../restrictions/testing/restrictions";
import { en as firstTexts } from "../texts/generated/en";
import { evaluation } from "../work-record/testing/evaluations";
import { PrintButton } from "./print-button";

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const texts = completeTexts(firstTexts);
const fake = vi.hoisted(() => ({ fetch: vi.fn<typeof fetch>() }));
vi.mock("../session/session", () => ({
  useUserId: () => "rider-1",
  useSuspended: () => false,
  session: {
    fetch: fake.fetch,
    getState: () => ({ userId: "rider-1" }),
    getToken: () => undefined,
  },
}));

let page: HTMLElement;
let root: Root;
let printed: string[];

beforeEach(async () => {
  printed = [];
  vi.stubGlobal("print", () => {
    printed.push(page.querySelector(".print-record")?.textContent ?? "");
  });
  page = document.body.appendChild(document.createElement("main"));
  root = createRoot(page);
  await act(async () =>
    root.render(
      <LanguageProvider first={{ language: english, texts }}>
        <PrintButton userId="rider-1" />
      </LanguageProvider>,
    ),
  );
});
afterEach(async () => {
  await act(async () => root.unmount());
  page.remove();
});

const press = () =>
  act(async () => {
    page.querySelector("button")?.click();
    await new Promise((done) => setTimeout(done, 20));
  });

const contested = evaluation({
  id: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
  status: "IN_DISCUSSION",
  discussion: {
    round: 1,
    opened_by: "rider",
    opened_at: "2026-11-21T10:00:00.000Z",
    closed_at: null,
    contested: "EVALUATED",
    figures: { late_by_seconds: 60 },
    messages: [
      { id: "m1", from: "rider", message: "The gate was closed.", at: "2026-11-21T10:00:00.000Z" },
    ],
  },
});

it("prints every page of the record, with reasons, decider, discussion and restrictions", async () => {
  fake.fetch.mockImplementation(async (url) => {
    if (String(url).includes("/restrictions"))
      return Response.json({ items: [restriction()], next: null });
    if (String(url).includes("/me")) return Response.json({ user_id: "rider-1", name: "Ottilie" });
    return String(url).includes("after=cursor")
      ? Response.json({ items: [contested], next: null })
      : Response.json({ items: [evaluation()], next: "cursor" });
  });
  await press();
  expect(printed).toHaveLength(1);
  const [text = ""] = printed;
  for (const part of [
    "rider-1",
    "Started late",
    texts.work.by.program("order-dispatch", "7.2"),
    texts.work.status.EVALUATED,
    texts.work.status.IN_DISCUSSION,
    "The gate was closed.",
    texts.restriction.contact,
    texts.work.receiptsText,
  ]) {
    expect(text).toContain(part);
  }
  expect(page.querySelectorAll(".print-record button")).toHaveLength(0);
  await act(async () => void dispatchEvent(new Event("afterprint")));
  expect(page.querySelector(".print-record")).toBeNull();
  await press();
  expect(printed).toHaveLength(2);
});

it("prints nothing if a part of the record is missing", async () => {
  fake.fetch.mockImplementation(async (url) => {
    if (String(url).includes("after=cursor")) throw new TypeError("offline");
    return Response.json({ items: [evaluation()], next: "cursor" });
  });
  await press();
  expect(printed).toEqual([]);
  expect(page.querySelector("[role=alert]")?.textContent).toBe(texts.failure.offline);
});
