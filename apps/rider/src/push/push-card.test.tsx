// @vitest-environment happy-dom
import { english } from "@musette/react/language";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LanguageProvider } from "../language/language";
import { completeTexts } from "../language/page-language";
import { en as firstTexts } from "../texts/generated/en";
import { PushCard } from "./push-card";
import { PushSwitch } from "./push-switch";

const fake = vi.hoisted(() => ({
  permission: "default" as NotificationPermission | undefined,
  answer: true,
  error: undefined as Error | undefined,
  on: false,
  turned: [] as string[],
}));
vi.mock("../session/session", () => ({ useSuspended: () => false, session: {} }));
vi.mock("./push-support", () => ({ pushPermission: () => fake.permission }));
vi.mock("./follow-push", async () => {
  const { storeChoice } = await import("./push-choices");
  return {
    isPushOn: () => fake.on,
    refusePush: (userId: string) => storeChoice(userId, "off"),
    turnOnPush: async (userId: string) => {
      fake.turned.push(`on ${userId}`);
      if (fake.error) throw fake.error;
      fake.on = fake.answer;
      if (!fake.answer) fake.permission = "denied";
      storeChoice(userId, fake.answer ? "on" : "off");
      return fake.answer;
    },
    turnOffPush: async (userId: string) => {
      fake.turned.push(`off ${userId}`);
      fake.on = false;
    },
  };
});

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
const texts = completeTexts(firstTexts);
let page: HTMLElement;
let root: Root;

beforeEach(() => {
  localStorage.clear();
  Object.assign(fake, {
    permission: "default",
    answer: true,
    error: undefined,
    on: false,
    turned: [],
  });
  page = document.body.appendChild(document.createElement("main"));
  root = createRoot(page);
});
afterEach(async () => {
  await act(async () => root.unmount());
  page.remove();
});

const draw = (children: React.ReactNode) =>
  act(async () =>
    root.render(
      <LanguageProvider first={{ language: english, texts }}>{children}</LanguageProvider>,
    ),
  );
const press = (label: string) =>
  act(async () => {
    const buttons = [...page.querySelectorAll("button")];
    buttons.find(({ textContent }) => textContent === label)?.click();
  });

it("asks for nothing until the rider presses the button, and says that it is on", async () => {
  await draw(<PushCard userId="r1" />);
  expect(page.querySelector("h2")?.textContent).toBe(texts.push.ask);
  expect(fake.turned).toEqual([]);
  await press(texts.push.turnOn);
  expect(fake.turned).toEqual(["on r1"]);
  expect(page.querySelector("[role=status]")?.textContent).toBe(texts.push.isOn);
});

it("never asks again after a no", async () => {
  await draw(<PushCard userId="r1" />);
  await press(texts.push.refuse);
  expect(page.textContent).toBe("");
  await draw(<PushCard key="again" userId="r1" />);
  expect(page.textContent).toBe("");
  expect(fake.turned).toEqual([]);
});

it("never asks again after a no to the browser", async () => {
  fake.answer = false;
  await draw(<PushCard userId="r1" />);
  await press(texts.push.turnOn);
  expect(page.textContent).toBe("");
});

it("can be tried again after an error", async () => {
  fake.error = new TypeError("offline");
  await draw(<PushCard userId="r1" />);
  await press(texts.push.turnOn);
  expect(page.querySelector("[role=alert]")?.textContent).toBe(texts.failure.offline);
  fake.error = undefined;
  await press(texts.push.turnOn);
  expect(page.querySelector("[role=status]")?.textContent).toBe(texts.push.isOn);
});

it.each([undefined, "denied"] as const)(
  "shows no card if the browser's permission is %s",
  async (permission) => {
    fake.permission = permission;
    await draw(<PushCard userId="r1" />);
    expect(page.innerHTML).toBe("");
  },
);

it("turns on and off with a switch", async () => {
  await draw(<PushSwitch userId="r1" />);
  const toggle = () => page.querySelector<HTMLInputElement>("input[role=switch]");
  expect(toggle()?.checked).toBe(false);
  await act(async () => toggle()?.click());
  expect(toggle()?.checked).toBe(true);
  await act(async () => toggle()?.click());
  expect(toggle()?.checked).toBe(false);
  expect(fake.turned).toEqual(["on r1", "off r1"]);
});

it("says that the browser blocks notifications, in place of the switch", async () => {
  fake.answer = false;
  await draw(<PushSwitch userId="r1" />);
  await act(async () => page.querySelector<HTMLInputElement>("input")?.click());
  expect(page.querySelector("input")).toBeNull();
  expect(page.textContent).toContain(texts.push.blocked);
});

it("shows no switch in a browser without push messages", async () => {
  fake.permission = undefined;
  await draw(<PushSwitch userId="r1" />);
  expect(page.innerHTML).toBe("");
});
