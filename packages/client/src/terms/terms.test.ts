import { beforeEach, describe, expect, it, vi } from "vitest";
import { HttpError } from "../http";
import { SessionError } from "../session";
import type { Choice } from "./agreement";
import { defaultConsentList, submittedUserType } from "./consents";
import { clearDraft, loadDraft, saveDraft } from "./draft";
import { failureKind, failureOf } from "./failure";
import { buildSubmission, newIdempotencyKey } from "./submission";
import { sortTerms, type Term } from "./term";
import { createTermsClient } from "./terms-client";

const term = (id: number, display_order = 1): Term => ({
  id,
  title: `Term ${id}`,
  content: "https://terms.example/1.pdf",
  mandatory: true,
  display_order,
});

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": status < 300 ? "application/json" : "application/problem+json" },
  });

describe("user_type", () => {
  it.each([
    ["rider-1", "RIDER"],
    ["", "APPLICANT"],
    [undefined, "APPLICANT"],
  ])("submitted with the user id %j is %s", (userId, type) => {
    expect(submittedUserType(userId)).toBe(type);
  });

  it("is the opposite in the default list", () => {
    expect(defaultConsentList("rider-1")).toEqual({
      user_id: "rider-1",
      user_type: "APPLICANT",
      consents: [],
    });
    const applicant = { user_id: "", user_type: "RIDER", consents: [] };
    expect(defaultConsentList(undefined)).toEqual(applicant);
    expect(defaultConsentList("")).toEqual(applicant);
  });
});

it("sorts by display_order, then by id, without changing the input", () => {
  const answer = [term(3, 2), term(2, 1), term(1, 2)];
  expect(sortTerms(answer).map(({ id }) => id)).toEqual([2, 1, 3]);
  expect(answer[0]?.id).toBe(3);
});

describe("submission", () => {
  const consentedAt = new Date("2026-11-21T09:30:00Z");

  it("has one entry per term with the available evidence", () => {
    const submission = buildSubmission({
      userId: "rider-1",
      terms: [{ ...term(1), sha256: "ab" }, term(2), term(3)],
      agreement: {
        earlier: new Set([2]),
        choices: new Map([[1, { accepted: true, method: "agree_all" }]]),
      },
      readings: new Map([[1, { opened: true, lastPage: 20_000 }]]),
      consentedAt,
      locale: "de",
      app: "fleet/1.2",
    });
    const consented_at = "2026-11-21T09:30:00.000Z";
    expect(submission).toEqual({
      user_id: "rider-1",
      user_type: "RIDER",
      consents: [
        {
          accepted: true,
          terms_and_conditions_id: 1,
          consented_at,
          sha256: "ab",
          method: "agree_all",
          opened: true,
          last_page: 10_000,
        },
        { accepted: true, terms_and_conditions_id: 2, consented_at, opened: false },
        { accepted: false, terms_and_conditions_id: 3, consented_at, opened: false },
      ],
      locale: "de",
      app: "fleet/1.2",
    });
  });

  it("omits undecided optional terms if earlier decisions are unknown", () => {
    const optional = (id: number) => ({ ...term(id), mandatory: false });
    const input = {
      userId: "rider-1",
      terms: [term(1), optional(2), optional(3), optional(4)],
      readings: new Map(),
      consentedAt,
    };
    const tick = { accepted: true, method: "tick" } as const;
    const choices = new Map<number, Choice>([
      [1, tick],
      [3, tick],
      [4, { accepted: false, method: "tick" }],
    ]);
    const build = (earlierKnown: boolean, earlier: readonly number[] = []) =>
      buildSubmission({
        ...input,
        earlierKnown,
        agreement: { earlier: new Set(earlier), choices },
      }).consents.map((entry) => [entry.terms_and_conditions_id, entry.accepted]);
    expect(build(false)).toEqual([
      [1, true],
      [3, true],
    ]);
    expect(build(true, [2])).toEqual([
      [1, true],
      [2, true],
      [3, true],
      [4, false],
    ]);
  });

  it("has an empty user id for an applicant", () => {
    const agreement = { earlier: new Set<number>(), choices: new Map() };
    const input = { terms: [], agreement, readings: new Map(), consentedAt };
    expect(buildSubmission({ ...input, userId: undefined })).toEqual({
      user_id: "",
      user_type: "APPLICANT",
      consents: [],
    });
  });

  it("has unique keys of at least 22 visible characters", () => {
    const keys = new Set(Array.from({ length: 100 }, newIdempotencyKey));
    expect(keys.size).toBe(100);
    for (const key of keys) expect(key).toMatch(/^[!-~]{22,255}$/);
  });
});

