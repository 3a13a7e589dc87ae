import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: new URL(".", import.meta.url).pathname,
  base: "/stage/",
  // With React's own warnings, which then fail a test as errors on the console.
  mode: "development",
  define: { "process.env.NODE_ENV": '"development"' },
  plugins: [react()],
  resolve: { conditions: ["musette-source", "module", "browser", "development|production"] },
  build: {
    outDir: "../dist/stage",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    minify: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ["index.html", "flags.html", "table.html"].map(
        (page) => new URL(page, import.meta.url).pathname,
      ),
    },
  },
});
