import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const directory = new URL(".", import.meta.url).pathname;

/** `npm run gallery` serves the gallery, and the browser tests build it. The build works in any folder. */
export default defineConfig({
  root: directory,
  base: "./",
  plugins: [react()],
  resolve: { conditions: ["musette-source", "module", "browser", "development|production"] },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    cssTarget: ["chrome123", "safari17.5", "firefox120"],
    // The fonts have 2 MB, which is acceptable because phones do not load the gallery.
    chunkSizeWarningLimit: 4000,
  },
});
