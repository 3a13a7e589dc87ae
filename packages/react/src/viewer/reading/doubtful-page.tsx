import type { Block, Doubt } from "../manifest";
import { Blocks, type Shown } from "./blocks";
import { Figure } from "./figure";

interface DoubtfulPageProps extends Shown {
  readonly blocks: readonly Block[];
  readonly first: number;
  readonly page: number;
  readonly doubt: Doubt;
}

/** The page itself where its text may differ from it; the text only for who asks for it. */
export function DoubtfulPage({ blocks, first, page, doubt, ...shown }: DoubtfulPageProps) {
  const { pages, texts, locale } = shown;
  const picture = pages[page - 1];
  const says = doubt.kind === "picture" ? texts.pictureOfPage(page) : texts.doubtfulPage(page);
  return (
    <section className="mu-viewer-doubt" data-page={page} data-block={first}>
      <p className="mu-viewer-note" lang={locale}>
        {says}
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
