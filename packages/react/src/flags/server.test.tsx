// @vitest-environment happy-dom
import type { FlagBootstrap } from "@musette/client/flags";
import { act, StrictMode, Suspense } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, describe, expect, it, vi } from "vitest";
import { FlagsProvider, useFlag, useHoldouts } from "./index";
import {
  fresh,
  inTest,
  result,
  type ScriptedClient,
  scriptedClient,
} from "./testing/scripted-client";

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const bootstrap: FlagBootstrap = {
  user: { userId: "rider-1" },
  flags: { "start-tip": inTest("receipt") },
};

const rendered: string[] = [];
function Tip() {
  const { value, status } = useFlag("start-tip", "none");
  const holdouts = useHoldouts().map(({ key }) => key);
  rendered.push(value);
  return <p>{`${value} ${status} ${holdouts.join()}`}</p>;
}

/** Returns the page for server and browser. Only the browser has a client. */
function app(client?: ScriptedClient, more: { suspense?: boolean; bare?: boolean } = {}) {
  return (
    <StrictMode>
      <FlagsProvider
        client={client}
        bootstrap={more.bare ? undefined : bootstrap}
        suspense={more.suspense}
      >
        <Suspense fallback="waiting">
          <Tip />
        </Suspense>
      </FlagsProvider>
    </StrictMode>
  );
}

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** Hydrates the HTML of the server. React logs its errors to the console. */
async function hydrate(html: string, client: ScriptedClient, more?: Parameters<typeof app>[1]) {
  const consoleError = vi.spyOn(console, "error");
  const page = document.body.appendChild(document.createElement("div"));
  page.innerHTML = html;
  rendered.length = 0;
  const recoveredErrors: unknown[] = [];
  const root = await act(async () =>
    hydrateRoot(page, app(client, more), {
      onRecoverableError: (error) => recoveredErrors.push(error),
    }),
  );
  cleanups.push(() => {
    act(() => root.unmount());
    page.remove();
  });
  return { page, recoveredErrors, consoleError };
}

describe("a server-rendered page", () => {
  it("renders from the bootstrap without a client", () => {
    expect(renderToString(app())).toContain("receipt cached 2026-q4");
  });

  it("hydrates without ever showing the fallback", async () => {
    const client = scriptedClient({ "start-tip": { result: inTest("receipt"), status: "cached" } });
    const { page, recoveredErrors, consoleError } = await hydrate(renderToString(app()), client);
    expect(page.textContent).toBe("receipt cached 2026-q4");
    expect(new Set(rendered)).toEqual(new Set(["receipt"]));
    expect(recoveredErrors).toEqual([]);
    expect(consoleError).not.toHaveBeenCalled();
    expect(client.reportExposure).toHaveBeenCalledWith("start-tip");
  });

  it("uses a newer value of the client only after hydration", async () => {
    const client = scriptedClient({ "start-tip": fresh(result("offline")) });
    const { page, recoveredErrors } = await hydrate(renderToString(app()), client);
    expect(page.textContent).toBe("offline fresh ");
    expect(rendered[0]).toBe("receipt");
    expect(recoveredErrors).toEqual([]);
  });

  it("does not use the bootstrap after a change of user", async () => {
    const client = scriptedClient({ "start-tip": fresh(inTest("receipt")) });
    const { page } = await hydrate(renderToString(app()), client);
    await client.forget();
    expect(page.textContent).toBe("none loading ");
  });

  it("hydrates without a bootstrap, with and without suspense", async () => {
    for (const suspense of [false, true]) {
      const client = scriptedClient({ "start-tip": fresh(result("receipt")) });
      const more = { suspense, bare: true };
      const html = renderToString(app(undefined, more));
      expect(html).toContain("none loading");
      const { page, recoveredErrors } = await hydrate(html, client, more);
      expect(page.textContent).toBe("receipt fresh ");
      expect(recoveredErrors).toEqual([]);
    }
  });
});