describe("client", () => {
  const createClient = () => {
    const fetch = vi.fn(async (...[url]: Parameters<typeof globalThis.fetch>) =>
      json(String(url).includes("/history") ? { history: [] } : []),
    );
    return { fetch, client: createTermsClient({ fetch, locale: "ar-EG" }) };
  };

  it.each([
    [{ termsType: "FREELANCER" }, "/public/terms?types=FREELANCER,MARKETING"],
    [{ termsType: "COURIER", userId: "r1" }, "/terms?types=COURIER,MARKETING"],
    [{ termsType: "COURIER", userId: "" }, "/public/terms?types=COURIER,MARKETING"],
  ])("fetches %j from %s", async (query, path) => {
    const { fetch, client } = createClient();
    await client.fetchTerms(query);
    expect(fetch.mock.calls[0]?.[0]).toBe(`/api/rooster/v3${path}`);
    expect(fetch.mock.calls[0]?.[1]?.headers).toMatchObject({ "Accept-Language": "ar-EG" });
  });

  it("bypasses the HTTP cache for fresh terms", async () => {
    const { fetch, client } = createClient();
    await client.fetchTerms({ termsType: "COURIER" });
    await client.fetchTerms({ termsType: "COURIER", fresh: true });
    expect(fetch.mock.calls.map(([, init]) => init?.cache)).toEqual([undefined, "reload"]);
  });

  it("fetches consents and history of exactly one user", async () => {
    const { fetch, client } = createClient();
    await client.fetchConsents("a/b?c");
    await client.fetchHistory("r1", { before: 7 });
    expect(fetch.mock.calls.map(([url]) => url)).toEqual([
      "/api/rooster/v3/terms/a%2Fb%3Fc/consents",
      "/api/rooster/v3/terms/r1/history?limit=100&before=7",
    ]);
  });

  it("submits JSON with the idempotency key", async () => {
    const { fetch, client } = createClient();
    const submission = { user_id: "", user_type: "APPLICANT", consents: [] } as const;
    await client.submitConsents(submission, { idempotencyKey: "k".repeat(32) });
    const [url, init] = fetch.mock.calls[0] ?? [];
    expect(url).toBe("/api/rooster/v3/terms/consents");
    expect(init).toMatchObject({
      method: "POST",
      body: JSON.stringify(submission),
      headers: { "Content-Type": "application/json", "Idempotency-Key": "k".repeat(32) },
    });
  });

  it("throws if the response is not a list of terms", async () => {
    const client = createTermsClient({ fetch: async () => json({ signIn: true }) });
    await expect(client.fetchTerms({ termsType: "X" })).rejects.toThrow("not a list");
  });
});

describe("failureKind", () => {
  const fetchError = async (status: number, code?: string) => {
    const fetch = async () => json({ code, status }, status);
    return createTermsClient({ fetch })
      .fetchTerms({ termsType: "X" })
      .catch((error) => error);
  };

  it.each([
    [409, "terms_changed", "changed"],
    [409, "idempotency_key_in_use", "server"],
    [422, "consented_at_in_future", "clock"],
    [422, "unknown_term", "refused"],
    [401, "unauthenticated", "signedOut"],
    [403, "permission_denied", "signedOut"],
    [429, "rate_limited", "rateLimited"],
    [503, "unavailable", "server"],
  ])("%i %s is %s", async (status, code, kind) => {
    const error = await fetchError(status, code);
    expect(error).toBeInstanceOf(HttpError);
    expect(failureKind(error)).toBe(kind);
  });

  it("no response is offline with every HTTP client", () => {
    expect(failureKind(new TypeError("Failed to fetch"))).toBe("offline");
    expect(failureKind(new DOMException("", "AbortError"))).toBe("offline");
    expect(failureKind(Object.assign(new Error(), { code: "ERR_NETWORK" }))).toBe("offline");
  });

  it("a failed token refresh without a response is offline, not signedOut", () => {
    const unavailable = new SessionError("refresh_unavailable");
    const unauthorized = new Response("", { status: 401 });
    expect(failureKind(unavailable)).toBe("offline");
    expect(failureKind(new HttpError(unauthorized, undefined, { cause: unavailable }))).toBe(
      "offline",
    );
    const rejected = { cause: new SessionError("refresh_rejected") };
    expect(failureKind(new HttpError(unauthorized, undefined, rejected))).toBe("signedOut");
  });

  it("classifies an error of axios", () => {
    const response = { status: 409, data: { code: "terms_changed" } };
    expect(failureKind(Object.assign(new Error(), { response }))).toBe("changed");
  });

  it("an error of a portal or proxy is not final for the submission", () => {
    const portal = (status: number) =>
      failureOf(Object.assign(new Error(), { response: { status, data: "<html>" } }));
    expect(portal(404)).toEqual({ kind: "server", final: false });
    expect(portal(408)).toEqual({ kind: "server", final: false });
    expect(portal(422)).toEqual({ kind: "refused", final: true });
    const response = { status: 404, data: { code: "not_found" } };
    expect(failureOf(Object.assign(new Error(), { response })).final).toBe(true);
  });

  it.each([
    [429, { "Retry-After": "17" }, 17],
    [503, { "Retry-After": "0" }, 0],
    [
      503,
      { "Retry-After": "Sat, 21 Nov 2026 09:31:00 GMT", Date: "Sat, 21 Nov 2026 09:30:18 GMT" },
      42,
    ],
    [503, { "Retry-After": "soon" }, undefined],
    [503, {}, undefined],
    [422, { "Retry-After": "17" }, undefined],
  ])("%i with %j has a delay of %s seconds", (status, headers, seconds) => {
    const response = new Response(null, { status, headers: headers as Record<string, string> });
    expect(failureOf(new HttpError(response)).seconds).toBe(seconds);
    const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    const axios = { response: { status, headers: Object.fromEntries(lowerCase) } };
    expect(failureOf(Object.assign(new Error(), axios)).seconds).toBe(seconds);
  });

  it("an unknown error is server", () => {
    expect(failureKind(new Error("?"))).toBe("server");
    expect(failureKind(undefined)).toBe("server");
  });
});

