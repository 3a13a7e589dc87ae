// @vitest-environment happy-dom
import { english } from "@musette/react/language";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LanguageProvider } from "../language/language";
import { completeTexts } from "../language/page-language";
import { en as firstTexts } from "../texts/generated/en";
import { NewNotice } from "./new-notice";
import type { Notice } from "./notices";
import { NoticesPage } from "./notices-page";

vi.mock("../session/session", () => ({
  useUserId: () => "r1",
  useEnded: () => false,
  useSuspended: () => false,
  session: {
    getState: () => ({ userId: "r1" }),
    getToken: () => undefined,
    subscribe: () => () => {},
    fetch: (...call: Parameters<typeof fetch>) => fetch(...call),
  },
}));

// The viewer calls `onPage` when a page or the text was drawn.
vi.mock("@musette/react/viewer", () => ({
  DocumentViewer: ({ onPage }: { readonly onPage: (id: unknown, page: number) => void }) => (
    <button type="button" id="draw" onClick={() => onPage(2, 1)}>
      draw
    </button>
  ),
}));

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
const texts = completeTexts(firstTexts);

const notice = (id: number, opened_at: string | null): Notice => ({
  id,
  title: `Notice ${id}`,
  content: "https://musette.test/documents/x.pdf",
  mandatory: false,
  display_order: 0,
  type: "FREELANCER",
  kind: "notice",
  version: 1,
  label: null,
  locale: "en",
  sha256: "a".repeat(64),
  effective_from: "2026-11-01T00:00:00.000Z",
  material: true,
  market: null,
  received_at: null,
  opened_at,
  channel: null,
});

let page: HTMLElement;
let root: Root;
let posted: string[];
let items: readonly Notice[];

beforeEach(() => {
  localStorage.clear();
  posted = [];
  items = [notice(3, "2026-11-02T00:00:00.000Z"), notice(2, null), notice(1, null)];
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    if (init?.method === "POST") posted.push(url);
    return Response.json(init?.method === "POST" ? {} : { items });
  });
  page = document.body.appendChild(document.createElement("main"));
  root = createRoot(page);
});

afterEach(async () => {
  await act(async () => root.unmount());
  page.remove();
  vi.unstubAllGlobals();
});

async function draw(children: React.ReactNode): Promise<void> {
  await act(async () =>
    root.render(
      <LanguageProvider first={{ language: english, texts }}>{children}</LanguageProvider>,
    ),
  );
  await pause();
}

const titles = () => [...page.querySelectorAll("h2")].map((heading) => heading.textContent);
const pause = () => act(() => new Promise((done) => setTimeout(done, 20)));
const click = (element: Element | null | undefined) =>
  act(async () => {
    element?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    await new Promise((done) => setTimeout(done, 20));
  });

it("lists unread notices first, and records an opening only when something was drawn", async () => {
  await draw(<NoticesPage />);
  expect(titles()).toEqual(["Notice 2", "Notice 1", "Notice 3"]);
  expect(page.querySelectorAll(".unread")).toHaveLength(2);
  await click(page.querySelector(".notice button"));
  expect(posted).toEqual([]);
  // The viewer and its texts are loaded when it is opened.
  for (let i = 0; i < 200 && !page.querySelector("#draw"); i += 1) await pause();
  await click(page.querySelector("#draw"));
  expect(posted).toEqual(["/api/rooster/v3/riders/r1/notices/2/openings"]);
  // The order stays while the page is shown.
  expect(titles()).toEqual(["Notice 2", "Notice 1", "Notice 3"]);
  expect(page.querySelectorAll(".unread")).toHaveLength(1);
});

it("says that there are no notices", async () => {
  items = [];
  await draw(<NoticesPage />);
  expect(page.textContent).toContain(texts.notices.none);
});

it("names the newest unread notice on the start page, and nothing without one", async () => {
  await draw(<NewNotice notices={[notice(13, null), notice(12, null)]} userId="r1" />);
  expect(page.textContent).toContain(texts.notices.newest("Notice 13"));
  await draw(<NewNotice notices={[notice(11, "2026-11-02T00:00:00.000Z")]} userId="r1" />);
  expect(page.textContent).toBe("");
});
