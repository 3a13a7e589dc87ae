import { Button } from "@musette/react/ui";
import { useState } from "react";
import { dateAndTime } from "../language/dates";
import { usePageLanguage } from "../language/page-language";
import { receiptHref } from "../router/receipt-address";
import { Link } from "../router/router";
import { termTitle } from "../terms/receipt";
import { type Application, applications } from "../terms/stored-receipts";
import { JoinButton } from "./join-button";
import { isNotMine, markNotMine } from "./not-mine";

/**
 * Offers to claim agreements that were made on this phone without an account. Two people may share a
 * phone. Each application is therefore named by its day and documents, and only a tap claims it.
 */
export function JoinOffers(props: { readonly userId: string; readonly onJoined: () => void }) {
  const { texts } = usePageLanguage();
  const { userId } = props;
  const offered = () => applications().filter(({ root }) => !isNotMine(userId, root));
  const [offers, setOffers] = useState(offered);
  const [joined, setJoined] = useState(0);
  return (
    <div className="joins">
      {offers.map((application) => (
        <JoinOffer
          key={application.root}
          application={application}
          userId={userId}
          onJoined={() => {
            setOffers(offered());
            setJoined((count) => count + 1);
            props.onJoined();
          }}
          onNotMine={() => {
            markNotMine(userId, application.root);
            setOffers(offered());
          }}
        />
      ))}
      <div role="status">{joined > 0 && <p className="card joined">{texts.join.joined}</p>}</div>
    </div>
  );
}

function JoinOffer(props: {
  readonly application: Application;
  readonly userId: string;
  readonly onJoined: () => void;
  readonly onNotMine: () => void;
}) {
  const { language, texts } = usePageLanguage();
  const { root, appliedAt, decisions } = props.application;
  const first = decisions.filter(({ receiptId }) => receiptId === root);
  return (
    <section className="card join">
      <h2>{texts.join.title}</h2>
      <p>{texts.join.text(dateAndTime(language.tag, appliedAt))}</p>
      <ul>
        {(first.length > 0 ? first : decisions).map(({ term, termId, accepted }) => (
          <li key={termId}>
            <bdi>{termTitle(term, termId)}</bdi>
            {": "}
            {accepted ? texts.receipt.agreed : texts.receipt.notAgreed}
          </li>
        ))}
      </ul>
      <div className="ways">
        <JoinButton id={root} userId={props.userId} onJoined={props.onJoined} />
        <Button kind="secondary" onClick={props.onNotMine}>
          {texts.join.notMine}
        </Button>
        <Link className="mu-button" data-kind="quiet" href={receiptHref(root)}>
          {texts.join.look}
        </Link>
      </div>
    </section>
  );
}
