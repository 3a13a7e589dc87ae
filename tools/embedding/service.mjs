// A mock of the service, in memory and only as complete as the screens need: this tests the packages.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const pdf = readFileSync(new URL("../../testdata/documents/english.pdf", import.meta.url));
const sha256 = createHash("sha256").update(pdf).digest("hex");
// Browsers use the media type and not the file name, so an inline SVG can replace the page image.
const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="780" height="1103"><path d="M0 0h780v1103H0z" fill="#eee"/></svg>`;
const folder = `/documents/${sha256}`;
const manifest = {
  sha256,
  pages: [
    {
      width: 780,
      height: 1103,
      src: `${folder}/1.png`,
      src2x: `${folder}/1@2x.png`,
      lines: `${folder}/1.json`,
    },
  ],
  text: "House rules",
  reading: `${folder}/reading.json`,
  pdf: `${folder}.pdf`,
};
const line = { x: 80, y: 80, width: 200, height: 24, text: "House rules", dir: "ltr" };
const block = { page: 1, kind: "heading", level: 1, text: "House rules", dir: "ltr" };

const documents = {
  [`${folder}.pdf`]: ["application/pdf", pdf],
  [`${folder}/manifest.json`]: ["application/json", JSON.stringify(manifest)],
  [`${folder}/1.png`]: ["image/svg+xml", picture],
  [`${folder}/1@2x.png`]: ["image/svg+xml", picture],
  [`${folder}/1.json`]: ["application/json", JSON.stringify({ lines: [line] })],
  [`${folder}/reading.json`]: ["application/json", JSON.stringify({ blocks: [block] })],
  "/favicon.ico": ["image/svg+xml", picture],
  "/elsewhere/marketing.pdf": ["application/pdf", pdf],
};

const terms = (origin) => [
  {
    id: 18,
    title: "News",
    content: `${origin}/elsewhere/marketing.pdf`,
    mandatory: false,
    display_order: 2,
  },
  {
    id: 17,
    title: "Rules",
    content: `${origin}${folder}.pdf`,
    mandatory: true,
    display_order: 1,
    sha256,
  },
];

const none = (user_id) => ({ user_id, user_type: "RIDER", consents: [] });

const decided = (variation, more) => ({
  variation,
  abTest: false,
  explanation: { kind: "RULE", from: "rule:everyone" },
  relevantContext: ["userId"],
  holdoutsEvaluations: [],
  ...more,
});
const flags = {
  "start-tip": decided("receipt </script>"),
  "quest-cards": decided(true),
  "apply-words": decided("short", {
    abTest: true,
    explanation: { kind: "AB_TEST", from: "experiment:words" },
    experiment: { key: "words", variation: "short", phase: 1, bucketVersion: 1, sticky: false },
  }),
};

/** The part of the flag service that a page needs; returns true if it has responded. */
async function answerFlags(request, response, participations) {
  const path = new URL(request.url, "http://service").pathname.replace("/api/flags/v3/", "");
  if (path === "stream") {
    response.writeHead(200, { "Content-Type": "text/event-stream" }).write(": here\n\n");
    return true;
  }
  if (request.headers.authorization !== "Bearer a-client-key") return false;
  if (path === "features") {
    const { featureList = Object.keys(flags) } = JSON.parse(await read(request));
    const asked = Object.fromEntries(featureList.map((key) => [key, flags[key]]));
    json(response, 200, { version: 1, flags: asked, holdouts: [] });
  } else if (path === "stream-tickets") {
    json(response, 201, { ticket: "once", expires_in: 60 });
  } else if (path === "events") {
    const events = JSON.parse(await read(request));
    participations.push(...events);
    json(response, 202, { accepted: events.length, duplicates: 0 });
  } else {
    return false;
  }
  return true;
}

export function createService() {
  const participations = [];
  /** Maps each Idempotency-Key to the bodies that were sent with it. */
  const submissions = new Map();
  let answersToLose = 0;

  function submit(request, body, response) {
    const key = request.headers["idempotency-key"];
    submissions.set(key, [...(submissions.get(key) ?? []), body]);
    if (answersToLose > 0) {
      answersToLose -= 1;
      // Breaks off in the middle: if no byte arrives, Chromium retries by itself.
      response.writeHead(201, { "Content-Length": 1000 });
      response.write("{", () => response.destroy());
      return;
    }
    const { user_id, user_type, consents } = JSON.parse(body);
    const recorded_at = new Date().toISOString();
    json(response, 201, {
      user_id,
      user_type,
      consents,
      recorded_at,
      receipt: { id: `receipt-${key}` },
    });
  }

  async function answer(request, response) {
    const origin = `http://${request.headers.host}`;
    const { pathname, searchParams } = new URL(request.url, origin);
    if (pathname.startsWith("/api/flags/")) {
      return answerFlags(request, response, participations);
    }
    if (
      request.method === "POST" &&
      /^\/(gateway|api\/rooster\/v3\/terms)\/consents$/.test(pathname)
    ) {
      submit(request, await read(request), response);
    } else if (pathname === "/api/rooster/v3/public/terms") {
      const asked = searchParams.get("types") === "FREELANCER,MARKETING";
      json(response, asked ? 200 : 400, asked ? terms(origin) : { code: "invalid_parameter" });
    } else if (pathname === "/gateway/terms/FREELANCER") {
      const known = request.headers.authorization === "Bearer of-robin";
      json(response, known ? 200 : 401, known ? terms(origin) : { code: "unauthenticated" });
    } else if (pathname === "/gateway/consents/rider-1") {
      json(response, 200, none("rider-1"));
    } else if (documents[pathname]) {
      const [type, body] = documents[pathname];
      response.writeHead(200, { "Content-Type": type }).end(body);
    } else {
      return false;
    }
    return true;
  }

  return {
    answer,
    submissions,
    participations,
    loseAnswers: (count) => {
      answersToLose = count;
    },
  };
}

async function read(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function json(response, status, body) {
  const type = status < 400 ? "application/json" : "application/problem+json";
  response.writeHead(status, { "Content-Type": type }).end(JSON.stringify(body));
}
