import { demoFlagKey } from "../demo/demo";

/** The client key of this installation's flags; without one, the app is as it is without flags. */
export async function flagKey(): Promise<string | undefined> {
  const given = document.querySelector<HTMLMetaElement>('meta[name="musette-flag-key"]')?.content;
  return given || demoFlagKey();
}
