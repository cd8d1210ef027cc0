/**
 * The order of spec files. First those that take longest, so that none of them runs alone at the end; then wing after wing, so that `byWing.js` can
 * say when one is done. On a machine where they have not run yet Jest would begin with the largest files, but the longest are small.
 */
const { default: Sequencer } = require('@jest/test-sequencer');

/** The longest first. That of 1,000 processes is not beside that of leases, which end after seconds. */
const LONG = [
  /peers\/(\w+\/)?(fleetThreads|execServer|generatedSpecs|scenarios)\./,
  /peers\/\w+\/(fleet|natsTapes|conversationFaults|appServer|page|soak|crash|tasks)\./,
  /wire\/\w+\/(fleet|fleetThreads|slowReaders|environmentsFleet|rerun|replay|execServer|marbles)\./,
  /\/(wire|contract|attack)\/|contract\.spec|localBackend|throwingPorts|\/(house|conform|agents|tasks|ownTapes|anything|testingTypes)\.|log\/child\./,
];

/** A file that takes longer belongs to the long ones. */
const SHORT_MS = 2000;

const rankOf = ({ path, duration }) => {
  const rank = duration === undefined ? LONG.findIndex((pattern) => pattern.test(path)) : duration < SHORT_MS ? -1 : 0;
  return rank < 0 ? LONG.length : rank;
};

const wingOf = ({ path }) => path.replace(/.*[\\/]spec[\\/]/, '').split(/[\\/]/)[0];

module.exports = class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests); // sets the durations that are known
    globalThis.specPaths = tests.map(({ path }) => path);
    return [...sorted].sort(
      (a, b) => rankOf(a) - rankOf(b) || (rankOf(a) === LONG.length ? wingOf(a).localeCompare(wingOf(b)) : 0),
    );
  }
};
