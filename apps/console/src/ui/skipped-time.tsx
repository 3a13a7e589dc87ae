import { timeZone } from "../language/dates";
import { useLanguage } from "../language/language-context";
import { toLocal } from "./local-time";

/**
 * Returns the time that a browser uses instead of a local time that the clocks skip in spring;
 * undefined for any other text.
 */
export function replacedTime(local: string): string | undefined {
  const at = new Date(local);
  if (!/T\d\d:\d\d$/.test(local) || Number.isNaN(at.valueOf())) return undefined;
  const used = toLocal(at.toISOString());
  return used === local ? undefined : used;
}

/** Says next to a date and time field that the clocks skip the typed time. */
export function SkippedTime({ local }: { readonly local: string }) {
  const { texts } = useLanguage();
  const used = replacedTime(local);
  return (
    <span aria-live="polite" className="note">
      {used && texts.skippedTime(clock(local), timeZone(), clock(used))}
    </span>
  );
}

const clock = (local: string) => local.split("T")[1] ?? "";
