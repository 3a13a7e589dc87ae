// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { mount } from "../testing/mount";
import { createLanguage } from "./create-language";

const greetings = createLanguage("Hello", {
  ar: async () => "مرحبا",
  de: () => Promise.reject(new Error("offline")),
  en: async () => "Hello",
});
const { LanguageProvider, LanguageSwitch, firstLanguage, prepareLanguage, useLanguage } = greetings;

afterEach(() => localStorage.clear());

function Greeting() {
  return <p>{useLanguage().texts}</p>;
}

async function showSwitch() {
  const { page } = await mount(
    <LanguageProvider first={await prepareLanguage(firstLanguage())}>
      <Greeting />
      <LanguageSwitch label="Language" className="app-switch" />
    </LanguageProvider>,
  );
  const select = page.querySelector("select");
  async function choose(tag: string) {
    if (!select) throw new Error("the page has no language switch");
    select.value = tag;
    await act(async () => select.dispatchEvent(new Event("change", { bubbles: true })));
  }
  return { page, select, choose };
}

it("lists the offered languages by their native names", async () => {
  const { page, select } = await showSwitch();
  const options = [...page.querySelectorAll("option")];
  expect(options.map(({ lang, textContent }) => [lang, textContent])).toEqual([
    ["en", "English"],
    ["de", "Deutsch"],
    ["ar", "العربية"],
  ]);
  expect(select?.value).toBe("en");
  expect(page.querySelector("label.app-switch")?.textContent).toContain("Language");
});

it("shows the chosen language and stores the choice on this device", async () => {
  const { page, choose } = await showSwitch();
  await choose("ar");
  await vi.waitFor(() => expect(page.querySelector("p")?.textContent).toBe("مرحبا"));
  expect(document.documentElement.dir).toBe("rtl");
  expect(firstLanguage().tag).toBe("ar");
});

it("falls back to English if a language cannot be loaded", async () => {
  const { page, select, choose } = await showSwitch();
  await choose("de");
  await vi.waitFor(() => expect(document.documentElement.lang).toBe("en"));
  expect(page.querySelector("p")?.textContent).toBe("Hello");
  expect(select?.value).toBe("en");
});
