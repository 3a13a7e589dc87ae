import { defineConfig } from "@playwright/test";

const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  // The software renderer in the process of the browser: a tenth less processor time.
  "--in-process-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Every screen in every language, size and colour, and the longest journeys: `make test-wide`. */
const WIDE = [
  "journeys/scripts.spec.ts",
  "kit/gallery.spec.ts",
  "screens/appearance.spec.ts",
  "screens/forced-colours.spec.ts",
  "screens/languages.spec.ts",
  "screens/layout.spec.ts",
  "screens/low-window.spec.ts",
  "screens/screenshots.spec.ts",
  "screens/small-phones.spec.ts",
].map((file) => `**/${file}`);

export default defineConfig({
  testDir: ".",
  projects: [
    { name: "main", testIgnore: WIDE },
    { name: "wide", testMatch: WIDE },
  ],
  outputDir: "test-results",
  globalSetup: "./setup/prepare.ts",
  // A test that fails once reveals an error in the test or in the product, so a developer's own run
  // does not retry. CI retries and reports the test as flaky: one lost race in a thousand must not
  // block an unrelated change.
  retries: Number(process.env.RETRIES ?? 0),
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // Generous: the limit ends tests that hang, and says nothing about the speed of the product.
  timeout: 90_000,
  expect: {
    timeout: 20_000,
    // A missing button border is larger than this (docs/decisions/0036).
    toHaveScreenshot: { maxDiffPixels: 60, threshold: 0.2 },
  },
  snapshotPathTemplate: "{testDir}/kit/pictures/{arg}{ext}",
  reporter: [["dot"]],
  use: {
    actionTimeout: 20_000,
    // `page.route` does not see requests that a worker answers. The offline journeys allow workers.
    serviceWorkers: "block",
    locale: "en",
    timezoneId: "UTC",
    viewport: { width: 390, height: 844 },
    reducedMotion: "reduce",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
      args: QUIET,
      // Thai and Bengali are also rendered on a machine without fonts for them.
      env: {
        ...process.env,
        FONTCONFIG_FILE: new URL("setup/fonts.conf", import.meta.url).pathname,
      },
    },
  },
});
