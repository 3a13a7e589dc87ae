import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** Loaded after the first chunk, and by every first view: fetched with it instead of one latency later. */
const SOON = new Set(["complete", "deferred"]);

/** Makes the page itself ask for them. */
function preloadSoon(): Plugin {
  return {
    name: "preload-soon",
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle }) {
        const soon = Object.values(bundle ?? {}).filter(
          (one) => one.type === "chunk" && one.isDynamicEntry && SOON.has(one.name),
        );
        if (bundle && soon.length !== SOON.size)
          throw new Error("a chunk to preload has another name");
        return soon.map(({ fileName }) => ({
          tag: "link",
          attrs: { rel: "modulepreload", crossorigin: true, href: `/${fileName}` },
          injectTo: "head",
        }));
      },
    },
  };
}

export default defineConfig({
  base: "/",
  plugins: [react(), preloadSoon()],
  // "musette-source" makes the sibling packages part of this build: no package has to be built first.
  resolve: {
    conditions: ["musette-source", "module", "browser", "development|production"],
    alias: [
      { find: /^react$/, replacement: "preact/compat" },
      { find: /^react-dom$/, replacement: "preact/compat" },
      { find: /^react-dom\/client$/, replacement: "preact/compat/client" },
      { find: /^react\/jsx-runtime$/, replacement: "preact/jsx-runtime" },
    ],
  },
  build: {
    outDir: "dist",
    // The policy of the server forbids data: addresses, so nothing may be inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One file for the first view: a browser opens six connections, and each wave costs one latency.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: "index", tags: ["$initial"] }] } },
    },
  },
});
