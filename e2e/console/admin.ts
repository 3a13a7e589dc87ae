import type { Page } from "@playwright/test";
import type { Musette } from "../setup/musette";

export const EMAIL = "ada@larkspur.example";
export const PASSWORD = "a sentence that is easy to keep";

/** Opens the one-time link of a new admin and sets a password, which signs in. */
export async function signInByLink(page: Page, musette: Musette): Promise<void> {
  const token = musette.addAdmin("ada-admin", EMAIL);
  await page.goto(`/console/sign-in#${token}`);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByLabel("Confirm password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set password and sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
}

/** Signs out, and signs in as another colleague. */
export async function switchUser(page: Page, email: string): Promise<void> {
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
}
