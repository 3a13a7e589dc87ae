import type { Page } from "@playwright/test";
import type { Musette } from "./musette";

/** Signs a rider in like a host's app: with the two cookies. */
export async function signIn(
  page: Page,
  musette: Musette,
  user: string,
  ttlSeconds = 900,
): Promise<void> {
  const tokens = musette.tokens(user, ttlSeconds);
  await page.context().addCookies([
    { name: "dhh_token", value: tokens.dhhToken, url: musette.url },
    { name: "refresh_token", value: tokens.refreshToken, url: musette.url },
  ]);
}
