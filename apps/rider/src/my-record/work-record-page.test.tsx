// @vitest-environment happy-dom
import { english } from "@musette/react/language";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fakeIndexedDb } from "../../../../packages/client/src/terms/testing/indexed-db";
import { LanguageProvider } from "../language/language";
import { completeTexts } from "../language/page-language";
import { en as firstTexts } from "../texts/generated/en";
import { evaluation } from "../work-record/testing/evaluations";
import { WorkRecordLink } from "../work-record/work-record-link";
import { WorkRecordPage } from "./work-record-page";

const en = completeTexts(firstTexts);

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const fake = vi.hoisted(() => ({ fetch: vi.fn<typeof fetch>() }));
vi.mock("../session/session", () => ({
  useUserId: () => "rider-1",
  useEnded: () => false,
  useSuspended: () => false,
  session: {
    fetch: fake.fetch,
    getState: () => ({ userId: "rider-1" }),
    getToken: () => `h.${btoa(JSON.stringify({ sid: "s1" }))}.s`,
  },
}));

const ID = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
const page = document.body.appendChild(document.createElement("main"));
let root = createRoot(page);
const show = (content: React.ReactNode) =>
  act(async () => {
    root.render(
      <LanguageProvider first={{ language: english, texts: en }}>{content}</LanguageProvider>,
    );
  });

beforeEach(() => {
  vi.stubGlobal("indexedDB", fakeIndexedDb().indexedDB);
  localStorage.clear();
});

afterEach(async () => {
  await act(async () => root.unmount());
  root = createRoot(page);
});

it("lists the records with their status, and more on request", async () => {
  fake.fetch.mockImplementation(async (url) =>
    String(url).includes("after=cursor")
      ? Response.json({ items: [evaluation({ id: ID, status: "NO_SHOW" })], next: null })
      : Response.json({ items: [evaluation()], next: "cursor" }),
  );
  await show(<WorkRecordPage />);
  const badges = () => [...page.querySelectorAll("[data-status]")].map((one) => one.textContent);
  expect(badges()).toEqual([en.work.status.EVALUATED]);
  const more = [...page.querySelectorAll("button")].find((one) => one.textContent === en.work.more);
  await act(async () => more?.click());
  expect(badges()).toEqual([en.work.status.EVALUATED, en.work.status.NO_SHOW]);
  expect(page.querySelector("h2 a")?.getAttribute("href")).toBe(`/evaluation#${evaluation().id}`);
});

it("shows the last answer when there is no network", async () => {
  fake.fetch.mockResolvedValueOnce(Response.json({ items: [evaluation()], next: null }));
  await show(<WorkRecordPage />);
  await act(async () => root.unmount());
  root = createRoot(page);
  fake.fetch.mockRejectedValue(new TypeError("Failed to fetch"));
  await show(<WorkRecordPage />);
  expect(page.querySelectorAll("[data-status]")).toHaveLength(1);
  expect(page.querySelector(".as-of")).not.toBeNull();
});

it("is linked only if the company has recorded work", async () => {
  fake.fetch.mockResolvedValueOnce(Response.json({ items: [], next: null }));
  await show(<WorkRecordLink userId="rider-1" />);
  expect(page.querySelector("a")).toBeNull();
  fake.fetch.mockResolvedValueOnce(Response.json({ items: [evaluation()], next: null }));
  await act(async () => root.unmount());
  root = createRoot(page);
  await show(<WorkRecordLink userId="rider-1" />);
  expect(page.querySelector("a")?.getAttribute("href")).toBe("/work-record");
});
