import type { Block, Doubt } from "../manifest";
import { Blocks, type RenderContext } from "./blocks";
import { Figure } from "./figure";

interface DoubtfulPageProps extends RenderContext {
  readonly blocks: readonly Block[];
  readonly first: number;
  readonly page: number;
  readonly doubt: Doubt;
}

/** Shows the image of a page whose text may differ from it. The text is available on demand. */
export function DoubtfulPage({ blocks, first, page, doubt, ...shown }: DoubtfulPageProps) {
  const { pages, texts, locale } = shown;
  const picture = pages[page - 1];
  const note = doubt.kind === "picture" ? texts.pictureOfPage(page) : texts.doubtfulPage(page);
  return (
    <section className="mu-viewer-doubt" data-page={page} data-block={first}>
      <p className="mu-viewer-note" lang={locale}>
        {note}
      </p>
      {picture && (
        <Figure
          {...shown}
          number={page}
          page={picture}
          area={{ x: 0, y: 0, width: picture.width, height: picture.height }}
          alt={texts.page(page, pages.length)}
        />
      )}
      {blocks.length > 0 && (
        <details>
          <summary lang={locale}>{texts.doubtfulText}</summary>
          <Blocks {...{ blocks, first }} unproven {...shown} />
        </details>
      )}
    </section>
  );
}
