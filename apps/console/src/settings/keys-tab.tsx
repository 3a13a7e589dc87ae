import { Button } from "@musette/react/ui";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useMay } from "../api/use-may";
import { environmentsQuery } from "../configuration/document/environment-queries";
import { chooseEnvironment } from "../configuration/document/environment-search";
import { REMEMBERED } from "../configuration/document/use-environment";
import { useLanguage } from "../language/language-context";
import { readStored, writeStored } from "../storage/storage";
import { PagedTable } from "../table/paged-table";
import { ChoiceField } from "../ui/choice-field";
import { PageTools } from "../ui/page-tools";
import { Skeleton } from "../ui/skeleton";
import { LoadFailed } from "../ui/states";
import { CreateKey } from "./create-key";
import { useKeyColumns } from "./key-columns";
import { RevokeKey } from "./revoke-key";
import styles from "./settings.module.css";
import { type Key, keyPagesQuery } from "./settings-queries";
import { useSettingsTexts } from "./texts/texts";

/** The flag keys of an environment. */
export function KeysTab() {
  const settingsTexts = useSettingsTexts();
  const { texts } = useLanguage();
  const { env } = useSearch({ from: "/inside/settings/keys" });
  const environments = useQuery(environmentsQuery);
  if (environments.isPending) return <Skeleton />;
  if (environments.isError) {
    return <LoadFailed error={environments.error} onRetry={environments.refetch} />;
  }
  const names = environments.data.map(({ name }) => name);
  const chosen = chooseEnvironment(names, env, readStored(REMEMBERED));
  if (!chosen) {
    return (
      <div className="card calm">
        <p>{settingsTexts.noEnvironment}</p>
        <Link to="/settings/environments">{texts.tabs.environments}</Link>
      </div>
    );
  }
  return <Keys environment={chosen} names={names} />;
}

interface KeysProps {
  readonly environment: string;
  readonly names: readonly string[];
}

function Keys({ environment, names }: KeysProps) {
  const settingsTexts = useSettingsTexts();
  const { texts } = useLanguage();
  const mayEdit = useMay()("flags", environment);
  const { all } = useSearch({ from: "/inside/settings/keys" });
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<Key>();
  const pages = useInfiniteQuery({
    ...keyPagesQuery(environment),
    select: (data) => ({
      ...data,
      pages: data.pages.map((page) => ({
        ...page,
        items: page.items.filter(({ revoked_at }) => all || !revoked_at),
      })),
    }),
  });
  const columns = useKeyColumns(mayEdit ? setRevoking : undefined);
  useEffect(() => writeStored(REMEMBERED, environment), [environment]);
  return (
    <>
      <p className="note">{settingsTexts.keysIntro}</p>
      <PageTools>
        <KeysFilter environment={environment} names={names} />
        {mayEdit && <Button onClick={() => setCreating(true)}>{settingsTexts.createKey}</Button>}
      </PageTools>
      <div className={styles.settingsTable}>
        <PagedTable
          label={texts.tabs.keys}
          columns={columns}
          pages={pages}
          rowKey={({ id }) => id}
          empty={
            <>
              <p>{settingsTexts.noKeys}</p>
              <p className="note">{settingsTexts.noKeysHint}</p>
            </>
          }
          shown={settingsTexts.shown}
          isPage
        />
      </div>
      <CreateKey environment={environment} open={isCreating} onClose={() => setCreating(false)} />
      <RevokeKey revoking={revoking} onClose={() => setRevoking(undefined)} />
    </>
  );
}

function KeysFilter({ environment, names }: KeysProps) {
  const texts = useSettingsTexts();
  const { all } = useSearch({ from: "/inside/settings/keys" });
  const navigate = useNavigate({ from: "/settings/keys" });
  return (
    <div className={styles.settingsFilter}>
      <ChoiceField
        label={texts.environment}
        dir="ltr"
        options={names}
        value={environment}
        onChange={(env) => void navigate({ search: (former) => ({ ...former, env }) })}
      />
      <label className={styles.tick}>
        <input
          type="checkbox"
          className="mu-checkbox"
          checked={all ?? false}
          onChange={({ target }) =>
            void navigate({
              search: ({ env }) => ({
                ...(env && { env }),
                ...(target.checked && { all: true }),
              }),
              replace: true,
            })
          }
        />
        {texts.showRevoked}
      </label>
    </div>
  );
}
