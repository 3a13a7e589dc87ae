import { expect, it } from "vitest";
import { readCheckpoint } from "./overview-queries";

it("reads the size and root of a checkpoint", () => {
  const text = "musette.example/log\n1207\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n— sig\n";
  expect(readCheckpoint(text)).toEqual({
    size: 1207,
    root: "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=",
  });
});
