// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { type Deeds, dispatcher } from "./dispatch";

const deeds = {
  goTo: vi.fn<Deeds["goTo"]>((letter) => letter === "f"),
  search: vi.fn<Deeds["search"]>(),
  showMap: vi.fn<Deeds["showMap"]>(),
  kill: vi.fn<() => void>(),
  areOn: true,
};
let press: (event: KeyboardEvent) => void;

beforeEach(() => {
  vi.clearAllMocks();
  deeds.areOn = true;
  document.body.innerHTML = '<input id="in"><div id="free"></div>';
  press = dispatcher({
    ...deeds,
    shortcuts: () => [{ key: "k", words: "Switch off", run: deeds.kill }],
    areSingleKeysOn: () => deeds.areOn,
  });
});

function type(key: string, init: KeyboardEventInit & { at?: number; on?: string } = {}): void {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init });
  if (init.at !== undefined) Object.defineProperty(event, "timeStamp", { value: init.at });
  const target = document.getElementById(init.on ?? "free");
  target?.addEventListener("keydown", press, { once: true });
  target?.dispatchEvent(event);
}

it("goes to a page by g and its letter", () => {
  type("g");
  type("f");
  expect(deeds.goTo).toHaveBeenCalledExactlyOnceWith("f");
});

it("forgets g when nothing follows it, or another letter does", () => {
  type("g", { at: 1_000 });
  type("f", { at: 2_600 });
  type("g");
  type("x");
  type("f");
  expect(deeds.goTo.mock.calls).toEqual([["x"]]);
});

it("leaves alone what is typed, and what the browser means", () => {
  type("?", { on: "in" });
  type("/", { on: "in" });
  type("k", { ctrlKey: true });
  document.body.insertAdjacentHTML("beforeend", "<dialog open></dialog>");
  type("?");
  expect(deeds.showMap).not.toHaveBeenCalled();
  expect(deeds.search).not.toHaveBeenCalled();
  expect(deeds.kill).not.toHaveBeenCalled();
});

it("knows its keys on an Arabic keyboard too", () => {
  type("ل", { code: "KeyG" });
  type("ب", { code: "KeyF" });
  type("؟");
  expect(deeds.goTo).toHaveBeenCalledExactlyOnceWith("f");
  expect(deeds.showMap).toHaveBeenCalledOnce();
});

it("does what the page has a key for, once while it is held", () => {
  type("k");
  type("k", { repeat: true });
  expect(deeds.kill).toHaveBeenCalledOnce();
});

it("does nothing where single keys are switched off", () => {
  deeds.areOn = false;
  for (const key of ["?", "/", "g", "f", "k"]) type(key);
  expect(deeds.showMap).not.toHaveBeenCalled();
  expect(deeds.search).not.toHaveBeenCalled();
  expect(deeds.goTo).not.toHaveBeenCalled();
  expect(deeds.kill).not.toHaveBeenCalled();
});
