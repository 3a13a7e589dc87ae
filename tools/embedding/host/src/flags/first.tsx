import { createFlagClient } from "@musette/client/flags";
import { FlagsProvider, useFlag } from "@musette/react/flags";
import { createRoot } from "react-dom/client";

const flags = createFlagClient({ token: "a-client-key" });
flags.setUser({ key: "rider-1", userId: "rider-1" });
const Tip = () => <p>{useFlag("start-tip", "none").value}</p>;

createRoot(document.getElementById("root") as HTMLElement).render(
  <FlagsProvider client={flags}>
    <Tip />
  </FlagsProvider>,
);
