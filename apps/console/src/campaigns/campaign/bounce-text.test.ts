import { expect, it } from "vitest";
import { bounceKind } from "./bounce-text";

it.each([
  ["5.1.1", "address"],
  ["5.1.10", "domain"],
  ["5.1.2", "domain"],
  ["5.1.8", "address"],
  ["5.2.1", "disabled"],
  ["4.2.2", "full"],
  ["5.4.4", "network"],
  ["5.7.26", "policy"],
  ["5.0.0", "other"],
  ["5.2.0", "other"],
  ["404", "other"],
  ["", "other"],
])("explains %j", (status, kind) => expect(bounceKind(status)).toBe(kind));
