import { CopyButton } from "./copy-button";
import { usePeopleTexts } from "./texts/texts";

/** Shown this once: whoever has it can set the password. */
export function OneTimeLinkShown({ link }: { readonly link: string }) {
  const words = usePeopleTexts();
  return (
    <div className="secret">
      <p>{words.linkHint}</p>
      <code dir="ltr">{link}</code>
      <CopyButton text={link} words={words.copyLink} />
    </div>
  );
}
