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

const seen: UseSession[] = [];
function Probe() {
  const value = useSession();
  seen.push(value);
  return <p>{`${value.status} ${value.userId ?? "nobody"}`}</p>;
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
  seen.length = 0;
});

describe("useSession", () => {
  it("follows the session, and lets go of it at the end", async () => {
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

  it("gives the session's own fetch and logout, and the same object until something changes", async () => {
    const { root } = await mount();
    await act(async () =>
      root.render(<SessionProvider session={session}>{<Probe />}</SessionProvider>),
    );
    expect(seen.length).toBeGreaterThan(1);
    expect(new Set(seen).size).toBe(1);
    expect(seen[0]?.fetch).toBe(session.fetch);
    await seen[0]?.logout();
    expect(session.logout).toHaveBeenCalledOnce();
    await act(async () => root.unmount());
  });

  it("is drawn signed out on a server", () => {
    expect(renderToString(tree)).toBe("<p>signed-out nobody</p>");
  });

  it("says what is missing without a provider", () => {
    expect(() => renderToString(<Probe />)).toThrow("SessionProvider");
  });
});
