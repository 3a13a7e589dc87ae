import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * The connection between a phone and the server: it can be slow, lose answers, and simulate a newer
 * version of the server.
 */
export interface Network {
  readonly url: string;
  latencyMs: number;
  /** API requests wait for this promise before they are forwarded. */
  held: Promise<void> | undefined;
  /** The answer to this path waits for this promise. The server has already processed the request. */
  late: (path: string) => Promise<void> | undefined;
  /** The server records every so many-th API request, but its answer is lost; 0 means none. */
  loseEvery: number;
  /** The fate of an API request by its number, from 1: it never arrives, or its answer is lost. */
  fate: (number: number) => "request lost" | "answer lost" | undefined;
  /** Answers in place of the server, if it returns anything. */
  instead: (path: string) => { readonly type: string; readonly body: string } | 404 | undefined;
  close(): Promise<void>;
}

export async function network(server: string): Promise<Network> {
  const target = new URL(server);
  let requests = 0;
  const line = createServer(async (from, to) => {
    const path = from.url ?? "/";
    const instead = state.instead(path.split("?")[0] ?? "/");
    if (instead === 404) return void to.writeHead(404).end();
    if (instead) {
      to.writeHead(200, { "content-type": instead.type, "cache-control": "no-cache" });
      return void to.end(instead.body);
    }
    const number = path.startsWith("/api/") ? ++requests : 0;
    const fate = number > 0 ? state.fate(number) : undefined;
    const isLost = number > 0 && state.loseEvery > 0 && number % state.loseEvery === 0;
    await new Promise((done) => setTimeout(done, state.latencyMs));
    if (number > 0) await state.held;
    if (fate === "request lost") return void to.destroy();
    forward(target, from, to, isLost || fate === "answer lost", state.late(path));
  });
  const state: Network = {
    url: "",
    latencyMs: 0,
    held: undefined,
    late: () => undefined,
    loseEvery: 0,
    fate: () => undefined,
    instead: () => undefined,
    close: () =>
      new Promise((done) => {
        line.close(() => done());
        line.closeAllConnections();
      }),
  };
  await new Promise<void>((listening) => line.listen(0, "127.0.0.1", listening));
  const { port } = line.address() as AddressInfo;
  return Object.assign(state, { url: `http://127.0.0.1:${port}` });
}

function forward(
  target: URL,
  from: IncomingMessage,
  to: ServerResponse,
  isLost: boolean,
  late: Promise<void> | undefined,
): void {
  const { method, url, headers } = from;
  const options = { hostname: target.hostname, port: target.port, method, path: url };
  const forwarded = request(
    { ...options, headers: { ...headers, host: target.host } },
    async (answer) => {
      // The server has processed the request, but the phone never receives the answer.
      if (isLost) {
        answer.resume();
        to.destroy();
        return;
      }
      await late;
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
    },
  );
  forwarded.on("error", () => to.destroy());
  from.pipe(forwarded);
}

/** Loses a fifth of all requests, half of them on the way there. The same seed gives the same result. */
export function loseAFifth(seed: number): Network["fate"] {
  return (number) => {
    // One step of splitmix32: neighbouring numbers give unrelated results.
    let mixed = Math.imul(seed * 7919 + number, 0x9e3779b9);
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    const share = ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
    if (share >= 0.2) return undefined;
    return share < 0.1 ? "request lost" : "answer lost";
  };
}
