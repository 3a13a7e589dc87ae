import { existsSync, readdirSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const source = new URL("src/", import.meta.url);
// Each folder with an `index.ts` is a sub-path of the package. Hosts cannot import other files.
const subjects = readdirSync(source).filter((name) =>
  existsSync(new URL(`${name}/index.ts`, source)),
);

/** Removes the empty script that Vite creates for a style sheet entry, and adds its type declaration. */
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
    // For older browsers light-dark() would be rewritten to code that ignores the color-scheme of the host.
    cssTarget: ["chrome123", "safari17.5", "firefox120"],
    rolldownOptions: {
      external: [/^react($|\/)/, /^react-dom($|\/)/, /^@musette\/client\//, /^pdfjs-dist/],
      output: { chunkFileNames: "chunks/[name].js", assetFileNames: "[name][extname]" },
    },
  },
});
