import type { Schema } from "@musette/client/api";
import { requestJson } from "@musette/client/http";
import type { Me } from "../session/me";

export type AutomatedSystem = Schema<"PublicSystem">;

const PAGE = "/automated-systems";

/** The public register needs no session: a link to the page works for everyone. */
export async function fetchSystems(
  language: string,
  market: string | null,
  at?: string | null,
): Promise<readonly AutomatedSystem[]> {
  const search = new URLSearchParams({
    ...(market !== null && { market }),
    ...(at && { at }),
  }).toString();
  const list = await requestJson<Schema<"PublicSystemList">>(
    fetch,
    `/api/rooster/v3/public/automated-systems${search === "" ? "" : `?${search}`}`,
    { headers: { "Accept-Language": language } },
  );
  return list.items;
}

/** Returns the address of the register for this person; undefined if it has nothing for them. */
export function systemsHref(me: Me | undefined): string | undefined {
  const systems = me?.automated_systems;
  if (!systems || systems.in_effect === 0) return undefined;
  return systems.market === null ? PAGE : `${PAGE}?market=${encodeURIComponent(systems.market)}`;
}

/** Divides a text at its empty lines. */
export const paragraphs = (text: string): readonly string[] =>
  text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
