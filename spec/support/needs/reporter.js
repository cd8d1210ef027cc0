/** Keeps the results of a run for its report, which teardown.ts prints when Jest has printed all of its own. Jest loads reporters as they are, so this is no TypeScript. */
module.exports = class {
  onRunComplete(_contexts, results) {
    globalThis.specResults = results;
  }
};
