import { HttpError } from "@musette/client/http";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useParams } from "@tanstack/react-router";
import { Suspense } from "react";
import { permits } from "../../api/grants";
import { useRoles } from "../../api/use-roles";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { LoadFailed, Loading } from "../../ui/states";
import { TabBar } from "../../ui/tab-bar";
import { Roles } from "../roles";
import styles from "./person.module.css";
import { personQuery } from "./person-queries";
import { usePersonTexts } from "./texts/texts";

/** The person's name above the tabs. Each tab has its own address. */
export function PersonPage() {
  const texts = usePersonTexts();
  const { userId } = useParams({ from: "/inside/people/$userId" });
  const person = useQuery(personQuery(userId));
  if (person.isPending) return <Loading />;
  if (person.error instanceof HttpError && person.error.status === 404) {
    return (
      <Page title={texts.notHere} intro={texts.notHereHint(userId)}>
        {null}
      </Page>
    );
  }
  if (person.isError) return <LoadFailed error={person.error} onRetry={person.refetch} />;
  const { name, email, phone, roles } = person.data;
  return (
    <Page
      title={name ?? userId}
      intro={
        <span className={styles.personFacts}>
          {name && <bdi className="mono">{userId}</bdi>}
          {email && <bdi>{email}</bdi>}
          {phone && <bdi dir="ltr">{phone}</bdi>}
          <Roles roles={roles} />
        </span>
      }
    >
      <Tabs userId={userId} />
      <Suspense fallback={<Skeleton />}>
        <Outlet />
      </Suspense>
    </Page>
  );
}

function Tabs({ userId }: { readonly userId: string }) {
  const texts = usePersonTexts();
  const roles = useRoles();
  const all = [
    { to: "/people/$userId", label: texts.tabs.terms, need: undefined },
    { to: "/people/$userId/consents", label: texts.tabs.consents, need: "personal" },
    { to: "/people/$userId/sessions", label: texts.tabs.sessions, need: "people" },
    { to: "/people/$userId/flags", label: texts.tabs.flags, need: undefined },
    { to: "/people/$userId/audit", label: texts.tabs.audit, need: "audit" },
    { to: "/people/$userId/account", label: texts.tabs.account, need: undefined },
  ] as const;
  const tabs = all.filter(({ need }) => permits(roles, need));
  return (
    <TabBar label={texts.tabs.label}>
      {tabs.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          params={{ userId }}
          activeOptions={{ exact: true, includeSearch: false }}
          resetScroll={false}
        >
          {label}
        </Link>
      ))}
    </TabBar>
  );
}
