import { describe, expect, it } from "vitest";
import events from "../../../../testdata/audit-events.json";
import { offered, prepareLanguage } from "../language/language-context";

/** The server does not store an event that is not in this list. */
describe.each(offered)("$tag", (language) => {
  it("has a text for every event in the audit log", async () => {
    const labels = (await prepareLanguage(language)).texts.audit.events;
    expect(events.filter((event) => !labels[event])).toEqual([]);
    expect(Object.keys(labels).filter((event) => !events.includes(event))).toEqual([]);
  });
});
