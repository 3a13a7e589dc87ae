import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vite";

const dist = join(import.meta.dirname, "dist");

/**
 * Returns everything that a page of this version may load from here, except pdf.js, which is too
 * large to keep on a phone.
 */
function filesOfVersion(): readonly string[] {
  const assets = readdirSync(join(dist, "assets")).filter((name) => !/\.(br|gz|map)$/.test(name));
  return [
    "/icon.svg",
    "/icon-192.png",
    "/manifest.webmanifest",
    ...assets.map((asset) => `/assets/${asset}`),
  ].sort();
}

function versionOf(files: readonly string[]): string {
  const hash = createHash("sha256").update(files.join("\n"));
  return hash
    .update(readFileSync(join(dist, "index.html")))
    .digest("hex")
    .slice(0, 16);
}

/** Builds the service worker for the app in `dist`: one classic script with a fixed name. */
export default defineConfig(() => {
  const files = filesOfVersion();
  return {
    resolve: { conditions: ["musette-source", "module", "browser", "production"] },
    publicDir: false as const,
    define: {
      __APP_FILES__: JSON.stringify(files),
      // Their texts are in files that begin with the tag. English is in files that all pages need.
      __APP_LANGUAGES__: JSON.stringify(
        Object.keys(JSON.parse(readFileSync(join(dist, "languages.json"), "utf8"))),
      ),
      __APP_VERSION__: JSON.stringify(versionOf(files)),
    },
    build: {
      outDir: "dist",
      emptyOutDir: false,
      lib: {
        entry: "src/worker/worker.ts",
        formats: ["iife" as const],
        name: "w",
        fileName: () => "worker.js",
      },
    },
  };
});
