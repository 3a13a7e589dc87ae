import { requestJson } from "@musette/client/http";
import { queryOptions } from "@tanstack/react-query";
import { session } from "../session/session";

export const AUTHENTICATOR = "/api/session/v1/console/authenticator";

export interface AuthenticatorOffer {
  /** To be sent back with the first digits. */
  readonly setup: string;
  readonly secret: string;
  readonly qr: { readonly size: number; readonly path: string };
}

interface AuthenticatorStanding {
  readonly is_set: boolean;
  /** From then on one is needed; absent where none is. */
  readonly required_from?: string;
}

/** Of whoever is signed in. */
export const authenticatorQuery = queryOptions({
  queryKey: ["authenticator"],
  queryFn: () => requestJson<AuthenticatorStanding>(session.fetch, AUTHENTICATOR),
  staleTime: 5 * 60_000,
});
