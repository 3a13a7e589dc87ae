import type { Term } from "@musette/client/terms";
import { useTexts } from "@musette/react/texts";
import { Button } from "@musette/react/ui";
import { lazy, Suspense, useEffect, useState } from "react";
import { usePageLanguage } from "../language/page-language";

const DocumentViewer = lazy(() =>
  import("@musette/react/viewer").then((module) => ({ default: module.DocumentViewer })),
);

/** A button that opens the exact text of a term. */
export function ReadDocument(props: {
  readonly term: Term;
  /** Called when a page or the text was drawn. */
  readonly onShown?: () => void;
  /** Opens the text without a tap, for example for a link to it. */
  readonly isLinked?: boolean;
  readonly onClose?: () => void;
}) {
  const { term, onShown, isLinked = false, onClose } = props;
  const { language, texts } = usePageLanguage();
  const viewerTexts = useTexts(language.tag, undefined)?.viewer;
  const [open, setOpen] = useState(isLinked);
  useEffect(() => {
    if (isLinked) setOpen(true);
  }, [isLinked]);

  function close(): void {
    setOpen(false);
    onClose?.();
  }

  return (
    <>
      <Button
        kind="secondary"
        aria-label={texts.agreements.readNamed(term.title)}
        onClick={() => setOpen(true)}
      >
        {texts.agreements.read}
      </Button>
      {open && viewerTexts && (
        <Suspense fallback={null}>
          <DocumentViewer
            documents={[term]}
            index={0}
            onIndexChange={() => undefined}
            onClose={close}
            {...(onShown && { onPage: onShown })}
            texts={viewerTexts}
            locale={language.tag}
          />
        </Suspense>
      )}
    </>
  );
}
