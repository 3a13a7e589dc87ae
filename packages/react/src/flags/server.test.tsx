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

const drawn: string[] = [];
function Tip() {
  const { value, status } = useFlag("start-tip", "none");
  const holdouts = useHoldouts().map(({ key }) => key);
  drawn.push(value);
  return <p>{`${value} ${status} ${holdouts.join()}`}</p>;
}

/** The page as the server and the browser both have it; only the browser has a client. */
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

const leaving: (() => void)[] = [];
afterEach(() => {
  for (const leave of leaving.splice(0)) leave();
});

/** Lets React take over what the server drew. What it complains about, it says on the console. */
async function hydrate(html: string, client: ScriptedClient, more?: Parameters<typeof app>[1]) {
  const complaints = vi.spyOn(console, "error");
  const page = document.body.appendChild(document.createElement("div"));
  page.innerHTML = html;
  drawn.length = 0;
  const recovered: unknown[] = [];
  const root = await act(async () =>
    hydrateRoot(page, app(client, more), { onRecoverableError: (error) => recovered.push(error) }),
  );
  leaving.push(() => {
    act(() => root.unmount());
    page.remove();
  });
  return { page, recovered, complaints };
}

describe("a page that was drawn on a server", () => {
  it("is drawn from the bootstrap, without a client", () => {
    expect(renderToString(app())).toContain("receipt cached 2026-q4");
  });

  it("comes alive without ever showing the fallback", async () => {
    const client = scriptedClient({ "start-tip": { result: inTest("receipt"), status: "cached" } });
    const { page, recovered, complaints } = await hydrate(renderToString(app()), client);
    expect(page.textContent).toBe("receipt cached 2026-q4");
    expect(new Set(drawn)).toEqual(new Set(["receipt"]));
    expect(recovered).toEqual([]);
    expect(complaints).not.toHaveBeenCalled();
    expect(client.reportExposure).toHaveBeenCalledWith("start-tip");
  });

  it("takes a newer answer of the client only after it has come alive", async () => {
    const client = scriptedClient({ "start-tip": fresh(result("offline")) });
    const { page, recovered } = await hydrate(renderToString(app()), client);
    expect(page.textContent).toBe("offline fresh ");
    expect(drawn[0]).toBe("receipt");
    expect(recovered).toEqual([]);
  });

  it("does not hold on to the bootstrap once the client has another person", async () => {
    const client = scriptedClient({ "start-tip": fresh(inTest("receipt")) });
    const { page } = await hydrate(renderToString(app()), client);
    await client.forget();
    expect(page.textContent).toBe("none loading ");
  });

  it("comes alive without a bootstrap too, waiting or not", async () => {
    for (const suspense of [false, true]) {
      const client = scriptedClient({ "start-tip": fresh(result("receipt")) });
      const more = { suspense, bare: true };
      const html = renderToString(app(undefined, more));
      expect(html).toContain("none loading");
      const { page, recovered } = await hydrate(html, client, more);
      expect(page.textContent).toBe("receipt fresh ");
      expect(recovered).toEqual([]);
    }
  });
});
