import { defaultClientConditions, defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";

// "source" lets a package import its sibling's source, so that no build is needed to test.
export default defineConfig({
  resolve: { conditions: ["source", ...defaultClientConditions] },
  ssr: { resolve: { conditions: ["source", ...defaultServerConditions] } },
  test: {
    include: [
      "packages/*/src/**/*.test.{ts,tsx}",
      "apps/*/src/**/*.test.{ts,tsx}",
      "tools/*/*.test.ts",
    ],
    environment: "node",
    restoreMocks: true,
    unstubGlobals: true,
  },
});
