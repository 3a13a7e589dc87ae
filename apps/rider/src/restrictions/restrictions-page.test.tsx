// @vitest-environment happy-dom
import { english } from "@musette/react/language";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LanguageProvider } from "../language/language";
import { completeTexts } from "../language/page-language";
import { en as firstTexts } from "../texts/generated/en";
import { CurrentRestrictions } from "./current-restrictions";
import type { Restriction } from "./restriction";
import { RestrictionsPage } from "./restrictions-page";
import { restriction } from "./testing/restrictions";

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

let items: readonly Restriction[];
let posted: unknown[];
const page = document.body.appendChild(document.createElement("main"));
let root = createRoot(page);
const show = (content: React.ReactNode) =>
  act(async () => {
    root.render(
      <LanguageProvider first={{ language: english, texts: en }}>{content}</LanguageProvider>,
    );
  });
const press = (label: string) =>
  act(async () => {
    [...page.querySelectorAll("button")].find((one) => one.textContent === label)?.click();
  });

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-27T12:00:00.000Z"), toFake: ["Date"] });
  localStorage.clear();
  items = [restriction()];
  posted = [];
  fake.fetch.mockImplementation(async (_, init) => {
    if (init?.method === undefined) return Response.json({ items, next: null });
    posted.push(JSON.parse(String(init.body)));
    return Response.json(restriction(), { status: 201 });
  });
});

afterEach(async () => {
  await act(async () => root.unmount());
  root = createRoot(page);
  vi.useRealTimers();
});

it("shows what is limited, since when, until when, why, and the contact", async () => {
  await show(<CurrentRestrictions userId="rider-1" />);
  const text = page.textContent ?? "";
  expect(page.querySelector("h2")?.textContent).toBe(en.restriction.kinds.suspension);
  for (const part of ["November 26", "December 1", "Two orders were not delivered."])
    expect(text).toContain(part);
  expect(page.querySelector("a")?.getAttribute("href")).toContain("mailto:riders");
});

it("shows ended restrictions on their page only", async () => {
  items = [restriction({ status: "LIFTED", ended_at: "2026-11-27T10:00:00.000Z" })];
  await show(<CurrentRestrictions userId="rider-1" />);
  expect(page.querySelector(".restriction")).toBeNull();
  await show(<RestrictionsPage />);
  expect(page.querySelector("h2")?.textContent).toBe(en.restriction.ended.suspension);
});

it("asks for a review, and keeps the text over a reload", async () => {
  await show(<RestrictionsPage />);
  await press(en.restriction.askReview);
  const field = page.querySelector("textarea") as HTMLTextAreaElement;
  await act(async () => {
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value") ?? {};
    set?.call(field, "I delivered both orders.");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await act(async () => root.unmount());
  root = createRoot(page);
  await show(<RestrictionsPage />);
  expect(page.querySelector("textarea")?.value).toBe("I delivered both orders.");
  await press(en.restriction.sendReview);
  expect(posted).toEqual([{ message: "I delivered both orders." }]);
});
