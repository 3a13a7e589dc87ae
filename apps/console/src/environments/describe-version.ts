import type { SavedVersion } from "../configuration/document/flags-document";
import type { ReviewTexts } from "../configuration/review/texts/texts";
import type { EnvironmentsTexts } from "./texts/texts";

type ChangedObject = SavedVersion["objects"][number];

/** More objects than this are only counted. The difference itself shows the rest. */
const NAMED = 3;

/** Describes a version in one sentence: "night-rides switched off by Ada". */
export function describeVersion(
  { objects, objects_total, actor, author, author_name }: SavedVersion,
  texts: EnvironmentsTexts,
  told: ReviewTexts,
): string {
  const { history } = texts;
  const fields: Readonly<Record<string, string>> = { ...told.fields, ...history.members };
  const one = ({ section, key, change, fields: names }: ChangedObject) => {
    const what =
      section === "flags" ? history.key(key) : history.named(told.sections[section], key);
    const parts = names.map((name) => fields[name] ?? name).join(told.comma);
    return parts ? history.changedParts(what, parts) : history.changes[change](what);
  };
  const named = objects.slice(0, NAMED).map(one);
  const more = objects_total - named.length;
  const what = named.length === 0 ? history.nothing : named.join(history.separator);
  const all = more > 0 ? history.andMore(what, String(more)) : what;
  const person = author_name ?? author ?? history.erased;
  return history.by(all, actor === "person" ? history.key(person) : history.actors[actor]);
}
