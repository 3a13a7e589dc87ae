import type { FlagBootstrap, FlagUser } from "@musette/client/flags";
import { FlagsProvider } from "@musette/react/flags";
import { renderToString } from "react-dom/server";
import { Start } from "./start";

/** Fetches all flags of one person, with a client key, since the browser sees the response. */
export async function askFor(service: string, user: FlagUser): Promise<FlagBootstrap> {
  const response = await fetch(`${service}/v3/features`, {
    method: "PUT",
    headers: { Authorization: "Bearer a-client-key", "Content-Type": "application/json" },
    body: JSON.stringify(user),
  });
  const { flags } = await response.json();
  return { user, flags };
}

export function draw(bootstrap: FlagBootstrap): string {
  const page = renderToString(
    <FlagsProvider bootstrap={bootstrap}>
      <Start />
    </FlagsProvider>,
  );
  // Escape `<`, so that no value can end the script element.
  const json = JSON.stringify(bootstrap).replaceAll("<", "\\u003c");
  return `<div id="root">${page}</div><script type="application/json" id="flags">${json}</script>`;
}
