import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  base: "/console/",
  plugins: [react()],
  // "musette-source" makes the sibling packages part of this build: no package has to be built first.
  resolve: { conditions: ["musette-source", "module", "browser", "development|production"] },
  build: {
    outDir: "dist",
    // The policy of the server forbids data: addresses, so nothing may be inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
