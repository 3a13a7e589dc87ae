import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { headersInDocs } from "./docs.mjs";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
};

async function listen(handler) {
  const server = createServer((request, response) => {
    handler(request, response).catch((error) => {
      console.error(error);
      response.writeHead(500).end();
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** The gateway on its own origin, with the CORS headers of docs/embedding.md for one host. */
export function serveGateway(answer, allowedOrigin) {
  const { cors, preflight } = headersInDocs();
  const filled = (headers) =>
    Object.fromEntries(
      headers.map(([name, value]) => [name, value.replace("https://app.example", allowedOrigin())]),
    );
  return listen(async (request, response) => {
    for (const [name, value] of Object.entries(filled(cors))) response.setHeader(name, value);
    if (request.method === "OPTIONS") response.writeHead(204, filled(preflight)).end();
    else if (!(await answer(request, response))) response.writeHead(404).end();
  });
}

/** The built host with the policies of docs/embedding.md, and the program on the same origin. */
export function serveSite(folder, answer, gateway) {
  const { pagePolicy, framePolicy } = headersInDocs();
  return listen(async (request, response) => {
    const path = new URL(request.url, "http://site").pathname;
    if (path === "/favicon.ico") return response.writeHead(204).end();
    const file = join(folder(), path === "/" ? "index.html" : path);
    if (!existsSync(file) || !statSync(file).isFile()) {
      if (!(await answer(request, response))) response.writeHead(404).end();
      return;
    }
    const policy = path.startsWith("/viewer/") ? framePolicy : pagePolicy;
    response.writeHead(200, {
      "Content-Type": TYPES[extname(file)] ?? "application/octet-stream",
      "Content-Security-Policy": policy.replaceAll("https://musette.example", gateway()),
    });
    response.end(readFileSync(file));
  });
}
