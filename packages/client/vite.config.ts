import { existsSync, readdirSync } from "node:fs";
import { defineConfig } from "vite";

const source = new URL("src/", import.meta.url);
// Each folder with an `index.ts` is a sub-path of the package. Hosts cannot import other files.
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
    // Not minified, because the host's build does that, and its debugger shows readable code.
    minify: false,
    sourcemap: true,
    target: "es2022",
    rolldownOptions: {
      external: /^@openfeature\//,
      output: { chunkFileNames: "chunks/[name].js" },
    },
  },
});
