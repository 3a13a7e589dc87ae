import { overflowX } from "../journeys/phones";
import { expect, test } from "../setup/test";
import { everyScreen, setLook } from "./every-screen";
import { smallTargets } from "./targets";

for (const [width, locale] of [
  [360, "en"],
  [360, "ar"],
  [768, "en"],
  [992, "ar"],
  [1200, "en"],
] as const) {
  test(`${width} px, ${locale}: no sideways scrolling, and no target too small to tap`, async ({
    page,
    musette,
    allow,
  }) => {
    test.setTimeout(60_000);
    allow(/status of (401|503)/);
    await page.setViewportSize({ width, height: 740 });
    await setLook(page, { locale, dark: false });
    const wide: string[] = [];
    const tiny: string[] = [];
    await everyScreen(page, musette, async (name) => {
      const by = await overflowX(page);
      if (by > 0) wide.push(`${name} by ${by}`);
      for (const target of await smallTargets(page)) tiny.push(`${name}: ${target}`);
    });
    expect(wide).toEqual([]);
    expect(tiny).toEqual([]);
  });
}
