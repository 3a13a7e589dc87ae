// @vitest-environment happy-dom
import { StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { mount } from "../testing/mount";
import { Feature, FlagsProvider, useExperiment, useFlag, useHoldouts } from "./index";
import {
  fallback,
  fresh,
  inTest,
  result,
  type ScriptedClient,
  scriptedClient,
} from "./testing/scripted-client";

function Tip({ expose }: { readonly expose?: boolean }) {
  const { value, status, explanation } = useFlag("start-tip", "none", { expose });
  return <p>{`${value} ${status} ${explanation?.from ?? "-"}`}</p>;
}

const around = (client: ScriptedClient, children = <Tip />) => (
  <StrictMode>
    <FlagsProvider client={client}>{children}</FlagsProvider>
  </StrictMode>
);

describe("useFlag", () => {
  it("shows the fallback while it loads, and then what was decided", async () => {
    const client = scriptedClient();
    const { page } = await mount(around(client));
    expect(page.textContent).toBe("none loading -");
    await client.answer({ "start-tip": fresh(result("receipt")) });
    expect(page.textContent).toBe("receipt fresh rule:r1");
  });

  it("is there at once when the client knows it", async () => {
    const { page } = await mount(
      around(scriptedClient({ "start-tip": { result: result("receipt"), status: "cached" } })),
    );
    expect(page.textContent).toBe("receipt cached rule:r1");
  });

  it("tells a failure apart from loading", async () => {
    const { page } = await mount(around(scriptedClient({ "start-tip": fallback() })));
    expect(page.textContent).toBe("none fallback client:timeout");
  });

  it("keeps a value that is false, empty or 0", async () => {
    const Values = () => (
      <p>
        {JSON.stringify([
          useFlag("off", true).value,
          useFlag("empty", "words").value,
          useFlag("zero", 5).value,
        ])}
      </p>
    );
    const client = scriptedClient({
      off: fresh(result(false)),
      empty: fresh(result("")),
      zero: fresh(result(0)),
    });
    const { page } = await mount(around(client, <Values />));
    expect(page.textContent).toBe('[false,"",0]');
  });

  it("subscribes while it is on the screen, and to another flag when its key changes", async () => {
    const client = scriptedClient();
    const One = ({ flag }: { readonly flag: string }) => <>{useFlag(flag, false).status}</>;
    const { show, leave } = await mount(around(client, <One flag="a" />));
    expect(client.subscribed).toEqual(["a"]);
    await show(around(client, <One flag="b" />));
    expect(client.subscribed).toEqual(["b"]);
    await leave();
    expect(client.subscribed).toEqual([]);
  });

  it("changes to another client", async () => {
    const { page, show } = await mount(
      around(scriptedClient({ "start-tip": fresh(result("one")) })),
    );
    await show(around(scriptedClient({ "start-tip": fresh(result("two")) })));
    expect(page.textContent).toBe("two fresh rule:r1");
  });

  it("gives the same object until something changes", async () => {
    const seen = new Set<object>();
    const client = scriptedClient({ "start-tip": fresh(result("receipt")) });
    const Probe = () => {
      seen.add(useFlag("start-tip", "none"));
      return null;
    };
    const { show } = await mount(<FlagsProvider client={client}>{<Probe />}</FlagsProvider>);
    await show(<FlagsProvider client={client}>{<Probe />}</FlagsProvider>);
    expect(seen.size).toBe(1);
  });

  it("says what is missing without a provider", () => {
    expect(() => renderToString(<Tip />)).toThrow("FlagsProvider");
  });
});

describe("participation", () => {
  it("is reported once the answer is on the screen, and not while it loads or has failed", async () => {
    const client = scriptedClient();
    await mount(around(client));
    expect(client.reportExposure).not.toHaveBeenCalled();
    await client.answer({ "start-tip": fallback() });
    expect(client.reportExposure).not.toHaveBeenCalled();
    await client.answer({ "start-tip": fresh(inTest("receipt")) });
    expect(client.reportExposure).toHaveBeenCalledWith("start-tip");
  });

  it("is not reported for what was rendered and never shown", async () => {
    const client = scriptedClient({ "start-tip": fresh(inTest("receipt")) });
    renderToString(around(client));
    expect(client.reportExposure).not.toHaveBeenCalled();
  });

  it("waits where a component only reads, until it shows", async () => {
    const client = scriptedClient({ "start-tip": fresh(inTest("receipt")) });
    const { show, page } = await mount(around(client, <Tip expose={false} />));
    expect(page.textContent).toBe("receipt fresh experiment:apply-words");
    expect(client.reportExposure).not.toHaveBeenCalled();
    await show(around(client, <Tip expose={true} />));
    expect(client.reportExposure).toHaveBeenCalledWith("start-tip");
  });
});

describe("useExperiment", () => {
  const Probe = () => {
    const { value, experiment } = useExperiment("start-tip", "none");
    return <p>{`${value} ${experiment?.key} ${experiment?.phase}`}</p>;
  };

  it("tells the part that one has in a test", async () => {
    const client = scriptedClient({ "start-tip": fresh(inTest("receipt")) });
    const { page } = await mount(around(client, <Probe />));
    expect(page.textContent).toBe("receipt apply-words 1");
    expect(client.reportExposure).toHaveBeenCalledWith("start-tip");
  });

  it("has none for those who do not take part", async () => {
    const client = scriptedClient({ "start-tip": fresh(result("none")) });
    const { page } = await mount(around(client, <Probe />));
    expect(page.textContent).toBe("none undefined undefined");
  });
});

it("useHoldouts follows the holdouts of this person", async () => {
  const client = scriptedClient();
  const Probe = () => (
    <p>
      {useHoldouts()
        .map(({ key, group }) => `${key} ${group}`)
        .join()}
    </p>
  );
  const { page } = await mount(around(client, <Probe />));
  expect(page.textContent).toBe("");
  await client.answer({ "start-tip": fresh(inTest("receipt")) });
  expect(page.textContent).toBe("2026-q4 COMPARISON");
});

describe("Feature", () => {
  const tree = (is?: string) => (
    <Feature flag="start-tip" {...(is && { is })} fallback="old" loading="wait">
      {(value) => `new ${value}`}
    </Feature>
  );
  const shown = async (client: ScriptedClient, is?: string) =>
    (await mount(around(client, tree(is)))).page.textContent;

  it.each([
    ["on", fresh(result(true)), undefined, "new true"],
    ["off", fresh(result(false)), undefined, "old"],
    ["the asked value", fresh(result("map")), "map", "new map"],
    ["another value", fresh(result("list")), "map", "old"],
    ["no answer", fallback(), undefined, "old"],
  ])("%s", async (_, peeked, is, words) => {
    expect(await shown(scriptedClient({ "start-tip": peeked }), is)).toBe(words);
  });

  it("shows its own words while it loads", async () => {
    expect(await shown(scriptedClient())).toBe("wait");
  });
});
