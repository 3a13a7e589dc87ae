// @vitest-environment happy-dom
import type { Logout, Session, SessionOptions } from "@musette/client/session";
import { english } from "@musette/react/language";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { LanguageProvider } from "../language/language";
import { completeTexts } from "../language/page-language";
import { OfflineNote } from "../offline/offline-note";
import { en as firstTexts } from "../texts/generated/en";
import { useEnded } from "./session";

const en = completeTexts(firstTexts);

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const fake = vi.hoisted(() => ({
  options: undefined as SessionOptions | undefined,
  state: { status: "signed-in", userId: "rider-1" } as ReturnType<Session["getState"]>,
  listeners: new Set<() => void>(),
}));
vi.mock("@musette/client/session", () => ({
  createSession(options: SessionOptions) {
    fake.options = options;
    return {
      getState: () => fake.state,
      subscribe(listener: () => void) {
        fake.listeners.add(listener);
        return () => fake.listeners.delete(listener);
      },
    };
  },
}));

const page = document.body.appendChild(document.createElement("main"));
const root = createRoot(page);

function Probe() {
  return <output>{useEnded() ? "ended" : "going on"}</output>;
}
const outcome = () => page.querySelector("output")?.textContent;
const note = () => page.querySelector("[role=status]")?.textContent;
const become = (state: ReturnType<Session["getState"]>) =>
  act(async () => {
    fake.state = state;
    for (const listener of fake.listeners) listener();
  });
const logout = (told: Logout) => act(async () => fake.options?.onLogout(told));

it("ends if the server says so, is only suspended without an answer, and can begin again", async () => {
  await act(async () =>
    root.render(
      <LanguageProvider first={{ language: english, texts: en }}>
        <OfflineNote />
        <Probe />
      </LanguageProvider>,
    ),
  );
  expect(fake.options?.on403).toBe("reject");
  expect(note()).toBe("");

  await become({ status: "suspended", userId: "rider-1" });
  await logout({ reason: "refresh_unavailable", final: false });
  expect(note()).toBe(en.ended.suspended);
  expect(outcome()).toBe("going on");

  await become({ status: "signed-out", userId: undefined });
  expect(outcome()).toBe("going on");
  await logout({ reason: "refresh_rejected", final: true });
  expect(outcome()).toBe("ended");
  expect(note()).toBe("");

  await become({ status: "signed-in", userId: "rider-1" });
  expect(outcome()).toBe("going on");
});
