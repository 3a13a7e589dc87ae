import { defaultClientConditions, defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";

// With this condition a package imports the source of the other package, so that tests need no build. The
// name is not "source", because third-party packages use that name for files that they do not publish.
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
    // Ends tests that hang. It is long, because other steps of `make test` run at the same time.
    testTimeout: 60_000,
    restoreMocks: true,
    unstubGlobals: true,
  },
});
