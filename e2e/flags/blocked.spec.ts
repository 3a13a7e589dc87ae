import { expect, getFlag, test } from "./host";

// Chromium restricts access to the loopback address for a page of opaque origin.
test.use({
  launchOptions: async ({ launchOptions }, use) => {
    const args = [...(launchOptions.args ?? []), "--disable-features=LocalNetworkAccessChecks"];
    await use({ ...launchOptions, args });
  },
});

test("storage blocked: flags from memory, and one message", async ({ host }) => {
  host.sandboxed = true;
  const warnings: string[] = [];
  host.context.on("console", (message) => {
    if (message.type() === "warning") warnings.push(message.text());
  });
  const page = await host.open();
  await page.evaluate(
    (url) =>
      flags.create({ baseUrl: `${url}/api/flags`, subscribe: ["quest-cards"], stream: false }),
    host.musette.url,
  );
  await page.evaluate(() => flags.client.setUser({ userId: "r1" }));
  expect((await getFlag(page, "quest-cards", false)).variation).toBe(true);
  expect((await getFlag(page, "quest-cards", false)).variation).toBe(true);
  expect(host.asked.length).toBe(1);
  expect(warnings.filter((text) => text.includes("Localstorage"))).toEqual([
    "Browser doesn't support Localstorage",
  ]);
});
