import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { AxiosError, type AxiosInstance, create } from "axios";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { browserManagers } from "./managers";
import { createSession, type Session } from "./session";
import { token } from "./testing/service";

/*
 * These tests use axios with its own adapter over a socket, because the body of a second request depends
 * on axios and Node. A fake adapter would not show that.
 */

const EXPIRED = token({ sub: "r1", sid: "s1", iat: 1, exp: 2 });
const FRESH = token({ sub: "r1", sid: "s1", iat: 3, exp: 4_000_000_000 });

interface ReceivedRequest {
  readonly path: string;
  readonly token: string | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

let server: Server;
let base = "";
let received: ReceivedRequest[] = [];
let axios: AxiosInstance;
let session: Session;

async function readRequest(request: IncomingMessage): Promise<ReceivedRequest> {
  return {
    path: request.url ?? "",
    token: request.headers.authorization?.slice("Bearer ".length),
    type: request.headers["content-type"]?.split(";")[0],
    body: await text(request),
  };
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const call = await readRequest(request);
    received.push(call);
    const refresh = call.path === "/refresh";
    const status = refresh || call.token === FRESH ? 200 : 401;
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(JSON.stringify(refresh ? { dhhToken: FRESH, refreshToken: "two" } : {}));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

beforeEach(() => {
  received = [];
  const managers = { ...browserManagers(), page: `${base}/` };
  session = createSession({ refreshUrl: `${base}/refresh`, onLogout: () => {} }, managers);
  session.setTokens({ dhhToken: EXPIRED, refreshToken: "one" });
  axios = create({ baseURL: base, adapter: "http" });
  session.attach(axios);
});

const form = () => {
  const data = new FormData();
  data.append("file", new Blob(["a file"]), "a.txt");
  return data;
};

it.each<[string, unknown, string, string]>([
  ["an object", { accepted: true }, "application/json", '{"accepted":true}'],
  ["a text", "plain", "application/x-www-form-urlencoded", "plain"],
  ["bytes", Buffer.from("bytes"), "application/x-www-form-urlencoded", "bytes"],
  ["parameters", new URLSearchParams({ a: "b c" }), "application/x-www-form-urlencoded", "a=b+c"],
  ["a form", form(), "multipart/form-data", "a file"],
])("%s is replayed with the same type and body", async (_, data, type, body) => {
  const { status } = await axios.post("/api", data);
  expect(status).toBe(200);
  expect(received.map(({ path }) => path)).toEqual(["/api", "/refresh", "/api"]);
  const [first, , second] = received;
  expect([first?.token, second?.token]).toEqual([EXPIRED, FRESH]);
  for (const each of [first, second]) {
    expect(each?.type).toBe(type);
    expect(each?.body).toContain(body);
  }
});

it("transforms the data of a replay once", async () => {
  const wrapped = create({
    baseURL: base,
    adapter: "http",
    transformRequest: [
      (data, headers) => {
        headers.setContentType("application/json");
        return JSON.stringify({ envelope: data });
      },
    ],
  });
  session.attach(wrapped);
  await wrapped.post("/api", { accepted: true });
  expect(received.map(({ path }) => path)).toEqual(["/api", "/refresh", "/api"]);
  for (const call of [received[0], received[2]]) {
    expect(call?.body).toBe('{"envelope":{"accepted":true}}');
  }
});

it("a stream waits for the refresh and is sent once, completely", async () => {
  const { status } = await axios.post("/api", Readable.from(["a ", "stream"]));
  expect(status).toBe(200);
  expect(received.map(({ path }) => path)).toEqual(["/refresh", "/api"]);
  expect(received[1]?.body).toBe("a stream");
});

it("50 requests at once share one refresh, and all succeed", async () => {
  const all = await Promise.all(Array.from({ length: 50 }, () => axios.get("/api")));
  expect(all.map(({ status }) => status)).toEqual(Array(50).fill(200));
  expect(received.filter(({ path }) => path === "/refresh")).toHaveLength(1);
});

it("a request without a token rejects with the error of axios", async () => {
  session.clear();
  const error = await axios.get("/api").catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AxiosError);
  expect(error).toMatchObject({
    message: "Request failed with status code 401",
    code: "ERR_BAD_REQUEST",
    cause: { message: "Missing cookie dhh_token or refresh_token" },
  });
  expect(received.map(({ path }) => path)).toEqual(["/api"]);
});
