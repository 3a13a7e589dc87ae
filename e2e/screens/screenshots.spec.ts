import { join } from "node:path";
import { test } from "../setup/test";
import { everyScreen, setLook } from "./every-screen";

const mode = process.env.UPDATE_SCREENSHOTS;
const docs = new URL("../../docs/images/", import.meta.url).pathname;
/** The folder for pictures of all screens, to look at: UPDATE_SCREENSHOTS=all. */
const elsewhere = new URL("../dist/screens/", import.meta.url).pathname;

/** The pictures in the README and the docs. */
const SHOWN = new Set(["consent-360", "reading-360", "receipt-360"]);
const SHOWN_ARABIC = new Set(["consent-360"]);

test.skip(!mode, "writes pictures only when UPDATE_SCREENSHOTS is set");

for (const width of [360, 1280]) {
  test.describe(`${width} px`, () => {
    test.use({
      viewport: { width, height: width === 360 ? 740 : 800 },
      // A phone's screen has a high resolution, and its pictures are shown small.
      deviceScaleFactor: width === 360 ? 1.5 : 1,
      hasTouch: width === 360,
    });
    for (const locale of ["en", "ar"] as const) {
      for (const dark of [false, true]) {
        if (dark && mode !== "all") continue;
        test(`${locale}, ${dark ? "dark" : "light"}`, async ({ page, musette, allow }) => {
          test.setTimeout(90_000);
          allow(/status of (401|503)/);
          await setLook(page, { locale, dark });
          const marks = [locale === "ar" && "ar", dark && "dark", width].filter(Boolean);
          const shown = locale === "ar" ? SHOWN_ARABIC : SHOWN;
          await everyScreen(page, musette, async (name) => {
            if (mode !== "all" && !shown.has(`${name}-${width}`)) return;
            const folder = mode === "all" ? elsewhere : docs;
            await page.screenshot({ path: join(folder, `${[name, ...marks].join("-")}.png`) });
          });
        });
      }
    }
  });
}
