import { HttpError } from "@musette/client/http";
import { useTexts } from "@musette/react/texts";
import { Button } from "@musette/react/ui";
import type { ViewerDocument } from "@musette/react/viewer";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useLanguage } from "../language/language-context";
import { session } from "../session/session";

const DocumentViewer = lazy(() =>
  import("@musette/react/viewer").then((module) => ({ default: module.DocumentViewer })),
);

/** Returns the file of one language as the viewer expects it. */
export const documentOf = (locale: string, title: string, sha256: string): ViewerDocument => ({
  id: locale,
  title: title || locale,
  content: `/documents/${sha256}.pdf`,
  sha256,
  locale,
});

/** Fetches with the session, which the document of a draft needs, and renews an expired token. */
export const fetchDocument: typeof fetch = (input, init) =>
  session.fetch(input, init).catch((error: unknown) => {
    if (error instanceof HttpError) return error.response;
    throw error;
  });

interface ReadDocumentsProps {
  readonly documents: readonly ViewerDocument[];
  /** The document to open. The viewer links to the others. */
  readonly index: number;
  readonly label?: string;
  readonly children: ReactNode;
}

export function ReadDocuments({ documents, index, label, children }: ReadDocumentsProps) {
  const { language } = useLanguage();
  const texts = useTexts(language.tag, undefined)?.viewer;
  const [shown, show] = useState<number>();
  return (
    <>
      <Button kind="secondary" aria-label={label} onClick={() => show(index)}>
        {children}
      </Button>
      {shown !== undefined && texts && (
        <Suspense fallback={null}>
          <DocumentViewer
            documents={documents}
            index={shown}
            onIndexChange={show}
            onClose={() => show(undefined)}
            texts={texts}
            fetch={fetchDocument}
            locale={language.tag}
          />
        </Suspense>
      )}
    </>
  );
}
