// @vitest-environment happy-dom
import { createTestFlags } from "@musette/client/flags/testing";
import { act } from "react";
import { expect, it } from "vitest";
import { mount } from "../testing/mount";
import { Feature, FlagsProvider, useFlag, useMetrics } from "./index";

function Screen() {
  const { value, status } = useFlag("checkin-v2", "list");
  return (
    <Feature flag="quest-cards" fallback={<p>no quests</p>}>
      <p>{`quests, ${value} ${status}`}</p>
    </Feature>
  );
}

it("renders the flags of a test client and follows its changes", async () => {
  const flags = createTestFlags({ "quest-cards": true, "checkin-v2": "map" });
  const { page } = await mount(
    <FlagsProvider client={flags}>
      <Screen />
    </FlagsProvider>,
  );
  expect(page.textContent).toBe("quests, map fresh");
  await act(async () => flags.set("quest-cards", false));
  expect(page.textContent).toBe("no quests");
});

it("passes metrics to a test client, and drops them without a client", async () => {
  const flags = createTestFlags();
  const Order = () => {
    const report = useMetrics();
    return (
      <button type="button" onClick={() => report("orders", 2)}>
        Order
      </button>
    );
  };
  for (const client of [flags, undefined]) {
    const { page } = await mount(
      <FlagsProvider client={client}>
        <Order />
      </FlagsProvider>,
    );
    await act(async () => page.querySelector("button")?.click());
  }
  expect(flags.metrics).toEqual([{ metric: "orders", value: 2 }]);
});
