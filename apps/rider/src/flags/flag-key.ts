import { demoFlagKey } from "../demo/demo";

/** Returns the client key of this installation's flags. Without a key, the app works without flags. */
export async function flagKey(): Promise<string | undefined> {
  const key = document.querySelector<HTMLMetaElement>('meta[name="musette-flag-key"]')?.content;
  return key || demoFlagKey();
}
