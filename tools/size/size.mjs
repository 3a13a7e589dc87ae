// Compares the size of what a rider's phone must load before the consent screen is usable with its budget.
// Built like a host application: minified, React external, gzip -9, 1 kB = 1024 bytes.
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const root = fileURLToPath(new URL("../../", import.meta.url));
const react = [/^react($|\/)/, /^react-dom($|\/)/];

// Vite's helper for lazy chunks, which an application contains once. Not counted.
const HELPER = "preload-helper";

const probes = [
  {
    name: "consent screen and its parts of the kit",
    code: 'export { TermsConsent } from "@musette/react/consent";',
    external: react,
    // The costs are explained in docs/decisions: 0017 for the languages, 0020 for working offline,
    // 0024 for the applicant's market, and 0030 for reading the server's answers. 0.1 kB name the end
    // of a grace period, and 0.2 kB learn the offset of the device's clock.
    budgetKb: 8.6,
    // Loaded together with the terms, and needed from the first tick on. 0.4 kB of it make the
    // viewer and the list of a document's pages available before the first tap, and contain texts
    // for a press that sent nothing (0013). Explaining the ticks that are set again costs 0.1 kB,
    // and correcting the times of a device with a wrong clock 0.1 kB.
    laterKb: { deferred: 7 },
  },
  {
    name: "document viewer",
    code: 'export { DocumentViewer } from "@musette/react/viewer";',
    external: react,
    // docs/decisions/0034: this code keeps the position when switching between the two views. The
    // reading view is a later chunk.
    // Scans open as pages, and a page is marked until its image is drawn: 0.1 kB.
    budgetKb: 4.4,
    laterKb: { reading: 5 },
  },
  {
    name: "session client",
    code: 'export { createSession } from "@musette/client/session";',
    external: react,
    // docs/decisions/0009 explains why it is one bundle.
    budgetKb: 5.5,
  },
  {
    name: "receipt verifier",
    code: 'export { verifyReceipt } from "@musette/client/log";',
    external: react,
    // 0.5 kB of it are for ML-DSA-44.
    budgetKb: 5,
  },
  {
    name: "flag client",
    code: 'export { createFlagClient } from "@musette/client/flags";',
    external: react,
    budgetKb: 5.1,
  },
  {
    name: "flags in React, over the client",
    code: 'export { Feature, FlagsOverlay, FlagsProvider, useExperiment, useFlag, useHoldouts, useMetrics } from "@musette/react/flags";',
    external: react,
    budgetKb: 1.2,
  },
  {
    name: "debug overlay of flags",
    code: 'export { FlagsPanel } from "../../packages/react/src/flags/overlay/panel";',
    external: react,
    budgetKb: 4,
  },
];

/**
 * Builds a probe. Returns the size of the entry with its static imports, and separately those of
 * its dynamic imports.
 */
async function load({ code, external }) {
  const id = "virtual:probe";
  const { output } = await build({
    root,
    configFile: false,
    logLevel: "error",
    resolve: { conditions: ["musette-source", "module", "browser", "production"] },
    plugins: [
      {
        name: "probe",
        resolveId: (source) => (source === id ? `${root}tools/size/probe.js` : undefined),
        load: (file) => (file === `${root}tools/size/probe.js` ? code : undefined),
      },
    ],
    build: {
      write: false,
      target: "es2022",
      modulePreload: false,
      rolldownOptions: {
        input: id,
        external,
        // As in a host's application, whose entry exports nothing: code that a later chunk shares
        // with the first one remains in the first.
        preserveEntrySignatures: "allow-extension",
        output: {
          // A hash in a file name would change the size with every change elsewhere.
          chunkFileNames: "[name].js",
          codeSplitting: { groups: [{ name: HELPER, test: /preload-helper/ }] },
        },
      },
    },
  });
  return weigh(output);
}

/** Builds an application. Returns the size of what its first screen needs, and of the rest. */
async function application(name) {
  const folder = `${root}apps/${name}/`;
  const { output } = await build({
    root: folder,
    configFile: `${folder}vite.config.ts`,
    logLevel: "error",
    build: { write: false },
  });
  // The files in the page's HTML, because the bundler does not mark the chunk of a group as an
  // entry.
  const page = String(output.find((file) => file.fileName === "index.html").source);
  return weigh(
    output,
    [...page.matchAll(/"[^"]*(assets\/[^"]+\.js)"/g)].map(([, file]) => file),
  );
}

function weigh(output, first = output.filter((file) => file.isEntry).map((it) => it.fileName)) {
  const ours = (file) => file.type === "chunk" && file.name !== HELPER;
  const chunks = new Map(output.filter(ours).map((file) => [file.fileName, file]));
  const needed = new Set();
  function need(name) {
    const chunk = chunks.get(name);
    if (!chunk || needed.has(name)) return;
    needed.add(name);
    chunk.imports.forEach(need);
  }
  for (const name of first) need(name);
  if (needed.size === 0) throw new Error("nothing is loaded first");
  const later = [...chunks.keys()].filter((name) => !needed.has(name));
  const bytesOf = (name) => gzipSync(chunks.get(name).code, { level: 9 }).length;
  return {
    bytes: [...needed].reduce((sum, name) => sum + bytesOf(name), 0),
    later: later.map((name) => ({ name: chunks.get(name).name, bytes: bytesOf(name) })),
  };
}

async function styles() {
  const { output } = await build({
    root,
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      cssTarget: ["chrome123", "safari17.5", "firefox120"],
      rolldownOptions: { input: `${root}packages/react/src/style.css` },
    },
  });
  const sheet = output.find((file) => file.fileName.endsWith(".css"));
  return gzipSync(sheet.source, { level: 9 }).length;
}

const kb = (bytes) => `${(bytes / 1024).toFixed(2)} kB`;

let over = false;
function judge(name, bytes, budgetKb) {
  const fits = bytes <= budgetKb * 1024;
  over ||= !fits;
  const verdict = fits ? "ok  " : "OVER";
  console.log(`${verdict} ${kb(bytes).padStart(9)} of ${budgetKb} kB  ${name}`);
}

function report({ name, budgetKb, laterKb = {} }, { bytes, later }) {
  judge(name, bytes, budgetKb);
  for (const [part, budget] of Object.entries(laterKb)) {
    // Otherwise a part that no longer exists would pass.
    const laterChunk = later.find((chunk) => chunk.name === part);
    judge(`${part}, of the ${name}`, laterChunk?.bytes ?? Number.POSITIVE_INFINITY, budget);
  }
  const others = later.filter((chunk) => !(chunk.name in laterKb));
  const listed = others.map((chunk) => `${chunk.name} ${kb(chunk.bytes)}`);
  if (listed.length > 0) console.log(`                 later: ${listed.join(", ")}`);
}
for (const probe of probes) report(probe, await load(probe));
// 0.8 kB say who is agreeing and to whose terms, name the place of a link and the end of a grace
// period, and guard against another person's session. 0.5 kB list the pages of the work record, and send
// objections that were written without a network. 1 kB lists notices and sends when they were opened.
report(
  { name: "the rider app's first script, with Preact", budgetKb: 37.7 },
  await application("rider"),
);
report({ name: "the console's first screen", budgetKb: 200 }, await application("console"));
console.log(`     ${kb(await styles()).padStart(9)}          style sheet, all parts`);
process.exit(over ? 1 : 0);
