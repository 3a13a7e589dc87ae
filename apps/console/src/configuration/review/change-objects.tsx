import { useQuery } from "@tanstack/react-query";
import { Skeleton } from "../../ui/skeleton";
import { LoadFailed } from "../../ui/states";
import { Differences } from "./change-list";
import { changeQuery } from "./changes-query";
import { describeMember, describePosition } from "./describe-change";
import styles from "./review.module.css";
import { useDescriber } from "./use-describer";

/**
 * Describes the change from the server's list of changed objects, which is everything that an
 * approval covers. The document itself is not part of the answer.
 */
export function ChangeObjects({ env, id }: { readonly env: string; readonly id: string }) {
  const describer = useDescriber();
  const { texts } = describer;
  const change = useQuery(changeQuery(env, id));
  if (change.isPending) return <Skeleton rows={2} />;
  if (change.isError) return <LoadFailed error={change.error} onRetry={change.refetch} />;
  const value = (pointer: string, value: unknown) => {
    if (pointer.endsWith("/on")) return value ? texts.on : texts.off;
    return describeMember(pointer, value, describer);
  };
  return (
    <ul className={styles.changeList}>
      {change.data.objects?.map(({ section, key, how, changes }) => (
        <li key={`${section}/${key}`}>
          <h3>
            <span>
              {texts.sections[section]} <bdi className="mono">{key}</bdi>
            </span>
            <span className="chip">{texts.how[how]}</span>
          </h3>
          <Differences
            differences={changes.map(({ pointer, before, after }) => ({
              place: describePosition(pointer, describer),
              ...(before !== undefined && { before: value(pointer, before) }),
              ...(after !== undefined && { after: value(pointer, after) }),
            }))}
          />
          <details className={styles.rawDiff}>
            <summary>{texts.raw}</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach that */}
            <pre dir="ltr" tabIndex={0}>
              {JSON.stringify(changes, null, 2)}
            </pre>
          </details>
        </li>
      ))}
    </ul>
  );
}