describe("a draft", () => {
  const now = new Date("2026-11-21T09:30:00Z");
  const tick = { accepted: true, method: "tick" } as const;
  const choices = new Map<number, Choice>([
    [1, tick],
    [2, { accepted: false, method: "tick" }],
  ]);
  const stored = new Map<string, string>();

  beforeEach(() => {
    stored.clear();
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    };
    const named = { ownKeys: () => [...stored.keys()], getOwnPropertyDescriptor: enumerable };
    vi.stubGlobal("sessionStorage", new Proxy(storage, named));
  });
  const enumerable = () => ({ enumerable: true, configurable: true, value: "" });

  it("restores only ticks, and only for the same account and type", () => {
    saveDraft("r1", "FREELANCER", choices, now);
    expect([...loadDraft("r1", "FREELANCER", now)]).toEqual([[1, { accepted: true }]]);
    expect(loadDraft("r2", "FREELANCER", now).size).toBe(0);
    expect(loadDraft("r1", "COURIER", now).size).toBe(0);
    saveDraft("r2", "FREELANCER", new Map([[2, tick]]), now);
    expect([...loadDraft("r1", "FREELANCER", now).keys()]).toEqual([1]);
  });

  it("is never stored for an applicant", () => {
    saveDraft(undefined, "FREELANCER", choices, now);
    saveDraft("", "FREELANCER", choices, now);
    expect(stored.size).toBe(0);
    expect(loadDraft(undefined, "FREELANCER", now).size).toBe(0);
  });

  it("removes and never reads drafts in the format of an earlier version", () => {
    const former = JSON.stringify({ at: now.getTime(), choices: [[1, tick]], readings: [] });
    stored.set("musette-draft:FREELANCER:", former).set("musette-draft:COURIER:r1", former);
    stored.set("another", "stays");
    expect(loadDraft(undefined, "FREELANCER", now).size).toBe(0);
    expect([...stored.keys()]).toEqual(["another"]);
    stored.set("musette-draft:FREELANCER:r1", former);
    expect(loadDraft("r1", "FREELANCER", now).size).toBe(0);
    expect([...stored.keys()]).toEqual(["another"]);
  });

  it("is empty after clearDraft, after a day, or if the clock was set back", () => {
    saveDraft("r1", "FREELANCER", choices, now);
    const after = (hours: number) => new Date(now.getTime() + hours * 3600 * 1000);
    expect(loadDraft("r1", "FREELANCER", after(24)).size).toBe(0);
    expect(loadDraft("r1", "FREELANCER", after(-1)).size).toBe(0);
    expect(loadDraft("r1", "FREELANCER", after(23)).size).toBe(1);
    clearDraft("r1", "FREELANCER");
    expect(loadDraft("r1", "FREELANCER", now).size).toBe(0);
  });

  it("is empty without an error if it is damaged or storage is blocked", () => {
    stored.set("musette-ticks:FREELANCER:r1", "{");
    expect(loadDraft("r1", "FREELANCER", now).size).toBe(0);
    vi.stubGlobal("sessionStorage", undefined);
    saveDraft("r1", "FREELANCER", choices, now);
    clearDraft("r1", "FREELANCER");
    expect(loadDraft("r1", "FREELANCER", now).size).toBe(0);
  });
});
