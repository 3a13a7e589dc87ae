import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { Musette } from "../setup/musette";
import { signInByLink } from "./admin";

const root = new URL("../../", import.meta.url).pathname;
const program = process.env.MUSETTE_BIN ?? join(root, "target/debug/musette");

interface DemoFlag {
  readonly key: string;
  readonly [name: string]: unknown;
}

export interface DemoDocument {
  readonly flags: readonly DemoFlag[];
  readonly [name: string]: unknown;
}

export const demo: DemoDocument = JSON.parse(readFileSync(join(root, "demo/flags.json"), "utf8"));

/**
 * Saves a configuration as another person would, through the command line of the running server's
 * database.
 */
export function importFlags(musette: Musette, document: object, env = "production"): void {
  const file = join(musette.folder, `flags-${env}.json`);
  writeFileSync(file, JSON.stringify({ ...document, environment: env }));
  execFileSync(program, ["flags", "import", file, "--env", env, "--data", musette.folder], {
    env: { ...process.env, MUSETTE_TEST: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Returns the demonstration's flags with one of them changed. */
export function withChanged(key: string, change: object): DemoDocument {
  return {
    ...demo,
    flags: demo.flags.map((flag) => (flag.key === key ? { ...flag, ...change } : flag)),
  };
}

/** Signs in an admin who sees the demonstration's flags in production. */
export async function enterWithFlags(
  page: Page,
  musette: Musette,
  path = "/flags",
  document: object = demo,
): Promise<void> {
  importFlags(musette, document);
  await signInByLink(page, musette);
  await page.goto(`/console${path}`);
}
