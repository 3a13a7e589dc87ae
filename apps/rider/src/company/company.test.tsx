// @vitest-environment happy-dom
import { english } from "@musette/react/language";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { App } from "../app";
import { LanguageProvider } from "../language/language";
import { completeTexts } from "../language/page-language";
import { en as firstTexts } from "../texts/generated/en";

const en = completeTexts(firstTexts);

vi.mock("../session/session", () => ({
  useUserId: () => undefined,
  useSuspended: () => false,
  useEnded: () => false,
  session: { subscribe: () => () => {}, getState: () => ({}), getToken: () => undefined },
}));

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const page = document.body.appendChild(document.createElement("div"));
let root: ReturnType<typeof createRoot>;

function setCompany(settings: Readonly<Record<string, string>>): void {
  document.head.innerHTML = Object.entries(settings)
    .map(([name, content]) => `<meta name="musette-company-${name}" content="${content}">`)
    .join("");
}

async function open(path: string, selector: string): Promise<void> {
  window.history.replaceState(null, "", path);
  await act(async () =>
    root.render(
      <LanguageProvider first={{ language: english, texts: en }}>
        <App />
      </LanguageProvider>,
    ),
  );
  await vi.waitFor(async () => {
    await act(() => new Promise((done) => setTimeout(done, 10)));
    expect(page.querySelector(selector)).not.toBeNull();
  }, 5_000);
}

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal("fetch", async (asked: string) => {
    if (asked.includes("/public/terms"))
      return Response.json([
        { id: 1, title: "Agreement", content: "x.pdf", mandatory: true, display_order: 1 },
      ]);
    if (asked.includes("/public/markets")) return Response.json({ markets: [] });
    // Not a demonstration.
    return asked.includes("/demo/")
      ? Response.json({ riders: [] })
      : new Response("", { status: 404 });
  });
  root = createRoot(page);
});
afterEach(async () => {
  // The list loads the viewer when it is idle.
  await vi.dynamicImportSettled();
  await act(async () => root.unmount());
  document.head.innerHTML = "";
  vi.unstubAllGlobals();
});

it("is named on the start page of a real server, where the two ways on come first", async () => {
  setCompany({ name: "Larkspur Couriers", logo: "/company/1234.svg" });
  await open("/", ".doors .door");
  expect(page.querySelector("h1")?.textContent).toBe(en.start.welcome("Larkspur Couriers"));
  expect(page.textContent).not.toContain("Musette");
  expect(page.querySelector(".brand img")?.getAttribute("src")).toBe("/company/1234.svg");
  expect(document.title).toContain("Larkspur Couriers");
  const ways = [...page.querySelectorAll("main a.mu-button")].map((way) =>
    way.getAttribute("href"),
  );
  expect(ways.slice(0, 2)).toEqual(["/apply", "/sign-in"]);
});

it("is named above the terms", async () => {
  setCompany({ name: "Larkspur Couriers", logo: "/company/1234.svg" });
  await open("/apply", "[data-term='1']");
  expect(page.querySelector(".terms-of")?.textContent).toBe("Terms of Larkspur Couriers");
  expect(page.querySelector(".terms-of img")).not.toBeNull();
});

it("is left out without a setting", async () => {
  await open("/", ".doors .door");
  expect(page.querySelector("h1")?.textContent).toBe(en.start.welcomePlain);
  expect(page.querySelector(".brand")?.textContent).toBe("Musette");
});
