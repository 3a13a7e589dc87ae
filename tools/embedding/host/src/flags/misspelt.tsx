import { createTestFlags } from "@musette/client/flags/testing";
import { Feature, FlagsProvider, useFlag } from "@musette/react/flags";

// What must not compile, now that the flags have types: each line below is checked to be an error.

export function Misspelt() {
  const { value } = useFlag("apply-words", "long");
  const known: "long" | "short" = value;
  const on: boolean = useFlag("quest-cards", false).value;
  // @ts-expect-error there is no such flag
  useFlag("apply-word", "long");
  // @ts-expect-error the flag cannot answer this
  useFlag("apply-words", "middling");
  // @ts-expect-error another type
  useFlag("quest-cards", "on");
  // @ts-expect-error a boolean is no text
  const text: string = useFlag("quest-cards", false).value;
  return (
    <FlagsProvider client={createTestFlags({ "quest-cards": true })}>
      {/* @ts-expect-error there is no such flag */}
      <Feature flag="quest-card">{[known, String(on), text].join()}</Feature>
    </FlagsProvider>
  );
}
