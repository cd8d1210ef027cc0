/**
 * The order of spec files on a machine where they have not run yet. Jest begins with the largest files there; those that take longest are small, and
 * the last of them would run alone at the end. Once they have run, Jest knows how long each takes.
 */
const { default: Sequencer } = require('@jest/test-sequencer');

/** The longest first. That of 1,000 processes is not beside that of leases, which end after seconds. */
const LONG = [
  /peers\/(\w+\/)?(fleetThreads|execServer|generatedSpecs|scenarios)\./,
  /peers\/\w+\/(fleet|natsTapes|conversationFaults|appServer|page|soak|crash)\./,
  /wire\/\w+\/(fleet|fleetThreads|slowReaders|environmentsFleet|rerun|replay|execServer|marbles)\./,
  /\/(wire|contract)\/|contract\.spec|localBackend|throwingPorts|attack\/permissionProfile|\/(house|floors)\./,
];

const rankOf = ({ path, duration }) => {
  const rank = duration === undefined ? LONG.findIndex((pattern) => pattern.test(path)) : 0;
  return rank < 0 ? LONG.length : rank;
};

module.exports = class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests); // sets the durations that are known
    return [...sorted].sort((a, b) => rankOf(a) - rankOf(b));
  }
};
