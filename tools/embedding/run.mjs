// Tests the packages like a user: packs them, installs them outside this workspace, type-checks and builds an
// application, and runs it in a browser against the program, under the policies that docs/embedding.md requires.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "@playwright/test";
import { arabicScreen, drawnFlags, firstFlag, firstScreen, ownScreen } from "./checks.mjs";
import { changeToReact18, installHost, run } from "./packed.mjs";
import { serveGateway, serveSite } from "./servers.mjs";
import { startService } from "./service.mjs";

const started = Date.now();
const say = (what) =>
  console.log(`${((Date.now() - started) / 1000).toFixed(1).padStart(5)} s  ${what}`);

const RENDER = `
  import { createElement } from "react";
  import { renderToString } from "react-dom/server";
  import { TermsConsent } from "@musette/react/consent";
  console.log(renderToString(createElement(TermsConsent, { locale: "en" })));
`;

/** Server-side rendering neither fetches nor throws. */
function rendersOnServer(host) {
  const html = run(host, process.execPath, ["--input-type=module", "-e", RENDER]);
  if (!html.includes("Terms &amp; Conditions")) throw new Error(`rendered on a server: ${html}`);
}

/** Renders the flags page for one person, like a host's server. */
async function drawFlags(host, site) {
  const { askFor, draw } = await import(
    `${pathToFileURL(join(host, "drawn/server.js"))}?${Date.now()}`
  );
  const page = join(host, "dist/drawn.html");
  const bootstrap = await askFor(`${site}/api/flags`, { key: "rider-2", userId: "rider-2" });
  const html = readFileSync(page, "utf8").replace("<!-- drawn on the server -->", draw(bootstrap));
  writeFileSync(page, html);
}

async function inBrowser(host) {
  let service;
  const gateway = await serveGateway(
    (...call) => service.gateway(...call),
    () => site.origin,
  );
  const site = await serveSite(
    () => join(host, "dist"),
    (...call) => service.proxy(...call),
    () => gateway.origin,
  );
  service = await startService(site.origin);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
  });
  try {
    run(host, "npm", ["run", "build"], { VITE_GATEWAY: gateway.origin });
    await drawFlags(host, site.origin);
    say("built");
    for (const check of [firstScreen, arabicScreen, ownScreen, firstFlag, drawnFlags]) {
      const page = await browser.newPage({ locale: "en", viewport: { width: 390, height: 844 } });
      page.setDefaultTimeout(10_000);
      const errors = [];
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => {
        const { url } = message.location();
        // The browser's message about the response that the test drops on purpose.
        const lost = url.endsWith("/gateway/consents") && message.text().includes("net::ERR_");
        if (message.type() === "error" && !lost) errors.push(`${message.text()} ${url}`);
      });
      try {
        await check({ page, site: site.origin, service });
      } catch (error) {
        throw new Error(`${check.name}: ${[error.message, ...errors].join("\n")}`, {
          cause: error,
        });
      }
      if (errors.length > 0) throw new Error(`${check.name}: ${errors.join("\n")}`);
      await page.close();
      say(`${check.name} works`);
    }
  } finally {
    await browser.close();
    site.close();
    gateway.close();
    await service.remove();
  }
}

const host = installHost();
try {
  say("installed with React 19");
  rendersOnServer(host);
  await inBrowser(host);
  changeToReact18(host);
  say("installed with React 18");
  rendersOnServer(host);
  await inBrowser(host);
} finally {
  rmSync(host, { recursive: true, force: true });
}
