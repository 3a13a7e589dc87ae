import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  base: "/console/",
  plugins: [react()],
  // "musette-source" compiles the sibling packages as part of this build: no package has to be
  // built first.
  resolve: { conditions: ["musette-source", "module", "browser", "development|production"] },
  build: {
    outDir: "dist",
    // The server's content security policy forbids data: addresses, so nothing may be inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
