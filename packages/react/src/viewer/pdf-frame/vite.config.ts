import { cpSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const here = dirname(fileURLToPath(import.meta.url));
const pdfjs = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));

/** What pdf.js asks for while it draws. Not its scripting sandbox: scripts in documents never run. */
function besides(): Plugin {
  let out = "";
  return {
    name: "musette-viewer-frame",
    configResolved: (config) => {
      out = join(config.root, config.build.outDir);
    },
    closeBundle() {
      mkdirSync(join(out, "wasm"), { recursive: true });
      for (const name of ["frame.html", "frame.css"]) cpSync(join(here, name), join(out, name));
      cpSync(join(pdfjs, "legacy/build/pdf.worker.min.mjs"), join(out, "pdf.worker.mjs"));
      for (const folder of ["cmaps", "standard_fonts"])
        cpSync(join(pdfjs, folder), join(out, folder), { recursive: true });
      for (const name of ["jbig2.wasm", "openjpeg.wasm", "qcms_bg.wasm"])
        cpSync(join(pdfjs, "wasm", name), join(out, "wasm", name));
      cpSync(join(pdfjs, "LICENSE"), join(out, "LICENSE"));
    },
  };
}

// A classic script: a module would be fetched with CORS, and the frame's origin is opaque.
export default defineConfig({
  root: here,
  plugins: [besides()],
  build: {
    outDir: "../../../dist/viewer-frame",
    emptyOutDir: true,
    copyPublicDir: false,
    lib: {
      entry: join(here, "frame.ts"),
      formats: ["iife"],
      name: "musetteViewerFrame",
      fileName: () => "frame.js",
    },
  },
});
