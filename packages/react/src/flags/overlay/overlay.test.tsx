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

const inside = () => document.querySelector("musette-flags")?.shadowRoot;
const all = (selector: string) => [...(inside()?.querySelectorAll<HTMLElement>(selector) ?? [])];
const button = (name: string) => all("button").find((it) => it.textContent?.startsWith(name));
const row = (key: string) => all("li").find((it) => it.querySelector(".key")?.textContent === key);

const client = () =>
  scriptedClient({
    "quest-cards": fresh(result(true, { dateCached: new Date().toISOString() })),
    "start-tip": fresh(inTest("receipt")),
    limits: fresh(result({ max: 3 })),
  });

async function show(of: ScriptedClient, props: { show?: boolean; locale?: string } = {}) {
  const mounted = await mount(
    <StrictMode>
      <FlagsProvider client={of}>
        <FlagsOverlay {...props} />
      </FlagsProvider>
    </StrictMode>,
  );
  return mounted;
}

async function shown(of: ScriptedClient, locale = "en") {
  const mounted = await show(of, { show: true, locale });
  await until(() => all("section").length === 1);
  return mounted;
}

async function type(input: HTMLElement | null | undefined, words: string) {
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
  await act(async () => {
    set?.call(input, words);
    input?.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

beforeEach(() => {
  history.replaceState(null, "", "/");
});

describe("the overlay", () => {
  it("is not there unless it is asked for", async () => {
    await show(client());
    await new Promise((done) => setTimeout(done, 50));
    expect(inside()).toBeUndefined();
  });

  it("is asked for by the address", async () => {
    history.replaceState(null, "", "/?musette-flags=1");
    await show(client());
    await until(() => all("section").length === 1);
  });

  it("stays away where the host says so, whatever the address", async () => {
    history.replaceState(null, "", "/?musette-flags=1");
    await show(client(), { show: false });
    await new Promise((done) => setTimeout(done, 50));
    expect(inside()).toBeUndefined();
  });

  it("shows each flag with its value and why it has it", async () => {
    const { leave } = await shown(client());
    const words = row("start-tip")?.textContent;
    for (const part of ['"receipt"', "AB_TEST · experiment:apply-words", "fresh", "country"])
      expect(words).toContain(part);
    expect(row("quest-cards")?.textContent).toContain("now");
    expect(inside()?.textContent).toContain("rider-1");
    expect(inside()?.textContent).toContain("2026-q4compared");
    await leave();
    expect(inside()).toBeUndefined();
  });

  it("finds a flag by a part of its key", async () => {
    await shown(client());
    await type(all("input[type=search]")[0], "QUEST ");
    expect(all("li").map((it) => it.querySelector(".key")?.textContent)).toEqual(["quest-cards"]);
    await type(all("input[type=search]")[0], "nothing like it");
    expect(all("[role=status]")[0]?.textContent).toBe(en.none);
  });

  it("closes at Escape, leaves the focus at its button, and opens again", async () => {
    await shown(client());
    await act(async () => {
      all("input")[0]?.dispatchEvent(
        new KeyboardEvent("keydown", { key: "Escape", bubbles: true }),
      );
    });
    expect(all("section")).toEqual([]);
    expect(inside()?.activeElement?.textContent).toBe(en.open);
    await click(button(en.open));
    expect(all("section")).toHaveLength(1);
  });
});

describe("a value for this device", () => {
  it("is chosen for a switch", async () => {
    const of = client();
    await shown(of);
    const select = row("quest-cards")?.querySelector("select") as HTMLSelectElement;
    const choose = (value: string) =>
      act(async () => {
        select.value = value;
        select.dispatchEvent(new Event("change", { bubbles: true }));
      });
    await choose("false");
    expect(of.overrides.set).toHaveBeenCalledWith("quest-cards", false);
    await choose("");
    expect(of.overrides.clear).toHaveBeenCalledWith("quest-cards");
  });

  it.each([
    ["start-tip", "offline", "offline"],
    ["limits", '{"max":4}', { max: 4 }],
  ])("is typed for %s", async (key, words, value) => {
    const of = client();
    await shown(of);
    await type(row(key)?.querySelector("input"), words);
    await click(row(key)?.querySelector("button[type=submit]"));
    expect(of.overrides.set).toHaveBeenCalledWith(key, value);
  });

  it("is refused when it is no JSON", async () => {
    const of = client();
    await shown(of);
    await type(row("limits")?.querySelector("input"), "{max");
    await click(row("limits")?.querySelector("button[type=submit]"));
    expect(of.overrides.set).not.toHaveBeenCalled();
    expect(row("limits")?.querySelector("[role=alert]")?.textContent).toBe(en.noJson);
    expect(row("limits")?.querySelector("input")?.getAttribute("aria-invalid")).toBe("true");
  });

  it("is marked, and taken back one by one or all at once", async () => {
    const of = client();
    const before = of.snapshot();
    const flags = before.flags.map((flag) => ({ ...flag, overridden: flag.key === "start-tip" }));
    vi.spyOn(of, "snapshot").mockReturnValue({ ...before, flags });
    await shown(of);
    expect(all("[role=status]")[0]?.textContent).toBe("1 changed here");
    const reset = [...(row("start-tip")?.querySelectorAll("button") ?? [])].at(-1);
    await click(reset);
    expect(of.overrides.clear).toHaveBeenLastCalledWith("start-tip");
    await click(button(en.resetAll));
    expect(of.overrides.clear).toHaveBeenLastCalledWith();
  });
});

describe("its words", () => {
  it.each([
    ["de-AT", de],
    ["ar", ar],
    ["tlh", en],
  ])("%s", async (locale, texts) => {
    await shown(client(), locale);
    const section = all("section")[0];
    expect(section?.getAttribute("aria-label")).toBe(texts.title);
    expect(section?.dir).toBe(texts.dir);
  });

  it("tell an age as people do", () => {
    const now = Date.parse("2026-11-21T12:00:00Z");
    const ages = ["11:59:30", "11:40:00", "02:00:00"].map((time) =>
      age(`2026-11-21T${time}Z`, "en", now),
    );
    expect(ages).toEqual(["30 seconds ago", "20 minutes ago", "10 hours ago"]);
    expect(age("2026-11-14T12:00:00Z", "en", now)).toBe("7 days ago");
  });
});
