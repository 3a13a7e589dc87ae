import { defaultClientConditions, defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";

// With this condition a package imports its sibling's source, so that tests need no build. Not
// just "source": other packages use that name for files that they do not ship.
export default defineConfig({
  resolve: { conditions: ["musette-source", ...defaultClientConditions] },
  ssr: { resolve: { conditions: ["musette-source", ...defaultServerConditions] } },
  test: {
    include: [
      "packages/*/src/**/*.test.{ts,tsx}",
      "apps/*/src/**/*.test.{ts,tsx}",
      "tools/*/*.test.ts",
    ],
    environment: "node",
    // Ends what hangs. Other steps of `make test` run beside these tests.
    testTimeout: 60_000,
    restoreMocks: true,
    unstubGlobals: true,
  },
});
