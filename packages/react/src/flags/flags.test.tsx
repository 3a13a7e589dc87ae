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

const withProvider = (client: ScriptedClient, children = <Tip />) => (
  <StrictMode>
    <FlagsProvider client={client}>{children}</FlagsProvider>
  </StrictMode>
);

describe("useFlag", () => {
  it("returns the fallback while it loads, and then the value", async () => {
    const client = scriptedClient();
    const { page } = await mount(withProvider(client));
    expect(page.textContent).toBe("none loading -");
    await client.answer({ "start-tip": fresh(result("receipt")) });
    expect(page.textContent).toBe("receipt fresh rule:r1");
  });

  it("returns a value at once if the client has it", async () => {
    const { page } = await mount(
      withProvider(
        scriptedClient({ "start-tip": { result: result("receipt"), status: "cached" } }),
      ),
    );
    expect(page.textContent).toBe("receipt cached rule:r1");
  });

  it("distinguishes a failure from loading", async () => {
    const { page } = await mount(withProvider(scriptedClient({ "start-tip": fallback() })));
    expect(page.textContent).toBe("none fallback client:timeout");
  });

  it("returns values that are false, empty or 0", async () => {
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
    const { page } = await mount(withProvider(client, <Values />));
    expect(page.textContent).toBe('[false,"",0]');
  });

  it("subscribes while it is mounted, and to another flag when the key changes", async () => {
    const client = scriptedClient();
    const One = ({ flag }: { readonly flag: string }) => <>{useFlag(flag, false).status}</>;
    const { show, leave } = await mount(withProvider(client, <One flag="a" />));
    expect(client.subscribed).toEqual(["a"]);
    await show(withProvider(client, <One flag="b" />));
    expect(client.subscribed).toEqual(["b"]);
    await leave();
    expect(client.subscribed).toEqual([]);
  });

  it("uses another client after a change", async () => {
    const { page, show } = await mount(
      withProvider(scriptedClient({ "start-tip": fresh(result("one")) })),
    );
    await show(withProvider(scriptedClient({ "start-tip": fresh(result("two")) })));
    expect(page.textContent).toBe("two fresh rule:r1");
  });

  it("returns the same object until something changes", async () => {
    const values = new Set<object>();
    const client = scriptedClient({ "start-tip": fresh(result("receipt")) });
    const Probe = () => {
      values.add(useFlag("start-tip", "none"));
      return null;
    };
    const { show } = await mount(<FlagsProvider client={client}>{<Probe />}</FlagsProvider>);
    await show(<FlagsProvider client={client}>{<Probe />}</FlagsProvider>);
    expect(values.size).toBe(1);
  });

  it("throws without a provider", () => {
    expect(() => renderToString(<Tip />)).toThrow("FlagsProvider");
  });
});

describe("participation", () => {
  it("is reported after the value is on the screen, but not while loading or after a failure", async () => {
    const client = scriptedClient();
    await mount(withProvider(client));
    expect(client.reportExposure).not.toHaveBeenCalled();
    await client.answer({ "start-tip": fallback() });
    expect(client.reportExposure).not.toHaveBeenCalled();
    await client.answer({ "start-tip": fresh(inTest("receipt")) });
    expect(client.reportExposure).toHaveBeenCalledWith("start-tip");
  });

  it("is not reported for a render that is never mounted", async () => {
    const client = scriptedClient({ "start-tip": fresh(inTest("receipt")) });
    renderToString(withProvider(client));
    expect(client.reportExposure).not.toHaveBeenCalled();
  });

  it("is not reported with expose false", async () => {
    const client = scriptedClient({ "start-tip": fresh(inTest("receipt")) });
    const { show, page } = await mount(withProvider(client, <Tip expose={false} />));
    expect(page.textContent).toBe("receipt fresh experiment:apply-words");
    expect(client.reportExposure).not.toHaveBeenCalled();
    await show(withProvider(client, <Tip expose={true} />));
    expect(client.reportExposure).toHaveBeenCalledWith("start-tip");
  });
});

describe("useExperiment", () => {
  const Probe = () => {
    const { value, experiment } = useExperiment("start-tip", "none");
    return <p>{`${value} ${experiment?.key} ${experiment?.phase}`}</p>;
  };

  it("returns the participation in an experiment", async () => {
    const client = scriptedClient({ "start-tip": fresh(inTest("receipt")) });
    const { page } = await mount(withProvider(client, <Probe />));
    expect(page.textContent).toBe("receipt apply-words 1");
    expect(client.reportExposure).toHaveBeenCalledWith("start-tip");
  });

  it("returns no experiment for a user who does not take part", async () => {
    const client = scriptedClient({ "start-tip": fresh(result("none")) });
    const { page } = await mount(withProvider(client, <Probe />));
    expect(page.textContent).toBe("none undefined undefined");
  });
});

it("useHoldouts follows the holdouts of the user", async () => {
  const client = scriptedClient();
  const Probe = () => (
    <p>
      {useHoldouts()
        .map(({ key, group }) => `${key} ${group}`)
        .join()}
    </p>
  );
  const { page } = await mount(withProvider(client, <Probe />));
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
  const render = async (client: ScriptedClient, is?: string) =>
    (await mount(withProvider(client, tree(is)))).page.textContent;

  it.each([
    ["on", fresh(result(true)), undefined, "new true"],
    ["off", fresh(result(false)), undefined, "old"],
    ["the required value", fresh(result("map")), "map", "new map"],
    ["another value", fresh(result("list")), "map", "old"],
    ["no value", fallback(), undefined, "old"],
  ])("%s", async (_, peeked, is, text) => {
    expect(await render(scriptedClient({ "start-tip": peeked }), is)).toBe(text);
  });

  it("shows loading while it loads", async () => {
    expect(await render(scriptedClient())).toBe("wait");
  });
});
