// @vitest-environment happy-dom

import { english } from "@musette/react/language";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LanguageProvider } from "../language/language-context";
import { en } from "../language/texts/en";
import { SetPassword } from "./set-password";
import { SignInForm } from "./sign-in-form";

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const setTokens = vi.hoisted(() => vi.fn());
vi.mock("../session/session", () => ({ session: { setTokens }, signOutUnderWay: () => undefined }));

const page = document.body.appendChild(document.createElement("main"));
const send = vi.fn<typeof fetch>();
const onDone = vi.fn();
let root: Root;

const labels = en.signIn;
const answer = (body: object, status = 200, headers = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: {
      "Content-Type": status < 400 ? "application/json" : "application/problem+json",
      ...headers,
    },
  });
const tokens = { dhhToken: "access", expires_in: 300 };
const bodies = () =>
  send.mock.calls.flatMap(([, init]) => (init?.body ? [JSON.parse(String(init.body))] : []));

async function show(node: React.ReactNode): Promise<void> {
  await act(async () =>
    root.render(
      <LanguageProvider first={{ language: english, texts: en }}>
        <QueryClientProvider client={new QueryClient()}>{node}</QueryClientProvider>
      </LanguageProvider>,
    ),
  );
  await act(() => new Promise((done) => setTimeout(done, 20)));
}

async function open(options: object, errorCode?: string): Promise<void> {
  send.mockResolvedValueOnce(answer(options));
  await show(<SignInForm errorCode={errorCode} onDone={onDone} />);
}

function field(label: string): HTMLInputElement {
  const element = [...page.querySelectorAll("label")].find(
    (candidate) => candidate.textContent === label,
  );
  return document.getElementById(element?.htmlFor ?? "") as HTMLInputElement;
}

async function type(label: string, text: string): Promise<void> {
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value") ?? {};
  await act(async () => {
    set?.call(field(label), text);
    field(label).dispatchEvent(new Event("input", { bubbles: true }));
  });
}

const submit = () =>
  act(async () => {
    page
      .querySelector("form")
      ?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
    await new Promise((done) => setTimeout(done, 5));
  });

beforeEach(() => {
  root = createRoot(page);
  vi.stubGlobal("fetch", send);
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.clearAllMocks();
});

