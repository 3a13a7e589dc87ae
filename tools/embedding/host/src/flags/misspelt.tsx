import { createTestFlags } from "@musette/client/flags/testing";
import { Feature, FlagsProvider, useFlag } from "@musette/react/flags";

// Type tests: each line after `@ts-expect-error` must be a compile error.

export function Misspelt() {
  const { value } = useFlag("apply-words", "long");
  const variant: "long" | "short" = value;
  const on: boolean = useFlag("quest-cards", false).value;
  // @ts-expect-error unknown flag key
  useFlag("apply-word", "long");
  // @ts-expect-error not a value of this flag
  useFlag("apply-words", "middling");
  // @ts-expect-error wrong type
  useFlag("quest-cards", "on");
  // @ts-expect-error a boolean is not a string
  const text: string = useFlag("quest-cards", false).value;
  return (
    <FlagsProvider client={createTestFlags({ "quest-cards": true })}>
      {/* @ts-expect-error there is no such flag */}
      <Feature flag="quest-card">{[variant, String(on), text].join()}</Feature>
    </FlagsProvider>
  );
}
