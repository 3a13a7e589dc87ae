// @vitest-environment happy-dom
import type { Session, SessionState } from "@musette/client/session";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { SessionProvider, type UseSession, useSession } from "./index";

let state: SessionState;
const listeners = new Set<() => void>();
const session: Session = {
  fetch: vi.fn(),
  attach: vi.fn(),
  getToken: vi.fn(),
  setTokens: vi.fn(),
  clear: vi.fn(),
  logout: vi.fn(async () => {}),
  close: vi.fn(),
  getState: () => state,
  subscribe(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

const values: UseSession[] = [];
function Probe() {
  const value = useSession();
  values.push(value);
  return <p>{`${value.status} ${value.userId ?? "no user"}`}</p>;
}
const tree = (
  <SessionProvider session={session}>
    <Probe />
  </SessionProvider>
);

async function mount() {
  const host = document.createElement("div");
  const root = createRoot(host);
  await act(async () => root.render(tree));
  return { host, root };
}

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  state = { status: "signed-in", userId: "r1" };
  values.length = 0;
});

describe("useSession", () => {
  it("follows the session and unsubscribes on unmount", async () => {
    const { host, root } = await mount();
    expect(host.textContent).toBe("signed-in r1");
    await act(async () => {
      state = { status: "suspended", userId: "r1" };
      for (const listener of listeners) listener();
    });
    expect(host.textContent).toBe("suspended r1");
    await act(async () => root.unmount());
    expect(listeners.size).toBe(0);
  });

  it("returns fetch and logout of the session, and the same object until the state changes", async () => {
    const { root } = await mount();
    await act(async () =>
      root.render(<SessionProvider session={session}>{<Probe />}</SessionProvider>),
    );
    expect(values.length).toBeGreaterThan(1);
    expect(new Set(values).size).toBe(1);
    expect(values[0]?.fetch).toBe(session.fetch);
    await values[0]?.logout();
    expect(session.logout).toHaveBeenCalledOnce();
    await act(async () => root.unmount());
  });

  it("renders signed out on a server", () => {
    expect(renderToString(tree)).toBe("<p>signed-out no user</p>");
  });

  it("throws without a provider", () => {
    expect(() => renderToString(<Probe />)).toThrow("SessionProvider");
  });
});
