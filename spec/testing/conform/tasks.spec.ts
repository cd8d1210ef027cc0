/** Each fault of tasks is found by the cases named for it, by what is learned of that server, and by no other. */
import { CASES } from '../../../src/testing/conform/caseTable';
import { protocolOf } from '../../../src/testing/conform/conformCase';
import { resultsOf, serverOf } from './servers';
import { TASK_FAULTS } from './taskFaults';

const cases = CASES.filter((one) => protocolOf(one) === 'tasks');

/** Cases that must not find a fault of another name, and provoke what only rules find. */
const WITNESSES = [
  'tasks-get-unknown-uuid',
  'tasks-get-undeclared-nothing',
  'tasks-create',
  'tasks-create-undeclared-nothing',
  'tasks-get-until-end',
  'tasks-get-after-end',
  'tasks-no-progress',
  'tasks-listen',
  'tasks-cancel',
  'tasks-asks',
  'tasks-asks-again-alike',
  'tasks-update-unknown-key',
];

/** Faults that many cases come across: these are among them. */
const EVERY = 'EVERY';

describe('conform of tasks', () => {
  it.each(Object.entries(TASK_FAULTS))('finds a server that %s', async (_, { fault, found }) => {
    const played = cases.filter(({ id }) => found.includes(id) || WITNESSES.includes(id));
    const results = await resultsOf(serverOf(fault), { revisions: ['2026-07-28'], cases: played });
    const failed = results.filter(({ verdict }) => verdict === 'failed').map(({ sentence }) => sentence.id);
    const named = found.filter((id) => id !== EVERY);
    expect(found.includes(EVERY) ? failed.filter((id) => named.includes(id)).sort() : failed.sort()).toEqual(
      named.toSorted(),
    );
  });
});
