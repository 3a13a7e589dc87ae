// Tests the set-ups of docs/embedding.md for nginx, Caddy and Next.js. Each serves a page of ours
// with the blocks of that page, unchanged except for ports, in front of the program. It also tests
// a host that answers every unknown address with its index.html.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { defaultClientConditions, build as viteBuild } from "vite";
import { Program } from "../program/program.mjs";
import { block } from "./docs.mjs";
import { run } from "./packed.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "musette-hosts-"));
const site = join(folder, "site");
const NEXT = { next: "16.4.6", react: "19.3.1", "react-dom": "19.3.1" };

const freePorts = async (count) => {
  const servers = Array.from({ length: count }, () => createServer());
  await Promise.all(servers.map((it) => new Promise((done) => it.listen(0, "127.0.0.1", done))));
  const ports = servers.map((it) => it.address().port);
  await Promise.all(servers.map((it) => new Promise((done) => it.close(done))));
  return ports;
};

const PAGE = `<!doctype html>
<title>A host</title>
<div id="root"></div>
<script type="module" src="/page.js"></script>`;

// The document of the second screen belongs to the host, so the viewer needs its frame.
const SCRIPT = `
import { createConsentReads } from "@musette/client/terms";
import { TermsConsent } from "@musette/react/consent";
import "@musette/react/style.css";
import { createElement } from "react";
import { createRoot } from "react-dom/client";

window.load = async (baseUrl) => {
  try {
    const reads = createConsentReads(baseUrl && { baseUrl });
    const [{ content }] = await reads.fetchTerms({ termsType: "FREELANCER" });
    const manifest = await fetch(content.replace(/\\.pdf$/, "/manifest.json")).then(
      (answer) => answer.status,
      () => "blocked",
    );
    return { terms: 200, manifest, origin: new URL(content).origin };
  } catch (error) {
    return { terms: error.status ?? "blocked" };
  }
};
window.show = (props) =>
  createRoot(document.getElementById("root")).render(createElement(TermsConsent, props));
window.showTheirs = () =>
  window.show({
    fetchTerms: async () => [
      { id: 1, title: "Theirs", content: "/theirs.pdf", mandatory: true, display_order: 1 },
    ],
  });
`;

/** The page and its script, as files that any server can serve. */
async function buildSite() {
  // Inside the workspace, so that the packages are found.
  const source = join(root, "target/hosts");
  mkdirSync(source, { recursive: true });
  writeFileSync(join(source, "page.js"), SCRIPT);
  await viteBuild({
    root: source,
    configFile: false,
    logLevel: "error",
    define: { "process.env.NODE_ENV": '"production"' },
    resolve: { conditions: ["musette-source", ...defaultClientConditions] },
    build: {
      outDir: site,
      emptyOutDir: true,
      rollupOptions: {
        input: join(source, "page.js"),
        output: { entryFileNames: "page.js", assetFileNames: "page[extname]" },
      },
    },
  });
  const page = PAGE.replace("<title>", '<link rel="stylesheet" href="/page.css"><title>');
  writeFileSync(join(site, "index.html"), page);
  writeFileSync(join(site, "page.html"), page);
  cpSync(join(root, "testdata/documents/english.pdf"), join(site, "theirs.pdf"));
}

const [musettePort, sitePort] = await freePorts(2);
// A browser resolves this name to this machine, and Musette does not know it.
const origin = `http://app.localhost:${sitePort}`;
const loopback = `http://127.0.0.1:${sitePort}`;
/** Returns a block of the page, with the address at which the program listens here. */
const documented = (name) => block(name).replaceAll("127.0.0.1:8080", `127.0.0.1:${musettePort}`);

function nginx(location, fallback = "=404") {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(" ");
  const file = join(folder, "nginx.conf");
  writeFileSync(
    file,
    // nginx started by root reads files as another user, who may not read this folder.
    `${process.getuid() === 0 ? "user root;" : ""} daemon off; pid ${folder}/nginx.pid; error_log stderr crit; events {}
    http {
      include /etc/nginx/mime.types; access_log off; ${temporary}
      server {
        listen 127.0.0.1:${sitePort};
        root ${site};
        location / { try_files $uri $uri/index.html ${fallback}; }
        ${location}
      }
    }`,
  );
  return ["/usr/sbin/nginx", ["-c", file]];
}

function caddy(directives) {
  const file = join(folder, "Caddyfile");
  const options = `{\n\tadmin off\n\tlog {\n\t\tlevel ERROR\n\t}\n\tauto_https off\n\tstorage file_system ${folder}/caddy\n}\n`;
  const body = `http://:${sitePort} {\n\tbind 127.0.0.1\n\troot * ${site}\n${directives}\n\tfile_server\n}\n`;
  writeFileSync(file, options + body);
  return ["/usr/bin/caddy", ["run", "--adapter", "caddyfile", "--config", file]];
}

/** Next.js itself, installed once; the page is one of its static files. */
function next(config) {
  const app = join(root, "target/hosts-next");
  const manifest = JSON.stringify({ private: true, type: "module", dependencies: NEXT });
  mkdirSync(join(app, "pages"), { recursive: true });
  if (!existsSync(join(app, "node_modules/next"))) {
    writeFileSync(join(app, "package.json"), manifest);
    run(app, "npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"]);
  }
  writeFileSync(join(app, "pages/index.js"), "export default function Page() { return null; }\n");
  writeFileSync(join(app, "next.config.mjs"), config);
  cpSync(site, join(app, "public"), { recursive: true });
  const bin = join(app, "node_modules/next/dist/bin/next");
  return [process.execPath, [bin, "dev", app, "-H", "127.0.0.1", "-p", String(sitePort)]];
}

