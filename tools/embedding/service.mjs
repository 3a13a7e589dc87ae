// The real program with terms, a rider and flags, behind what a host puts before it: a proxy on the
// page's origin, and a separate gateway. Both record what the tests check.
import { readFileSync } from "node:fs";
import { request as forward } from "node:http";
import { fileURLToPath } from "node:url";
import { Program } from "../program/program.mjs";

const file = fileURLToPath(new URL("../../testdata/documents/english.pdf", import.meta.url));
const TYPES = "types=FREELANCER,MARKETING";

const flag = (key, type, values, more) => ({
  key,
  type,
  on: true,
  salt: key,
  clientVisible: true,
  variations: values.map((value) => ({ key: String(value).replace(/\W.*/, ""), value })),
  offVariation: String(values[0]),
  defaultVariation: String(values[0]),
  baselineVariation: String(values[0]),
  rules: [],
  ...more,
});

/** Returns a rule that serves all people a variation, or an experiment. */
const everyone = (serve) => ({ rules: [{ id: "everyone", when: { all: [] }, serve }] });

const configuration = {
  schema: "musette.flags/1",
  environment: "production",
  version: 0,
  attributes: [],
  segments: [],
  layers: [],
  holdouts: [],
  flags: [
    // A value that would end the script element of a page that embeds it unescaped.
    flag("start-tip", "string", ["none", "receipt </script>"], everyone({ variation: "receipt" })),
    flag("quest-cards", "boolean", [false, true], everyone({ variation: "true" })),
    flag(
      "apply-words",
      "string",
      ["long", "short"],
      everyone({ experiment: { key: "words", weights: { long: 0, short: 100_000 } } }),
    ),
  ],
};

/** Maps the keys and tokens in the docs' examples to the program's own. */
function credentials(program, publicUrl) {
  const issued = program.run("token", "issue", "--user", "rider-1", "--public-url", publicUrl);
  return new Map([
    ["Bearer a-client-key", `Bearer ${program.key("client")}`],
    ["Bearer of-robin", `Bearer ${JSON.parse(issued).dhhToken}`],
  ]);
}

function publish(program, title, ...options) {
  const printed = program.run("terms", "publish", "--title", title, ...options, file);
  return JSON.parse(printed).id;
}

/** Starts the program for a page on `publicUrl`. */
export async function startService(publicUrl) {
  const program = new Program();
  const ids = {
    rules: publish(program, "Rules", "--type", "FREELANCER", "--mandatory", "--order", "1"),
    news: publish(program, "News", "--type", "MARKETING", "--order", "2"),
  };
  program.run("user", "add", "--id", "rider-1");
  program.import(configuration);
  const tokens = credentials(program, publicUrl);
  await program.serve({ options: ["--public-url", publicUrl] });

  const participations = [];
  /** Maps each Idempotency-Key to the bodies that were sent with it. */
  const submissions = new Map();
  let answersToLose = 0;

  function record(path, headers, body) {
    if (path.endsWith("/events")) participations.push(...JSON.parse(body));
    if (!path.endsWith("/consents") || body === "") return;
    const key = headers["idempotency-key"];
    submissions.set(key, [...(submissions.get(key) ?? []), body]);
  }

  /** Forwards a request to the program, and resolves with its response, whose body is not read yet. */
  async function ask(request, path) {
    const body = await read(request);
    record(path, request.headers, body);
    const { authorization, connection, "accept-encoding": _, ...headers } = request.headers;
    if (authorization) headers.authorization = tokens.get(authorization) ?? authorization;
    return new Promise((done, failed) => {
      const forwarded = forward(program.url + path, { method: request.method, headers }, done);
      forwarded.on("error", failed).end(body);
    });
  }

  /** Forwards a request that belongs to the program, and returns whether it did. */
  async function proxy(request, response) {
    if (!/^\/(api|documents)\//.test(request.url)) return false;
    const answer = await ask(request, request.url);
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
    // An event stream ends when its page is closed.
    response.on("close", () => answer.destroy());
    return true;
  }

  /**
   * Answers the calls of the host's own gateway, under other paths, and serves a document that is
   * not Musette's.
   */
  async function gateway(request, response) {
    const path = request.url.replace("/gateway", "");
    if (path === "/elsewhere/marketing.pdf") {
      response.writeHead(200, { "Content-Type": "application/pdf" }).end(readFileSync(file));
    } else if (path === "/terms/FREELANCER") {
      const answer = await ask(request, `/api/rooster/v3/terms?${TYPES}`);
      const terms = JSON.parse(await read(answer));
      const foreign = `http://${request.headers.host}/elsewhere/marketing.pdf`;
      const shown = terms.map((term) => (term.id === ids.news ? withContent(term, foreign) : term));
      json(response, answer.statusCode, shown);
    } else if (path === "/consents/rider-1") {
      const answer = await ask(request, "/api/rooster/v3/terms/rider-1/consents");
      json(response, answer.statusCode, JSON.parse(await read(answer)));
    } else if (path === "/consents") {
      const answer = await ask(request, "/api/rooster/v3/terms/consents");
      const body = await read(answer);
      if (answersToLose > 0) {
        answersToLose -= 1;
        // Breaks off in the middle. If no byte arrives, Chromium retries by itself.
        response.writeHead(answer.statusCode, { "Content-Length": 1000 });
        response.write("{", () => response.destroy());
      } else json(response, answer.statusCode, JSON.parse(body));
    } else {
      return false;
    }
    return true;
  }

  return {
    ids,
    proxy,
    gateway,
    submissions,
    participations,
    loseAnswers: (count) => {
      answersToLose = count;
    },
    remove: () => program.remove(),
  };
}

/** Returns a term with a document of another host: without the SHA-256 of Musette's. */
function withContent({ sha256, ...term }, content) {
  return { ...term, content };
}

async function read(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function json(response, status, body) {
  const type = status < 400 ? "application/json" : "application/problem+json";
  response.writeHead(status, { "Content-Type": type }).end(JSON.stringify(body));
}
