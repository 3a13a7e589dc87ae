import { useMemo, useState } from "react";
import { attributesOf } from "../../configuration/conditions/operators";
import type { FlagsDocument } from "../../configuration/document/document";
import { attributesFrom, lastPerson, type Person, storePerson } from "./person";
import { usePreview } from "./preview-query";

export type PreviewState = ReturnType<typeof usePreviewState>;

export function usePreviewState(env: string, document: FlagsDocument, flag: string) {
  const [person, setPerson] = useState(lastPerson);
  const [at, setAt] = useState("");
  const attributes = useMemo(() => {
    const types = new Map(attributesOf(document).map(({ name, type }) => [name, type]));
    return attributesFrom(person, types);
  }, [person, document]);
  const preview = usePreview({ env, document, flag, attributes, at });
  return {
    person,
    setPerson: (next: Person) => {
      storePerson(next);
      setPerson(next);
    },
    at,
    setAt,
    preview,
  };
}
