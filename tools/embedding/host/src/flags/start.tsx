import { Feature, FlagsOverlay, useExperiment, useFlag } from "@musette/react/flags";

export function Start() {
  const { value, status } = useFlag("start-tip", "none");
  const { value: words, experiment } = useExperiment("apply-words", "long");
  return (
    <main>
      <h1>{words === "short" ? "Apply" : "Apply to ride with us"}</h1>
      <p id="tip" data-status={status}>
        {value}
      </p>
      <p id="test">{experiment ? `${experiment.key} ${experiment.variation}` : "in no test"}</p>
      <Feature flag="quest-cards" fallback={<p>No quests yet</p>}>
        <p>Your quests</p>
      </Feature>
      <FlagsOverlay />
    </main>
  );
}
