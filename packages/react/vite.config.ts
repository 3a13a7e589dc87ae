import { existsSync, readdirSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const source = new URL("src/", import.meta.url);
// Each subject with a public entry is a sub-path of the package; nothing else is reachable.
const subjects = readdirSync(source).filter((name) =>
  existsSync(new URL(`${name}/index.ts`, source)),
);

/** A style sheet as an entry leaves an empty script behind, and TypeScript wants to know of it. */
const styleOnly: Plugin = {
  name: "style-only",
  generateBundle(_, bundle) {
    this.emitFile({ type: "asset", fileName: "style.css.d.ts", source: "export {};\n" });
    for (const [name, chunk] of Object.entries(bundle)) {
      if (chunk.type === "chunk" && chunk.name === "style") delete bundle[name];
    }
  },
};

export default defineConfig({
  plugins: [react(), styleOnly],
  build: {
    lib: {
      formats: ["es"],
      entry: {
        ...Object.fromEntries(
          subjects.map((name) => [`${name}/index`, new URL(`${name}/index.ts`, source).pathname]),
        ),
        style: new URL("style.css", source).pathname,
      },
    },
    cssCodeSplit: true,
    minify: false,
    sourcemap: true,
    target: "es2022",
    // Else light-dark() is rewritten into something that a host's own color-scheme cannot steer.
    cssTarget: ["chrome123", "safari17.5", "firefox120"],
    rolldownOptions: {
      external: [/^react($|\/)/, /^react-dom($|\/)/, /^@musette\/client\//, /^pdfjs-dist/],
      output: { chunkFileNames: "chunks/[name].js", assetFileNames: "[name][extname]" },
    },
  },
});
