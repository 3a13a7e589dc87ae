// The screens of other products, built according to their documentation. They are served from one
// origin, with the best compression and optimal caching: c15t and vanilla-cookieconsent, which ask
// for consent to cookies, and pdf.js, which renders the rider handbook.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import react from "@vitejs/plugin-react";
import { build } from "vite";

const root = fileURLToPath(new URL("../../", import.meta.url));
const installed = join(root, "bench/peers");

const page = (title, script) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<title>${title}</title></head><body><h1>${title}</h1><div id="root"></div>
<script type="module" src="./${script}"></script></body></html>`;

const C15T = `
import "@c15t/react/styles.css";
import { ConsentBanner, ConsentDialog, ConsentManagerProvider } from "@c15t/react";
import { createRoot } from "react-dom/client";

createRoot(document.getElementById("root")).render(
  <ConsentManagerProvider options={{ mode: "offline" }}>
    <ConsentBanner />
    <ConsentDialog />
  </ConsentManagerProvider>,
);`;

const COOKIECONSENT = `
import "vanilla-cookieconsent/dist/cookieconsent.css";
import * as CookieConsent from "vanilla-cookieconsent";

CookieConsent.run({
  // Otherwise it would hide from an automated browser.
  hideFromBots: false,
  categories: { necessary: { enabled: true, readOnly: true }, marketing: {} },
  language: {
    default: "en",
    translations: {
      en: {
        consentModal: {
          title: "We use cookies",
          description: "Some are necessary, some are for marketing.",
          acceptAllBtn: "Accept all",
          acceptNecessaryBtn: "Reject all",
          showPreferencesBtn: "Manage preferences",
        },
        preferencesModal: {
          title: "Preferences",
          acceptAllBtn: "Accept all",
          acceptNecessaryBtn: "Reject all",
          savePreferencesBtn: "Save",
          sections: [
            { title: "Necessary", description: "They are always on.", linkedCategory: "necessary" },
            { title: "Marketing", description: "They may be off.", linkedCategory: "marketing" },
          ],
        },
      },
    },
  },
});`;

/**
 * The shortest possible code, loaded when the document is tapped. It uses the legacy build, which
 * cheap phones need.
 */
const PDFJS = `
const show = async () => {
  const pdfjs = await import("pdfjs-dist/legacy/build/pdf.min.mjs");
  pdfjs.GlobalWorkerOptions.workerSrc = new URL("worker.mjs", location.href).href;
  const pdf = await pdfjs.getDocument({ url: "handbook.pdf" }).promise;
  const first = await pdf.getPage(1);
  const { width } = first.getViewport({ scale: 1 });
  const viewport = first.getViewport({ scale: (innerWidth * devicePixelRatio) / width });
  const canvas = Object.assign(document.createElement("canvas"), {
    width: viewport.width,
    height: viewport.height,
  });
  canvas.style.width = "100%";
  await first.render({ canvas, viewport }).promise;
  canvas.dataset.drawn = "";
  document.body.append(canvas);
};
const button = document.createElement("button");
button.textContent = "Rider handbook";
button.onclick = show;
document.getElementById("root").append(button);`;

const APPS = { c15t: C15T, cookieconsent: COOKIECONSENT, pdfjs: PDFJS };

function fetchPeers() {
  if (existsSync(join(installed, "node_modules/vanilla-cookieconsent"))) return;
  const quiet = ["--silent", "--ignore-scripts", "--no-audit", "--no-fund"];
  execFileSync("npm", ["ci", ...quiet, "--prefix", installed], { stdio: "inherit" });
}

async function buildInto(folder) {
  // Next to the packages that they import.
  const sources = mkdtempSync(join(installed, "node_modules/.reach-"));
  try {
    for (const [name, code] of Object.entries(APPS)) {
      const from = join(sources, name);
      mkdirSync(from);
      writeFileSync(join(from, "index.html"), page(name, "main.jsx"));
      writeFileSync(join(from, "main.jsx"), code);
      await build({
        root: from,
        base: "./",
        configFile: false,
        logLevel: "error",
        plugins: [react()],
        build: { outDir: join(folder, name), chunkSizeWarningLimit: 4000 },
      });
    }
  } finally {
    rmSync(sources, { recursive: true, force: true });
  }
  const ofPdf = join(folder, "pdfjs");
  const worker = "node_modules/pdfjs-dist/legacy/build/pdf.worker.min.mjs";
  cpSync(join(root, worker), join(ofPdf, "worker.mjs"));
  cpSync(join(root, "demo/documents/rider-handbook.en.pdf"), join(ofPdf, "handbook.pdf"));
}

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".pdf": "application/pdf",
};
const compress = (bytes) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });

/** Fetches, builds and serves the peers. The addresses end with the names of `APPS`. */
export async function servePeers() {
  fetchPeers();
  const folder = mkdtempSync(join(tmpdir(), "musette-peers-"));
  await buildInto(folder);
  const files = new Map();
  const file = (path) => {
    if (!files.has(path) && existsSync(join(folder, path))) {
      const bytes = readFileSync(join(folder, path));
      const type = TYPES[extname(path)] ?? "application/octet-stream";
      const isText = extname(path) !== ".pdf";
      const etag = `"${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}"`;
      files.set(path, { body: isText ? compress(bytes) : bytes, type, isText, etag });
    }
    return files.get(path);
  };
  const server = createServer((asked, answer) => {
    const path = new URL(asked.url, "http://peers").pathname.replace(/\/$/, "/index.html").slice(1);
    const content = file(path);
    if (!content) return void answer.writeHead(404).end();
    const isHashed = path.includes("/assets/");
    answer.setHeader("Content-Type", content.type);
    answer.setHeader("ETag", content.etag);
    answer.setHeader(
      "Cache-Control",
      isHashed ? "public, max-age=31536000, immutable" : "no-cache",
    );
    if (content.isText) answer.setHeader("Content-Encoding", "br");
    if (asked.headers["if-none-match"] === content.etag) return void answer.writeHead(304).end();
    answer.setHeader("Content-Length", content.body.length);
    answer.end(content.body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // Before the measurement, because compressing takes seconds.
  for (const name of Object.keys(APPS)) file(`${name}/index.html`);
  file("pdfjs/worker.mjs");
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.close();
      server.closeAllConnections();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
