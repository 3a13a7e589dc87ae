// @vitest-environment happy-dom
import { HttpError } from "@musette/client/http";
import { SessionError } from "@musette/client/session";
import { english } from "@musette/react/language";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LanguageProvider } from "../language/language";
import { completeTexts } from "../language/page-language";
import { en as firstTexts } from "../texts/generated/en";
import { DevicesPage } from "./devices-page";

const en = completeTexts(firstTexts);

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const session = vi.hoisted(() => ({
  userId: "rider-1" as string | undefined,
  ended: false,
  suspended: false,
  fetch: vi.fn<typeof fetch>(),
  logout: vi.fn(async () => {}),
}));
vi.mock("../session/session", () => ({
  useUserId: () => session.userId,
  useEnded: () => session.ended,
  useSuspended: () => session.suspended,
  session: { fetch: session.fetch, logout: session.logout },
}));

const device = (sid: string, day: number, current = false) => ({
  sid,
  device: `Browser ${sid}`,
  created_at: "2026-11-01T09:30:00.000Z",
  last_used_at: `2026-11-${day}T09:30:00.000Z`,
  method: "code" as const,
  authenticated_at: "2026-11-01T09:30:00.000Z",
  current,
});
let signedIn = [device("old", 10), device("new", 20), device("own", 15, true)];
let refusal: number | undefined;

const page = document.body.appendChild(document.createElement("main"));
let root = createRoot(page);
const show = () =>
  act(async () =>
    root.render(
      <LanguageProvider first={{ language: english, texts: en }}>
        <DevicesPage />
      </LanguageProvider>,
    ),
  );
const names = () => [...page.querySelectorAll("h2")].map(({ textContent }) => textContent);
const tap = (words: string, place = 0) =>
  act(async () => {
    const fitting = [...page.querySelectorAll("button")].filter((b) => b.textContent === words);
    fitting[place]?.click();
  });
const ended = () =>
  session.fetch.mock.calls
    .filter(([, init]) => init?.method === "DELETE")
    .map(([url]) => String(url).split("/").at(-1));

beforeEach(() => {
  // The server is not a demonstration.
  vi.stubGlobal("fetch", async () => new Response("", { status: 404 }));
  session.userId = "rider-1";
  session.ended = false;
  session.logout.mockReset();
  signedIn = [device("old", 10), device("new", 20), device("own", 15, true)];
  refusal = undefined;
  session.fetch.mockReset().mockImplementation(async (url, init) => {
    if (init?.method !== "DELETE") return Response.json(signedIn);
    if (refusal) throw new HttpError(new Response("", { status: refusal }));
    signedIn = signedIn.filter(({ sid }) => !String(url).endsWith(`/${sid}`));
    return new Response(null, { status: 204 });
  });
  window.history.replaceState(null, "", "/devices");
});
afterEach(async () => {
  await act(async () => root.unmount());
  root = createRoot(page);
});

it("shows this device first, then the most recently used one", async () => {
  await show();
  expect(names()).toEqual(["Browser own", "Browser new", "Browser old"]);
  expect(page.querySelector("[data-current]")?.textContent).toContain(en.devices.current);
});

it("ends one session with one tap, and keeps the focus on the page", async () => {
  await show();
  await tap(en.devices.end, 1);
  expect(ended()).toEqual(["old"]);
  expect(names()).toEqual(["Browser own", "Browser new"]);
  expect(document.activeElement?.tagName).toBe("H1");
  expect(page.querySelector("[role=status]")?.textContent).toBe(en.devices.ended);
});

it("ends all others, and never this one", async () => {
  await show();
  await tap(en.devices.endOthers);
  expect(ended()).toEqual(["new", "old"]);
  expect(names()).toEqual(["Browser own"]);
  expect(page.textContent).toContain(en.devices.noOthers);
});

it("treats an already ended session as ended", async () => {
  await show();
  refusal = 404;
  await tap(en.devices.end);
  expect(page.querySelector("[role=alert]")).toBeNull();
});

it("shows an error if a session could not be ended, and keeps it in the list", async () => {
  await show();
  refusal = 503;
  await tap(en.devices.end);
  expect(page.querySelector("[role=alert]")?.textContent).toBe(en.failure.server);
  expect(names()).toHaveLength(3);
});

it("can retry if the list could not be loaded", async () => {
  session.fetch.mockRejectedValueOnce(new TypeError("offline"));
  await show();
  expect(page.querySelector("[role=alert]")?.textContent).toBe(en.failure.offline);
  await tap(en.tryAgain);
  expect(names()).toHaveLength(3);
});

it("continues with the session, without calling it ended", async () => {
  session.suspended = true;
  const refused = new HttpError(new Response("", { status: 401 }), undefined, {
    cause: new SessionError("refresh_unavailable"),
  });
  session.fetch.mockRejectedValueOnce(refused);
  await show();
  expect(page.querySelector("[role=alert]")?.textContent).toBe(en.failure.offline);
  session.suspended = false;
  await show();
  expect(names()).toHaveLength(3);
});

it("signs out here through the session, and returns to the start", async () => {
  await show();
  await tap(en.start.leave);
  expect(session.logout).toHaveBeenCalledOnce();
  expect(ended()).toEqual([]);
  expect(window.location.pathname).toBe("/");
});

it("says calmly that the session has ended, with a way back", async () => {
  await show();
  session.userId = undefined;
  session.ended = true;
  await show();
  expect(page.querySelector("h1")?.textContent).toBe(en.ended.title);
  expect(page.querySelector("a")?.getAttribute("href")).toBe("/sign-in?next=%2Fdevices");
});