async function start([command, args]) {
  // Vite has set NODE_ENV for its own build.
  const { NODE_ENV: _, ...own } = process.env;
  const env = { ...own, HOME: folder, NEXT_TELEMETRY_DISABLED: "1" };
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "inherit"], env });
  const exited = new Promise((done) => child.once("exit", done));
  for (let tries = 0; tries < 300; tries += 1) {
    const answer = await fetch(`${loopback}/page.html`).catch(() => undefined);
    if (answer?.ok) return () => stop(child, exited);
    if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}`);
    await new Promise((done) => setTimeout(done, 100));
  }
  await stop(child, exited);
  throw new Error(`${command} did not serve the page`);
}

async function stop(child, exited) {
  child.kill();
  await exited;
}

const publicUrl = ["--public-url", origin];
const works = { terms: 200, manifest: 200, origin };
const refused = { terms: 421 };
const setUps = [
  ["nginx", () => nginx(documented("nginx")), [], works],
  ["nginx, --public-url", () => nginx(documented("nginx")), publicUrl, works],
  ["nginx with Host", () => nginx(documented("nginx with Host")), [], refused],
  [
    "nginx with Host, a loopback name",
    () => nginx(documented("nginx with Host")),
    [],
    works,
    loopback,
  ],
  ["nginx with Host, --public-url", () => nginx(documented("nginx with Host")), publicUrl, works],
  ["Caddy", () => caddy(documented("caddy")), [], refused],
  ["Caddy, a loopback name", () => caddy(documented("caddy")), [], works, loopback],
  [
    "Caddy, --allowed-hosts",
    () => caddy(documented("caddy")),
    ["--allowed-hosts", new URL(origin).host],
    works,
  ],
  ["Caddy, --public-url", () => caddy(documented("caddy")), publicUrl, works],
  ["Next.js", () => next(documented("next")), [], works],
  ["Next.js, --public-url", () => next(documented("next")), publicUrl, works],
];

/**
 * The host has no viewer frame and answers with its own page. The person can download the document
 * at once.
 */
async function noticesOtherPage(page) {
  await page.goto(`${origin}/page.html`);
  const status = await page.evaluate(async () => (await fetch("/viewer/frame.html")).status);
  assert.equal(status, 200, "the host answers with its own page");
  await page.evaluate(() => window.showTheirs());
  await page.getByRole("button", { name: "Open Theirs", exact: true }).click();
  const began = Date.now();
  await page.locator("dialog [role=alert] a[download]").waitFor({ timeout: 10_000 });
  const took = Date.now() - began;
  assert(took < 5_000, `the viewer noticed after ${took} ms`);
  console.log(
    `a host without the frame that answers 200: the viewer offers a download after ${took} ms`,
  );
}

/** The same host with the frame, whose script reports in time even on a busy machine. */
async function showsTheirs(page) {
  await viteBuild({
    configFile: join(root, "packages/react/src/viewer/pdf-frame/vite.config.ts"),
    logLevel: "error",
    build: { outDir: join(site, "viewer"), emptyOutDir: true },
  });
  await page.goto(`${origin}/page.html`);
  await page.evaluate(() => window.showTheirs());
  await page.getByRole("button", { name: "Open Theirs", exact: true }).click();
  await page.locator("iframe[data-state=shown]").waitFor({ timeout: 20_000 });
  console.log("a host with the frame: the viewer shows the document");
}

/** A page without any style: nothing to scroll, and no margin around the screen. */
async function fillsThePage(page) {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${origin}/page.html`);
  await page.evaluate(() => window.show({}));
  await page.getByRole("heading", { name: "Terms & Conditions" }).waitFor();
  const { x, y, width } = await page.locator(".mu-consent").boundingBox();
  assert.deepEqual({ x, y, width }, { x: 0, y: 0, width: 390 });
  const over = await page.evaluate(
    () => document.scrollingElement.scrollHeight - document.scrollingElement.clientHeight,
  );
  assert.equal(over, 0, "pixels to scroll");
  await page.addStyleTag({ content: "body { margin: 20px }" });
  assert.equal((await page.locator(".mu-consent").boundingBox()).x, 20, "a rule of the host wins");
  console.log("a page without styles: the screen fills it");
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
const program = new Program();
try {
  const file = join(root, "testdata/documents/english.pdf");
  program.run("terms", "publish", "--type", "FREELANCER", "--title", "Rules", file);
  await buildSite();
  for (const [name, host, options, expected, seen = origin] of setUps) {
    await program.serve({ listen: `127.0.0.1:${musettePort}`, options });
    const end = await start(host());
    try {
      const page = await browser.newPage();
      await page.goto(`${seen}/page.html`);
      await page.waitForFunction(() => "load" in window);
      const result = expected === works ? { ...works, origin: seen } : expected;
      assert.deepEqual(await page.evaluate(() => window.load()), result, name);
      await page.close();
      console.log(`${name}: ${JSON.stringify(result)}`);
    } finally {
      await end();
      await program.stop();
    }
  }
  await program.serve({ listen: `127.0.0.1:${musettePort}` });
  const end = await start(nginx(documented("nginx"), "/index.html"));
  try {
    const page = await browser.newPage({ locale: "en" });
    await noticesOtherPage(page);
    await showsTheirs(page);
    await fillsThePage(page);
  } finally {
    await end();
  }
} finally {
  await browser.close();
  await program.remove();
  rmSync(folder, { recursive: true, force: true });
}
