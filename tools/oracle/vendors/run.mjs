// Imports random documents of other services, and compares what the program serves with what the SDK of the service
// serves. Each service draws people by its own hash, so the values of many people are compared as a set.

import { writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { Program } from "../../program/program.mjs";
import * as flagd from "./flagd.mjs";
import * as growthbook from "./growthbook.mjs";
import { generator } from "./random.mjs";
import * as unleash from "./unleash.mjs";

const SEED = Number(process.env.SEED ?? 1);
const DOCUMENTS = Number(process.env.ORACLE_IMPORTS ?? 2);
const FLAGS = 60;
const PEOPLE = 12;
/** With two draws of one half, one of the four outcomes is missing from so many people once in a million documents. */
const UNITS = 48;

const agent = new Agent({ keepAlive: true });

class ImportedFlags extends Program {
  /** Imports a document, and resolves with what was left out when the program serves it. */
  async importFrom(service, document) {
    const file = join(this.dir, "import.json");
    writeFileSync(file, JSON.stringify(document));
    const { version, left_out } = JSON.parse(
      this.run("flags", "import", file, "--from", service, "--env", "production"),
    );
    while ((await this.evaluate({})).version !== version) await Promise.resolve();
    return left_out;
  }

  evaluate(context) {
    const headers = {
      Authorization: `Bearer ${this.serverKey}`,
      "Content-Type": "application/json",
    };
    return new Promise((resolve, reject) => {
      const url = new URL("/api/flags/v3/features", this.url);
      const sent = request(url, { method: "PUT", headers, agent }, async (response) => {
        const text = (await response.toArray()).join("");
        if (response.statusCode === 200) resolve(JSON.parse(text));
        else reject(new Error(`${response.statusCode} ${text} for ${JSON.stringify(context)}`));
      });
      sent.on("error", reject);
      sent.end(JSON.stringify(context));
    });
  }
}

/** Returns contexts that differ in their units only. */
function contexts(attributes, units) {
  if (units.length === 0) return [attributes];
  return Array.from({ length: UNITS }, (_, index) => ({
    ...attributes,
    ...Object.fromEntries(units.map((unit) => [unit, `u${index}`])),
  }));
}

const counts = {};
const count = (service, what) => {
  counts[service] ??= {};
  counts[service][what] = (counts[service][what] ?? 0) + 1;
};

async function compare(program, service, random) {
  const document = service.document(random, FLAGS);
  const leftOut = await program.importFrom(service.name, document);
  const evaluate = service.evaluator(document);
  for (const attributes of random.times(PEOPLE, () => service.person(random))) {
    for (const units of service.units) {
      const people = contexts(attributes, units);
      const answers = [];
      for (const context of people) answers.push((await program.evaluate(context)).flags);
      for (const key of service.flags(document)) {
        const remarks = leftOut.filter(
          ({ pointer, reason }) =>
            `${pointer}/`.startsWith(service.pointer(document, key)) ||
            reason.includes(`the flag "${key}"`),
        );
        // Without a unit the service may answer at random.
        const asked = people.length > 1 ? people : Array(UNITS).fill(people[0]);
        const expected = new Set(asked.map((context) => evaluate(key, context)));
        const served = new Set(answers.map((answer) => answer[key]?.variation ?? null));
        const added = [...served].filter((value) => !expected.has(value));
        const missing = [...expected].filter((value) => !served.has(value));
        const isPartial = remarks.some((remark) => !service.isHarmless(remark, people[0]));
        const isRight = isPartial
          ? added.every((value) => service.mayBeServed(value, expected, document, key))
          : added.length + (people.length > 1 ? missing.length : 0) === 0;
        count(service.name, isPartial ? "in part" : served.size > 1 ? "drawn" : "equal");
        if ([...served].some((value) => !service.isOff(value, document, key)))
          count(service.name, "on");
        if (isRight) continue;
        const flag = document.features?.find?.((feature) => feature.name === key);
        const shown = {
          flag: flag ?? document.features?.[key] ?? document.flags[key],
          segments: document.segments,
          units,
          attributes,
          expected: [...expected],
          served: [...served],
          explanation: answers[0][key]?.explanation,
          remarks,
        };
        throw new Error(`${service.name} differs: ${JSON.stringify(shown, null, 1)}`);
      }
    }
  }
}

const program = new ImportedFlags();
try {
  program.serverKey = program.key("server");
  await program.serve({ env: { MUSETTE_LIMITS: "off" } });
  for (const service of [unleash, growthbook, flagd]) {
    if (process.env.ONLY && process.env.ONLY !== service.name) continue;
    for (let number = 0; number < DOCUMENTS; number++) {
      await compare(program, service, generator(SEED * 1000 + number));
    }
  }
  console.log(
    `imports compared with the SDKs of the services, no differences: ${JSON.stringify(counts)}`,
  );
} catch (error) {
  console.error(`seed ${SEED}: ${error.message}`);
  process.exitCode = 1;
} finally {
  agent.destroy();
  await program.remove();
}
