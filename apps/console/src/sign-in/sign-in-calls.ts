import { HttpError, requestJson } from "@musette/client/http";
import { queryOptions } from "@tanstack/react-query";
import { session } from "../session/session";
import { type SignInTrouble, signInTroubles } from "../texts/texts";

const BASE = "/api/session/v1/console";

interface SignInOptions {
  readonly password: boolean;
  readonly oidc: { readonly name: string } | null;
}

interface Tokens {
  readonly dhhToken: string;
}

/** Where the browser goes to sign in with the company's provider. */
export const OIDC_START = `${BASE}/oidc/start`;

export const signInOptionsQuery = queryOptions({
  queryKey: ["sign-in-options"],
  queryFn: () => requestJson<SignInOptions>(fetch, `${BASE}/sign-in-options`),
  staleTime: Number.POSITIVE_INFINITY,
});

async function open(path: string, body: object): Promise<void> {
  const tokens = await requestJson<Tokens>(fetch, BASE + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Musette-Cookies": "hardened" },
    body: JSON.stringify(body),
  });
  session.setTokens(tokens);
}

export const signInBy = (email: string, password: string, otp?: string) =>
  open("/tokens", { email, password, ...(otp && { otp }) });

export const redeemLink = (token: string, password: string) => open("/links", { token, password });

/** The code of a refusal, where there is one. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof HttpError ? error.problem?.code : undefined;

export const knownTrouble = (code: string | undefined): SignInTrouble | undefined =>
  signInTroubles.find((known) => known === code);
