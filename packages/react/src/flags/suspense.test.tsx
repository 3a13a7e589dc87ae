// @vitest-environment happy-dom
import { StrictMode, Suspense } from "react";
import { describe, expect, it } from "vitest";
import { mount, settle } from "../testing/mount";
import { FlagsProvider, useFlag } from "./index";
import { fresh, result, type ScriptedClient, scriptedClient } from "./testing/scripted-client";

function Tip() {
  const { value, status } = useFlag("start-tip", "none");
  return <p>{`${value} ${status}`}</p>;
}

const around = (client: ScriptedClient) => (
  <StrictMode>
    <FlagsProvider client={client} suspense>
      <Suspense fallback="waiting">
        <Tip />
      </Suspense>
    </FlagsProvider>
  </StrictMode>
);

describe("suspense", () => {
  it("waits for the first answer, having asked for it", async () => {
    const client = scriptedClient();
    const { page } = await mount(around(client));
    expect(page.textContent).toBe("waiting");
    expect(client.subscribed).toEqual(["start-tip"]);
    await client.answer({ "start-tip": fresh(result("receipt")) });
    await settle();
    expect(page.textContent).toBe("receipt fresh");
  });

  it("does not wait for what is there", async () => {
    const { page } = await mount(around(scriptedClient({ "start-tip": fresh(result("receipt")) })));
    expect(page.textContent).toBe("receipt fresh");
  });

  it("shows the fallback when the client gives up waiting, and goes on listening", async () => {
    const client = scriptedClient();
    client.ready = async () => {};
    const { page } = await mount(around(client));
    await settle();
    expect(page.textContent).toBe("none loading");
    await client.answer({ "start-tip": fresh(result("receipt")) });
    expect(page.textContent).toBe("receipt fresh");
  });

  it("never blanks what is on the screen, as when the person changes", async () => {
    const client = scriptedClient({ "start-tip": fresh(result("receipt")) });
    const { page } = await mount(around(client));
    await client.forget();
    expect(page.textContent).toBe("none loading");
  });
});
