import { HttpError } from "@musette/client/http";
import { queryOptions } from "@tanstack/react-query";
import { anonymousApi } from "../api/client";
import { session, signOutUnderWay } from "../session/session";

export const signInErrorCodes = [
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
  "oidc_address_taken",
] as const;
export type SignInErrorCode = (typeof signInErrorCodes)[number];

/** The address that starts a sign-in with the company's OIDC provider. */
export const OIDC_START = "/api/session/v1/console/oidc/start";
const AUTHENTICATOR = "/api/session/v1/console/authenticator";

export const signInOptionsQuery = queryOptions({
  queryKey: ["sign-in-options"],
  queryFn: () => anonymousApi.get("/api/session/v1/console/sign-in-options"),
  staleTime: Number.POSITIVE_INFINITY,
});

async function startSession(
  ask: () => Promise<Parameters<typeof session.setTokens>[0]>,
): Promise<void> {
  const former = signOutUnderWay();
  if (former) await former;
  session.setTokens(await ask());
}

export async function signInWithPassword(
  email: string,
  password: string,
  otp?: string,
): Promise<void> {
  const body = { email, password, ...(otp && { otp }) };
  await startSession(() => anonymousApi.post("/api/session/v1/console/tokens", { body }));
}

export async function redeemLink(token: string, password: string, otp?: string): Promise<void> {
  const body = { token, password, ...(otp && { otp }) };
  await startSession(() => anonymousApi.post("/api/session/v1/console/links", { body }));
}

/** Offers a new authenticator. The server stores nothing until its first code. */
export const offerAuthenticator = (email: string, password: string) =>
  anonymousApi.post(AUTHENTICATOR, { body: { email, password } });

export async function setUpAuthenticator(
  email: string,
  password: string,
  setup: string,
  otp: string,
): Promise<void> {
  const body = { email, password, setup, otp };
  await startSession(() => anonymousApi.put(AUTHENTICATOR, { body }));
}

/** Returns the code of an error, if there is one. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof HttpError ? error.problem?.code : undefined;

export const knownSignInError = (code: string | undefined): SignInErrorCode | undefined =>
  signInErrorCodes.find((known) => known === code);
