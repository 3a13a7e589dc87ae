import { FlagsFrame } from "../configuration/frame";
import { Attributes } from "./attributes";
import { useSegmentsTexts } from "./texts/texts";

export function AttributesPage() {
  const words = useSegmentsTexts();
  return (
    <FlagsFrame title={words.attributes} intro={words.attributesHint}>
      {(env, base) => <Attributes key={env} env={env} base={base} />}
    </FlagsFrame>
  );
}
