import { useLanguage } from "../language/language-context";
import { Icon } from "../ui/icon";
import iconButtonStyles from "../ui/icon-button.module.css";
import pageStyles from "../ui/page.module.css";
import { PageTools } from "../ui/page-tools";
import { chooseRowHeight, useIsComfortable } from "./row-height";
import tableStyles from "./table.module.css";

/** The number of rows, and the choice of their height, in the header of the list's page. */
export function ListTools({ count }: { readonly count: string | false }) {
  const { texts } = useLanguage();
  const isComfortable = useIsComfortable();
  return (
    <PageTools>
      <div className={pageStyles.count}>
        <span role="status" className="note">
          {count}
        </span>
        <button
          type="button"
          className={`${iconButtonStyles.iconButton} ${tableStyles.rowHeight}`}
          aria-pressed={isComfortable}
          aria-label={texts.comfortableRows}
          title={texts.comfortableRows}
          onClick={() => chooseRowHeight(!isComfortable)}
        >
          <Icon name="rows" />
        </button>
      </div>
    </PageTools>
  );
}
