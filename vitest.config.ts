import { defaultClientConditions, defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";

// This condition lets a package import its sibling's source, so that no build is needed to test. Not
// just "source": other packages have that one too, and do not ship what it names.
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
    restoreMocks: true,
    unstubGlobals: true,
  },
});
