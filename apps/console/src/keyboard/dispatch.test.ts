// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { type Actions, dispatcher } from "./dispatch";

const actions = {
  goTo: vi.fn<Actions["goTo"]>((letter) => letter === "f"),
  search: vi.fn<Actions["search"]>(),
  showMap: vi.fn<Actions["showMap"]>(),
  kill: vi.fn<() => void>(),
  areOn: true,
};
let press: (event: KeyboardEvent) => void;

beforeEach(() => {
  vi.clearAllMocks();
  actions.areOn = true;
  document.body.innerHTML = '<input id="in"><div id="free"></div>';
  press = dispatcher({
    ...actions,
    shortcuts: () => [{ key: "k", label: "Switch off", run: actions.kill }],
    areSingleKeysOn: () => actions.areOn,
  });
});

function type(key: string, init: KeyboardEventInit & { at?: number; on?: string } = {}): void {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init });
  if (init.at !== undefined) Object.defineProperty(event, "timeStamp", { value: init.at });
  const target = document.getElementById(init.on ?? "free");
  target?.addEventListener("keydown", press, { once: true });
  target?.dispatchEvent(event);
}

it("opens a page with g and its letter", () => {
  type("g");
  type("f");
  expect(actions.goTo).toHaveBeenCalledExactlyOnceWith("f");
});

it("forgets g after a pause, or after an unknown letter", () => {
  type("g", { at: 1_000 });
  type("f", { at: 2_600 });
  type("g");
  type("x");
  type("f");
  expect(actions.goTo.mock.calls).toEqual([["x"]]);
});

it("ignores typing and the browser's own shortcuts", () => {
  type("?", { on: "in" });
  type("/", { on: "in" });
  type("k", { ctrlKey: true });
  document.body.insertAdjacentHTML("beforeend", "<dialog open></dialog>");
  type("?");
  expect(actions.showMap).not.toHaveBeenCalled();
  expect(actions.search).not.toHaveBeenCalled();
  expect(actions.kill).not.toHaveBeenCalled();
});

it("recognises its keys on an Arabic keyboard", () => {
  type("ل", { code: "KeyG" });
  type("ب", { code: "KeyF" });
  type("؟");
  expect(actions.goTo).toHaveBeenCalledExactlyOnceWith("f");
  expect(actions.showMap).toHaveBeenCalledOnce();
});

it("runs a page's shortcut once while its key is held", () => {
  type("k");
  type("k", { repeat: true });
  expect(actions.kill).toHaveBeenCalledOnce();
});

it("does nothing if single keys are switched off", () => {
  actions.areOn = false;
  for (const key of ["?", "/", "g", "f", "k"]) type(key);
  expect(actions.showMap).not.toHaveBeenCalled();
  expect(actions.search).not.toHaveBeenCalled();
  expect(actions.goTo).not.toHaveBeenCalled();
  expect(actions.kill).not.toHaveBeenCalled();
});
