import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type Rolldown } from "vite";

/**
 * The modules that the consent screen's deferred part shares with later chunks, in one file. Each
 * file costs a request, and about 15 ms on a slow phone.
 */
const SHARED =
  /\/(?:complete-consent|en-consent-deferred|other-language|viewer\/(?:source|manifest)|http\/connection)\.ts$/;

const isLater = (one: Rolldown.OutputAsset | Rolldown.OutputChunk): one is Rolldown.OutputChunk =>
  one.type === "chunk" && one.isDynamicEntry;

/** Returns a chunk and everything that it needs besides the first one. */
function withImports(bundle: Rolldown.OutputBundle, name: string): string[] {
  const one = bundle[name];
  if (one?.type !== "chunk" || one.name === "index") return [];
  return [name, ...one.imports.flatMap((file) => withImports(bundle, file))];
}

const TEXTS = /\/(?:rider|react)\/src\/texts\/(?:generated\/([a-z]{2})|complete)\.ts$/;

/**
 * Lists the files of each language except English. The server's page of `/apply` preloads those of
 * the browser's language.
 */
function listLanguages(): Plugin {
  return {
    name: "list-languages",
    generateBundle(_, bundle) {
      const files: Record<string, string[]> = {};
      for (const one of Object.values(bundle).filter(isLater)) {
        const match = TEXTS.exec(one.facadeModuleId ?? "");
        if (!match) continue;
        const of = match[1] ?? "all";
        files[of] = [...(files[of] ?? []), ...withImports(bundle, one.fileName)];
      }
      const { all = [], ...languages } = files;
      for (const of of Object.values(languages)) of.push(...all);
      if (Object.keys(languages).length !== 11)
        throw new Error("expected chunks for 11 languages in src/texts/generated");
      this.emitFile({
        type: "asset",
        fileName: "languages.json",
        source: JSON.stringify(languages),
      });
    },
  };
}

export default defineConfig({
  base: "/",
  plugins: [react(), listLanguages()],
  // "musette-source" compiles the sibling packages as part of this build: no package has to be
  // built first.
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
    // The server's content security policy forbids data: addresses, so nothing may be inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One file for the first view: a browser opens six connections, and each round trip costs one
    // latency.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "index", tags: ["$initial"] },
            { name: "shared", test: SHARED },
          ],
        },
      },
    },
  },
});
