import {
  createFlagClient,
  type FlagClient,
  type FlagClientOptions,
  type FlagEvent,
} from "@musette/client/flags";

export interface FlagsOfAHost {
  client: FlagClient;
  readonly reported: FlagEvent[];
  create(options: Partial<FlagClientOptions>): FlagClient;
}

declare global {
  var flags: FlagsOfAHost;
}

const reported: FlagEvent[] = [];

// The interface between a test and the page.
globalThis.flags = {
  client: undefined as never,
  reported,
  create(options) {
    flags.client = createFlagClient({
      token: new URLSearchParams(location.search).get("key") ?? "",
      baseUrl: "/api/flags",
      onEvent: (event) => reported.push(event),
      ...options,
    });
    return flags.client;
  },
};