describe("signing in", () => {
  const both = { password: true, oidc: null, needs_first_admin: false };

  async function tryPassword(reply: Response): Promise<void> {
    await open(both);
    await type(labels.email, " ada@larkspur.example ");
    await type(labels.password, "correct horse battery");
    send.mockResolvedValueOnce(reply);
    await submit();
  }

  it("sends e-mail and password", async () => {
    await tryPassword(answer(tokens));
    expect(bodies()).toEqual([
      { email: "ada@larkspur.example", password: "correct horse battery" },
    ]);
    expect(setTokens).toHaveBeenCalledWith(tokens);
    expect(onDone).toHaveBeenCalledOnce();
  });

  it("asks for the second factor if there is one, and again after a wrong code", async () => {
    await tryPassword(answer({ code: "otp_required" }, 401));
    expect(page.textContent).toContain(labels.otpHint);
    expect(page.querySelector('[role="alert"]')).toBeNull();
    await type(labels.otp, "123 456");
    send.mockResolvedValueOnce(answer({ code: "otp_invalid" }, 401));
    await submit();
    expect(page.textContent).toContain(labels.errors.otp_invalid);
    expect(field(labels.otp).value).toBe("");
    await type(labels.otp, "654321");
    send.mockResolvedValueOnce(answer(tokens));
    await submit();
    expect(bodies().map(({ otp }) => otp)).toEqual([undefined, "123456", "654321"]);
    expect(onDone).toHaveBeenCalledOnce();
  });

  it.each([
    [answer({ code: "credentials_invalid" }, 401), labels.errors.credentials_invalid],
    [answer({ code: "rate_limited" }, 429, { "Retry-After": "75" }), labels.throttledFor("1:15")],
    [answer({ code: "unavailable" }, 503), en.failure.server],
  ])("shows the error %#", async (reply, said) => {
    await tryPassword(reply);
    expect(page.querySelector('[role="alert"]')?.textContent).toBe(said);
    expect(field(labels.email).value).toContain("ada@larkspur.example");
    expect(onDone).not.toHaveBeenCalled();
  });

  it("links to the company's provider only, if passwords are off", async () => {
    await open({ password: false, oidc: { name: "Larkspur ID" } }, "oidc_denied");
    const link = page.querySelector("a");
    expect(link?.textContent).toBe(labels.company("Larkspur ID"));
    expect(link?.getAttribute("href")).toBe("/api/session/v1/console/oidc/start");
    expect(page.querySelector("form")).toBeNull();
    expect(page.textContent).toContain(labels.errors.oidc_denied);
  });

  const offer = { setup: "s.1", secret: "ABCDEFGH", qr: { size: 21, path: "M0 0h1v1h-1z" } };

  it("opens the setup of an authenticator if the password alone is no longer enough", async () => {
    await open(both);
    await type(labels.email, "ada@larkspur.example");
    await type(labels.password, "correct horse battery");
    send.mockResolvedValueOnce(answer({ code: "second_factor_required" }, 403));
    send.mockResolvedValueOnce(answer(offer));
    await submit();
    expect(page.textContent).toContain(labels.setUpRequired);
    expect(page.textContent).toContain("ABCD EFGH");
    expect(page.querySelector("svg")?.getAttribute("aria-label")).toBe(labels.setUpQr);
    await type(labels.otp, "123 456");
    send.mockResolvedValueOnce(answer({ code: "otp_invalid" }, 401));
    await submit();
    expect(page.textContent).toContain(labels.errors.otp_invalid);
    expect(field(labels.otp).value).toBe("");
    await type(labels.otp, "654321");
    send.mockResolvedValueOnce(answer(tokens));
    await submit();
    expect(bodies().at(-1)).toEqual({
      email: "ada@larkspur.example",
      password: "correct horse battery",
      setup: "s.1",
      otp: "654321",
    });
    expect(onDone).toHaveBeenCalledOnce();
  });

  it("asks for the password again to set one up, and reports an existing one", async () => {
    send.mockResolvedValueOnce(answer({ password: true, oidc: { name: "Larkspur ID" } }));
    await show(<SignInForm errorCode={undefined} setsUp onDone={onDone} />);
    expect(page.textContent).toContain(labels.setUpIntro);
    expect(page.querySelector("a")).toBeNull();
    await type(labels.email, "ada@larkspur.example");
    await type(labels.password, "correct horse battery");
    send.mockResolvedValueOnce(answer({ code: "authenticator_exists" }, 409));
    await submit();
    expect(page.querySelector('[role="alert"]')?.textContent).toBe(
      labels.errors.authenticator_exists,
    );
    send.mockResolvedValueOnce(answer(offer));
    await submit();
    expect(page.textContent).toContain("ABCD EFGH");
    expect(setTokens).not.toHaveBeenCalled();
  });

  it("shows a general error for an unknown code in the address", async () => {
    await open(both, "<b>");
    expect(page.querySelector('[role="alert"]')?.textContent).toBe(en.failure.refused);
  });
});

describe("a one-time link", () => {
  const set = async (first: string, second: string) => {
    await show(<SetPassword token="of-the-link" onDone={onDone} />);
    await type(labels.setPassword, first);
    await type(labels.repeat, second);
    await submit();
  };

  it.each([
    ["  too short   ", "  too short   ", labels.errors.password_too_short],
    ["long enough here", "long enough there", labels.unequal],
  ])("rejects %j and %j without a request", async (first, second, said) => {
    await set(first, second);
    expect(page.querySelector('[role="alert"]')?.textContent).toBe(said);
    expect(send).not.toHaveBeenCalled();
  });

  it("sets the password and signs in", async () => {
    send.mockResolvedValueOnce(answer(tokens));
    await set("correct horse battery", "correct horse battery");
    expect(bodies()).toEqual([{ token: "of-the-link", password: "correct horse battery" }]);
    expect(onDone).toHaveBeenCalledOnce();
  });

  it("asks for the authenticator's code if the account has one", async () => {
    send.mockResolvedValueOnce(answer({ code: "otp_required" }, 401));
    await set("correct horse battery", "correct horse battery");
    expect(page.querySelector('[role="alert"]')).toBeNull();
    expect(onDone).not.toHaveBeenCalled();
    await type(labels.otp, "123 456");
    send.mockResolvedValueOnce(answer(tokens));
    await submit();
    const body = { token: "of-the-link", password: "correct horse battery" };
    expect(bodies()).toEqual([body, { ...body, otp: "123456" }]);
    expect(onDone).toHaveBeenCalledOnce();
  });

  it("says if it was used before", async () => {
    send.mockResolvedValueOnce(answer({ code: "link_invalid" }, 401));
    await set("correct horse battery", "correct horse battery");
    expect(page.textContent).toContain(labels.errors.link_invalid);
  });
});
