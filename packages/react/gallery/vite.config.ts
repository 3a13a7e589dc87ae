import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const here = new URL(".", import.meta.url).pathname;

/** `npm run gallery` serves it; the browser tests build it. What is built can be served from any folder. */
export default defineConfig({
  root: here,
  base: "./",
  plugins: [react()],
  resolve: { conditions: ["musette-source", "module", "browser", "development|production"] },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    cssTarget: ["chrome123", "safari17.5", "firefox120"],
    // Its fonts are 2 MB, and nobody loads it on a phone.
    chunkSizeWarningLimit: 4000,
  },
});
