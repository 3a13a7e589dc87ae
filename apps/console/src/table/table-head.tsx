import { useLanguage } from "../language/language-context";
import { ChoiceField } from "../ui/choice-field";
import { Icon } from "../ui/icon";
import { nextSort, sortOf } from "./sort";
import tableStyles from "./table.module.css";

export interface Heading {
  readonly id: string;
  readonly title: string;
  readonly isSortable?: boolean;
}

export interface SortProps {
  readonly columns: readonly Heading[];
  /** As in the address. */
  readonly sort: string | undefined;
  readonly onSort: ((sort: string | undefined) => void) | undefined;
}

export function TableHead({ columns, sort, onSort }: SortProps) {
  const current = sortOf(sort);
  return (
    <thead>
      <tr>
        {columns.map(({ id, title, isSortable }) => {
          const isBy = current?.column === id;
          if (!isSortable || !onSort) {
            return (
              <th key={id} scope="col">
                {title}
              </th>
            );
          }
          const direction = current?.isDown ? "descending" : "ascending";
          return (
            <th key={id} scope="col" aria-sort={isBy ? direction : "none"}>
              <button type="button" onClick={() => onSort(nextSort(sort, id))}>
                {title}
                <Icon name="sort" />
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

/** Sorting on narrow screens, where the table has no headers. */
export function SortSelect({ columns, sort, onSort }: SortProps) {
  const { texts } = useLanguage();
  const sortable = columns.filter(({ isSortable }) => isSortable);
  if (!onSort || sortable.length === 0) return null;
  return (
    <div className={tableStyles.sort}>
      <ChoiceField
        label={texts.sort.label}
        value={sort ?? ""}
        options={[
          { value: "", label: texts.sort.none },
          ...sortable.flatMap(({ id, title }) => [
            { value: id, label: texts.sort.up(title) },
            { value: `-${id}`, label: texts.sort.down(title) },
          ]),
        ]}
        onChange={(chosen) => onSort(chosen || undefined)}
      />
    </div>
  );
}
