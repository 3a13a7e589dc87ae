import type { FlagClient } from "@musette/client/flags";
import { FlagsOverlay, FlagsProvider } from "@musette/react/flags";
import { type ReactNode, useEffect, useState } from "react";
import { usePageLanguage } from "../language/page-language";
import { useUserId } from "../session/session";
import { flagKey } from "./flag-key";
import { visitorId } from "./visitor";

let shared: Promise<FlagClient | undefined> | undefined;

/** One client per tab, created after the first screen: no screen waits for a flag. */
async function makeClient(): Promise<FlagClient | undefined> {
  const token = await flagKey();
  if (!token) return undefined;
  const { createFlagClient } = await import("@musette/client/flags");
  return createFlagClient({ token, baseUrl: "/api/flags" });
}

function useClient(): FlagClient | undefined {
  const [client, setClient] = useState<FlagClient>();
  useEffect(() => {
    let current = true;
    shared ??= makeClient().catch(() => undefined);
    shared.then((client) => {
      // The fetch failed, for example without a network: the next component tries again.
      if (!client) shared = undefined;
      if (current) setClient(client);
    });
    return () => {
      current = false;
    };
  }, []);
  return client;
}

/** Provides flags to the screens below, for the signed-in user or for this device. */
export function RiderFlags({ children }: { readonly children: ReactNode }) {
  const client = useClient();
  const userId = useUserId();
  const { tag } = usePageLanguage().language;

  useEffect(() => {
    const anonymousId = visitorId();
    client?.setUser({
      key: userId ?? anonymousId,
      ...(userId && { userId }),
      anonymousId,
      language: tag,
    });
  }, [client, userId, tag]);

  return (
    <FlagsProvider client={client}>
      {children}
      <FlagsOverlay locale={tag} />
    </FlagsProvider>
  );
}
