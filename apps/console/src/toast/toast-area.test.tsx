// @vitest-environment happy-dom

import { english } from "@musette/react/language";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { pageShortcuts } from "../keyboard/use-shortcut";
import { LanguageProvider } from "../language/language-context";
import { en } from "../language/texts/en";
import { ToastArea } from "./toast-area";
import { toasts } from "./toasts";

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const keys = () => pageShortcuts().filter(({ key }) => key === "z");

it("has one key that undoes the latest undoable action, then the one before", async () => {
  const page = document.body.appendChild(document.createElement("main"));
  const [first, second] = [vi.fn(), vi.fn()];
  await act(async () =>
    createRoot(page).render(
      <LanguageProvider first={{ language: english, texts: en }}>
        <ToastArea />
      </LanguageProvider>,
    ),
  );
  expect(keys()).toEqual([]);
  await act(async () => {
    toasts.say("First.", first);
    toasts.say("Second.", second);
    toasts.say("Copied.");
  });
  expect(keys()).toHaveLength(1);
  await act(async () => keys()[0]?.run());
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1]);
  expect(page.textContent).not.toContain("Second.");
  await act(async () => keys()[0]?.run());
  expect(first).toHaveBeenCalledOnce();
  expect(keys()).toEqual([]);
});
