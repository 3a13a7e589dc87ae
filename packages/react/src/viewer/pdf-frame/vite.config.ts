import { cpSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, defineConfig, type InlineConfig, type Plugin } from "vite";

const directory = dirname(fileURLToPath(import.meta.url));
const pdfjs = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));

/**
 * Returns the build of a classic script, for the frame and for the worker. The origin of the frame is opaque, so a
 * module would need CORS, and Chromium starts no module worker from a blob there.
 */
function classic(entry: string, file: string, outDir: string): InlineConfig {
  return {
    root: directory,
    configFile: false,
    // pdf.js needs its own address only in Node.
    define: { "import.meta.url": '""' },
    build: {
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      chunkSizeWarningLimit: 2000,
      lib: { entry, formats: ["iife"], name: "musetteViewer", fileName: () => file },
    },
  };
}

/** Copies the files that pdf.js loads. Omits its scripting sandbox, because scripts in documents never run. */
function copyFiles(): Plugin {
  let out = "";
  return {
    name: "musette-viewer-frame",
    configResolved: (config) => {
      out = resolve(config.root, config.build.outDir);
    },
    async closeBundle() {
      mkdirSync(join(out, "wasm"), { recursive: true });
      for (const name of ["frame.html", "frame.css"])
        cpSync(join(directory, name), join(out, name));
      for (const folder of ["cmaps", "standard_fonts"])
        cpSync(join(pdfjs, folder), join(out, folder), { recursive: true });
      for (const name of ["jbig2.wasm", "openjpeg.wasm", "qcms_bg.wasm"])
        cpSync(join(pdfjs, "wasm", name), join(out, "wasm", name));
      cpSync(join(pdfjs, "LICENSE"), join(out, "LICENSE"));
      const worker = join(pdfjs, "legacy/build/pdf.worker.min.mjs");
      await build({ ...classic(worker, "worker.js", out), logLevel: "warn" });
    },
  };
}

export default defineConfig({
  ...classic(join(directory, "frame.ts"), "frame.js", "../../../../dist/viewer-frame"),
  plugins: [copyFiles()],
});
