// Runs the official OpenFeature clients, unchanged, against the program. The scenarios are our own and cover the
// topics of the OpenFeature provider conformance kit: types, reasons, errors, disabled flags, contexts, caching,
// events.

import { pretendToBeABrowser } from "./browser.mjs";
import { FlagProgram } from "./program.mjs";
import { serverScenarios } from "./server.mjs";
import { webScenarios } from "./web.mjs";

pretendToBeABrowser();

const program = await FlagProgram.start();
let failed = 0;
let passed = 0;
try {
  for (const [client, scenarios] of [
    ["web", webScenarios],
    ["server", serverScenarios],
  ]) {
    for (const [name, scenario] of Object.entries(scenarios)) {
      try {
        await scenario(program);
        passed += 1;
      } catch (error) {
        failed += 1;
        console.error(`FAILED ${client}: ${name}\n${error.stack}\n`);
      }
    }
  }
} finally {
  await program.remove();
}
console.log(`OpenFeature clients: ${passed} scenarios passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
