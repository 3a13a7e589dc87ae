import type { FlagBootstrap, FlagUser } from "@musette/client/flags";
import { FlagsProvider } from "@musette/react/flags";
import { renderToString } from "react-dom/server";
import { Start } from "./start";

/** All flags of one person: one request, with a client key, since the browser gets to see the answer. */
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
  // `<` would let a value end the script; as JSON it may be written in another way.
  const json = JSON.stringify(bootstrap).replaceAll("<", "\\u003c");
  return `<div id="root">${page}</div><script type="application/json" id="flags">${json}</script>`;
}
