import { useQuery } from "@tanstack/react-query";
import { Skeleton } from "../../ui/skeleton";
import { LoadFailed } from "../../ui/states";
import { Differences } from "./change-list";
import { changeQuery } from "./changes-query";
import styles from "./review.module.css";
import { useReviewTexts } from "./texts/texts";

/** Told from what the server says of it: the document itself is not sent along. */
export function ChangeObjects({ env, id }: { readonly env: string; readonly id: string }) {
  const told = useReviewTexts();
  const found = useQuery(changeQuery(env, id));
  if (found.isPending) return <Skeleton rows={2} />;
  if (found.isError) return <LoadFailed error={found.error} onRetry={found.refetch} />;
  const value = (pointer: string) => (it: unknown) => {
    if (pointer.endsWith("/on")) return it ? told.on : told.off;
    if (typeof it === "boolean") return it ? told.yes : told.no;
    return typeof it === "string" ? it : JSON.stringify(it);
  };
  const label = (pointer: string) => {
    const [, , , ...rest] = pointer.split("/");
    const [name = ""] = rest;
    return rest.length === 1 ? (told.fields[name as "on"] ?? name) : rest.join(" / ");
  };
  return (
    <ul className={styles.changeList}>
      {found.data.objects?.map(({ section, key, how, changes }) => (
        <li key={`${section}/${key}`}>
          <h3>
            <span>
              {told.sections[section]} <bdi className="mono">{key}</bdi>
            </span>
            <span className="chip">{told.how[how]}</span>
          </h3>
          <Differences
            differences={changes.map(({ pointer, before, after }) => ({
              place: label(pointer),
              ...(before !== undefined && { before: value(pointer)(before) }),
              ...(after !== undefined && { after: value(pointer)(after) }),
            }))}
          />
        </li>
      ))}
    </ul>
  );
}
