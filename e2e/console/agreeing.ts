import type { Musette } from "../setup/musette";

interface Offered {
  readonly id: number;
  readonly mandatory: boolean;
  readonly sha256: string;
}

async function json<T>(url: string, init: RequestInit): Promise<T> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/**
 * Submits the consent of a rider who reads Arabic: "yes" to the mandatory terms and "no" to the
 * others. Returns the receipt as the rider would keep it.
 */
export async function submitConsent(
  musette: Musette,
  user: string,
): Promise<{ readonly id: string }> {
  const headers = {
    Authorization: `Bearer ${musette.tokens(user, 900).dhhToken}`,
    "Content-Type": "application/json",
    "Accept-Language": "ar",
  };
  const base = `${musette.url}/api/rooster/v3/terms`;
  const offered = await json<readonly Offered[]>(base, { headers });
  const consents = offered.map(({ id, mandatory, sha256 }) => ({
    terms_and_conditions_id: id,
    accepted: mandatory,
    sha256,
    consented_at: new Date().toISOString(),
  }));
  const body = JSON.stringify({ user_id: user, user_type: "RIDER", locale: "ar", consents });
  const answer = await json<{ receipt: { readonly id: string } }>(`${base}/consents`, {
    method: "POST",
    headers,
    body,
  });
  return answer.receipt;
}
