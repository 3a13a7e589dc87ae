// @vitest-environment happy-dom
import { act, StrictMode } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { click, mount, until } from "../../testing/mount";
import { FlagsOverlay, FlagsProvider } from "../index";
import {
  fresh,
  inTest,
  result,
  type ScriptedClient,
  scriptedClient,
} from "../testing/scripted-client";
import { age } from "./age";
import { texts as ar } from "./texts/generated/ar";
import { texts as de } from "./texts/generated/de";
import { en } from "./texts/generated/en";

const shadowRoot = () => document.querySelector("musette-flags")?.shadowRoot;
const all = (selector: string) => [
  ...(shadowRoot()?.querySelectorAll<HTMLElement>(selector) ?? []),
];
const button = (name: string) =>
  all("button").find((element) => element.textContent?.startsWith(name));
const row = (key: string) =>
  all("li").find((item) => item.querySelector(".key")?.textContent === key);

const client = () =>
  scriptedClient({
    "quest-cards": fresh(result(true, { dateCached: new Date().toISOString() })),
    "start-tip": fresh(inTest("receipt")),
    limits: fresh(result({ max: 3 })),
  });

async function show(flagClient: ScriptedClient, props: { show?: boolean; locale?: string } = {}) {
  const mounted = await mount(
    <StrictMode>
      <FlagsProvider client={flagClient}>
        <FlagsOverlay {...props} />
      </FlagsProvider>
    </StrictMode>,
  );
  return mounted;
}

async function showPanel(flagClient: ScriptedClient, locale = "en") {
  const mounted = await show(flagClient, { show: true, locale });
  await until(() => all("section").length === 1);
  return mounted;
}

async function typeInto(input: HTMLElement | null | undefined, text: string) {
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
  await act(async () => {
    set?.call(input, text);
    input?.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

beforeEach(() => {
  history.replaceState(null, "", "/");
});

describe("the overlay", () => {
  it("is not shown by default", async () => {
    await show(client());
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(shadowRoot()).toBeUndefined();
  });

  it("is shown by a parameter of the address", async () => {
    history.replaceState(null, "", "/?musette-flags=1");
    await show(client());
    await until(() => all("section").length === 1);
  });

  it("is not shown with show={false}, even with the parameter", async () => {
    history.replaceState(null, "", "/?musette-flags=1");
    await show(client(), { show: false });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(shadowRoot()).toBeUndefined();
  });

  it("shows each flag with its value and the reason", async () => {
    const { leave } = await showPanel(client());
    const rowText = row("start-tip")?.textContent;
    for (const part of ['"receipt"', "AB_TEST · experiment:apply-words", "fresh", "country"])
      expect(rowText).toContain(part);
    expect(row("quest-cards")?.textContent).toContain("now");
    expect(shadowRoot()?.textContent).toContain("rider-1");
    expect(shadowRoot()?.textContent).toContain("2026-q4compared");
    await leave();
    expect(shadowRoot()).toBeUndefined();
  });

  it("filters flags by a part of the key", async () => {
    await showPanel(client());
    await typeInto(all("input[type=search]")[0], "QUEST ");
    expect(all("li").map((item) => item.querySelector(".key")?.textContent)).toEqual([
      "quest-cards",
    ]);
    await typeInto(all("input[type=search]")[0], "nothing like it");
    expect(all("[role=status]")[0]?.textContent).toBe(en.none);
  });

  it("closes on Escape, moves the focus to its button, and opens again", async () => {
    await showPanel(client());
    await act(async () => {
      all("input")[0]?.dispatchEvent(
        new KeyboardEvent("keydown", { key: "Escape", bubbles: true }),
      );
    });
    expect(all("section")).toEqual([]);
    expect(shadowRoot()?.activeElement?.textContent).toBe(en.open);
    await click(button(en.open));
    expect(all("section")).toHaveLength(1);
  });
});

describe("an override", () => {
  it("is selected for a boolean flag", async () => {
    const flagClient = client();
    await showPanel(flagClient);
    const select = row("quest-cards")?.querySelector("select") as HTMLSelectElement;
    const choose = (value: string) =>
      act(async () => {
        select.value = value;
        select.dispatchEvent(new Event("change", { bubbles: true }));
      });
    await choose("false");
    expect(flagClient.overrides.set).toHaveBeenCalledWith("quest-cards", false);
    await choose("");
    expect(flagClient.overrides.clear).toHaveBeenCalledWith("quest-cards");
  });

  it.each([
    ["start-tip", "offline", "offline"],
    ["limits", '{"max":4}', { max: 4 }],
  ])("is typed for %s", async (key, text, value) => {
    const flagClient = client();
    await showPanel(flagClient);
    await typeInto(row(key)?.querySelector("input"), text);
    await click(row(key)?.querySelector("button[type=submit]"));
    expect(flagClient.overrides.set).toHaveBeenCalledWith(key, value);
  });

  it("is rejected if it is not JSON", async () => {
    const flagClient = client();
    await showPanel(flagClient);
    await typeInto(row("limits")?.querySelector("input"), "{max");
    await click(row("limits")?.querySelector("button[type=submit]"));
    expect(flagClient.overrides.set).not.toHaveBeenCalled();
    expect(row("limits")?.querySelector("[role=alert]")?.textContent).toBe(en.noJson);
    expect(row("limits")?.querySelector("input")?.getAttribute("aria-invalid")).toBe("true");
  });

  it("is marked, and is removed alone or with all others", async () => {
    const flagClient = client();
    const before = flagClient.snapshot();
    const flags = before.flags.map((flag) => ({ ...flag, overridden: flag.key === "start-tip" }));
    vi.spyOn(flagClient, "snapshot").mockReturnValue({ ...before, flags });
    await showPanel(flagClient);
    expect(all("[role=status]")[0]?.textContent).toBe("1 changed here");
    const reset = [...(row("start-tip")?.querySelectorAll("button") ?? [])].at(-1);
    await click(reset);
    expect(flagClient.overrides.clear).toHaveBeenLastCalledWith("start-tip");
    await click(button(en.resetAll));
    expect(flagClient.overrides.clear).toHaveBeenLastCalledWith();
  });
});

describe("the texts of the overlay", () => {
  it.each([
    ["de-AT", de],
    ["ar", ar],
    ["tlh", en],
  ])("%s", async (locale, texts) => {
    await showPanel(client(), locale);
    const section = all("section")[0];
    expect(section?.getAttribute("aria-label")).toBe(texts.title);
    expect(section?.dir).toBe(texts.dir);
  });

  it("include relative ages", () => {
    const now = Date.parse("2026-11-21T12:00:00Z");
    const ages = ["11:59:30", "11:40:00", "02:00:00"].map((time) =>
      age(`2026-11-21T${time}Z`, "en", now),
    );
    expect(ages).toEqual(["30 seconds ago", "20 minutes ago", "10 hours ago"]);
    expect(age("2026-11-14T12:00:00Z", "en", now)).toBe("7 days ago");
  });
});
