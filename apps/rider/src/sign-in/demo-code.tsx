import { Button } from "@musette/react/ui";
import { useEffect, useState } from "react";
import { demoCode } from "../demo/demo-code";
import { usePageLanguage } from "../language/page-language";
import type { SentCode } from "./sent-code";

/** Shows the code on the screen, because the people of a demonstration have no phone. */
export function DemoCode(props: {
  readonly sentCode: SentCode;
  readonly onUse: (code: string) => void;
}) {
  const { texts } = usePageLanguage();
  const { sentCode } = props;
  const [code, setCode] = useState<string>();

  useEffect(() => {
    let current = true;
    demoCode(sentCode.identifier).then((found) => current && setCode(found));
    return () => {
      current = false;
    };
  }, [sentCode]);

  if (code === undefined) return null;
  return (
    <div className="card demo-code">
      <p>
        {texts.signIn.demoCode} <code>{code}</code>
      </p>
      <Button kind="secondary" onClick={() => props.onUse(code)}>
        {texts.signIn.useCode}
      </Button>
    </div>
  );
}
