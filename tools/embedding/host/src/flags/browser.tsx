import { createFlagClient } from "@musette/client/flags";
import { FlagsProvider } from "@musette/react/flags";
import { hydrateRoot } from "react-dom/client";
import { Start } from "./start";

const bootstrap = JSON.parse(document.getElementById("flags")?.textContent ?? "null");
const flags = createFlagClient({ token: "a-client-key", bootstrap });

hydrateRoot(
  document.getElementById("root") as HTMLElement,
  <FlagsProvider client={flags} bootstrap={bootstrap}>
    <Start />
  </FlagsProvider>,
);
