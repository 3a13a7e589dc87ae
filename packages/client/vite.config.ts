import { existsSync, readdirSync } from "node:fs";
import { defineConfig } from "vite";

const source = new URL("src/", import.meta.url);
// Each subject with a public entry is a sub-path of the package; nothing else is reachable.
const subjects = [...readdirSync(source), "flags/testing"].filter((name) =>
  existsSync(new URL(`${name}/index.ts`, source)),
);

export default defineConfig({
  build: {
    lib: {
      formats: ["es"],
      entry: Object.fromEntries(
        subjects.map((name) => [`${name}/index`, new URL(`${name}/index.ts`, source).pathname]),
      ),
    },
    // The host's own build makes it small, and shows readable code in its debugger until then.
    minify: false,
    sourcemap: true,
    target: "es2022",
    rolldownOptions: {
      external: /^@openfeature\//,
      output: { chunkFileNames: "chunks/[name].js" },
    },
  },
});
