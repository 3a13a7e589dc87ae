import { HttpError, requestJson } from "@musette/client/http";
import { queryOptions } from "@tanstack/react-query";
import { session } from "../session/session";
import { AUTHENTICATOR, type AuthenticatorOffer } from "./authenticator-query";

export const signInTroubles = [
  "credentials_invalid",
  "otp_invalid",
  "link_invalid",
  "password_too_short",
  "password_too_common",
  "authenticator_exists",
  "setup_expired",
  "password_sign_in_off",
  "oidc_unavailable",
  "oidc_expired",
  "oidc_denied",
  "oidc_invalid",
  "oidc_unknown",
  "oidc_not_allowed",
] as const;
export type SignInTrouble = (typeof signInTroubles)[number];

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

function send<T>(url: string, body: object, method = "POST"): Promise<T> {
  return requestJson<T>(fetch, url, {
    method,
    headers: { "Content-Type": "application/json", "X-Musette-Cookies": "hardened" },
    body: JSON.stringify(body),
  });
}

async function open(path: string, body: object): Promise<void> {
  session.setTokens(await send<Tokens>(BASE + path, body));
}

export const signInBy = (email: string, password: string, otp?: string) =>
  open("/tokens", { email, password, ...(otp && { otp }) });

export const redeemLink = (token: string, password: string) => open("/links", { token, password });

/** Nothing is kept of it until its first digits come. */
export const offerAuthenticator = (email: string, password: string) =>
  send<AuthenticatorOffer>(AUTHENTICATOR, { email, password });

export async function setUpAuthenticator(
  email: string,
  password: string,
  setup: string,
  otp: string,
): Promise<void> {
  const body = { email, password, setup, otp };
  session.setTokens(await send<Tokens>(AUTHENTICATOR, body, "PUT"));
}

/** The code of a refusal, where there is one. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof HttpError ? error.problem?.code : undefined;

export const knownTrouble = (code: string | undefined): SignInTrouble | undefined =>
  signInTroubles.find((known) => known === code);
