import { FlagsFrame } from "../configuration/frame";
import { Attributes } from "./attributes";
import { useSegmentsTexts } from "./texts/texts";

export function AttributesPage() {
  const texts = useSegmentsTexts();
  return (
    <FlagsFrame title={texts.attributes} intro={texts.attributesHint}>
      {(env, base) => <Attributes key={env} env={env} base={base} />}
    </FlagsFrame>
  );
}
