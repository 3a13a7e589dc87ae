export { createTestFlags, type TestFlags } from "./test-flags";
