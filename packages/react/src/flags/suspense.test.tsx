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

const withProvider = (client: ScriptedClient) => (
  <StrictMode>
    <FlagsProvider client={client} suspense>
      <Suspense fallback="waiting">
        <Tip />
      </Suspense>
    </FlagsProvider>
  </StrictMode>
);

describe("suspense", () => {
  it("subscribes and waits for the first value", async () => {
    const client = scriptedClient();
    const { page } = await mount(withProvider(client));
    expect(page.textContent).toBe("waiting");
    expect(client.subscribed).toEqual(["start-tip"]);
    await client.answer({ "start-tip": fresh(result("receipt")) });
    await settle();
    expect(page.textContent).toBe("receipt fresh");
  });

  it("does not wait if there is a value", async () => {
    const { page } = await mount(
      withProvider(scriptedClient({ "start-tip": fresh(result("receipt")) })),
    );
    expect(page.textContent).toBe("receipt fresh");
  });

  it("shows the fallback if no value arrives in time, and later values", async () => {
    const client = scriptedClient();
    client.ready = async () => {};
    const { page } = await mount(withProvider(client));
    await settle();
    expect(page.textContent).toBe("none loading");
    await client.answer({ "start-tip": fresh(result("receipt")) });
    expect(page.textContent).toBe("receipt fresh");
  });

  it("does not suspend again after a change of user", async () => {
    const client = scriptedClient({ "start-tip": fresh(result("receipt")) });
    const { page } = await mount(withProvider(client));
    await client.forget();
    expect(page.textContent).toBe("none loading");
  });
});
