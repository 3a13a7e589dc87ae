import { configuration, expect, getFlag, signIn, test } from "./host";

test("a switch during a request never returns the former person's value", async ({ host }) => {
  const page = await host.open();
  await host.context.route(/v3\/features\/greeting/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue().catch(() => {});
  });
  const [former, present] = await page.evaluate(async () => {
    const client = flags.create({ subscribe: [], stream: false });
    void client.setUser({ userId: "r1" });
    const first = client.getFlag("greeting", "mine");
    await new Promise((resolve) => setTimeout(resolve, 200));
    void client.setUser({ userId: "r2" });
    return Promise.all([first, client.getFlag("greeting", "mine")]);
  });
  expect(former).toMatchObject({ variation: "mine", explanation: { kind: "FALLBACK" } });
  expect(present.variation).toBe("Hello");
});

test("a failed switch removes the former person's values", async ({ host }) => {
  const page = await host.open();
  await page.evaluate(() =>
    flags.create({ subscribe: ["greeting"], stream: false }).setUser({ userId: "r1" }),
  );
  expect((await getFlag(page, "greeting", "mine")).variation).toBe("Hello, r1");
  await host.down("abort");
  await page.evaluate(() => flags.client.setUser({ userId: "r2" }));
  expect((await getFlag(page, "greeting", "mine")).variation).toBe("mine");
  await page.reload();
  await page.evaluate(() =>
    flags.create({ subscribe: ["greeting"], stream: false }).setUser({ userId: "r2" }),
  );
  expect((await getFlag(page, "greeting", "mine")).variation).toBe("mine");
});

test("counts two people on one phone and a new phase, but not a reload", async ({ host }) => {
  const counted: string[] = [];
  const visit = async (userId: string) => {
    const page = await host.open();
    await signIn(page, userId);
    await getFlag(page, "checkin-v2", "");
    const reported = await page.evaluate(() => flags.reported);
    counted.push(
      ...reported.map((event) => `${event.unit} ${"phase" in event ? event.phase : ""}`),
    );
    await page.evaluate(() => flags.client.close());
    await page.close();
  };
  for (const userId of ["r1", "r1", "r2", "r1"]) await visit(userId);
  expect(counted).toEqual(["r1 1", "r2 1"]);
  host.musette.importFlags(configuration({ phase: 2 }));
  await host.context.clock.setSystemTime(Date.now() + 16 * 60_000);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  for (const userId of ["r1", "r1"]) await visit(userId);
  expect(counted).toEqual(["r1 1", "r2 1", "r1 2"]);
  await expect.poll(host.counted).toBe(3);
});

test("an exposure survives the page that it happened on", async ({ host }) => {
  const page = await host.open();
  await signIn(page, "r1");
  await getFlag(page, "checkin-v2", "");
  await page.goto("about:blank");
  await expect.poll(host.counted).toBe(1);
});
