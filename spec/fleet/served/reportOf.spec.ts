import { addStored, emptySession, release } from '../../../src/fleet/served/outputAccount';
import { openEntry, reportOf } from '../../../src/fleet/served/publishedOutput';

const LAST_SEQ = 90;

type Given = { unstored?: number; holdsOutput?: boolean; acknowledged?: number; sentAfter?: number };

/** A process that was opened when the stream had 10 messages, with those that are stored since: number in the stream, and last event. */
const entry = (
  name: string,
  stored: readonly [number, number][],
  { unstored = 0, holdsOutput = true, acknowledged = 0, sentAfter }: Given = {},
) => {
  const made = openEntry({ subject: `p.events.e.s.${name}`, holdsOutput }, 10, emptySession());
  for (const [seq, throughSeq] of stored) addStored(made.account, { seq, throughSeq, bytes: 0 }, holdsOutput);
  release(made.account, acknowledged);
  made.account.unstored = unstored;
  made.account.sentAfter = sentAfter;
  return made;
};

describe('reportOf', () => {
  it.each([
    ['nothing', [], { from: 91, unread: [] }],
    ['a process that wrote nothing', [entry('a', [])], { from: 91, unread: [] }],
    ['one whose output is on its way', [entry('a', [], { unstored: 1 })], { from: 11, unread: [] }],
    ['one whose output was read', [entry('a', [[20, 3]], { acknowledged: 3 })], { from: 91, unread: [] }],
    [
      'the same, with more on its way',
      [entry('a', [[20, 3]], { acknowledged: 3, unstored: 1 })],
      { from: 21, unread: [] },
    ],
    [
      'the same, with its close on its way, which has no bytes',
      [entry('a', [[20, 3]], { acknowledged: 3, sentAfter: 80 })],
      { from: 21, unread: [] },
    ],
    [
      'what is unread',
      [
        entry(
          'a',
          [
            [20, 3],
            [30, 4],
            [40, 9],
          ],
          { acknowledged: 3 },
        ),
        entry('%2Fb', [[35, 1]]),
      ],
      {
        from: 30,
        unread: [
          { processId: 'a', throughSeq: 9 },
          { processId: '/b', throughSeq: 1 },
        ],
      },
    ],
    [
      'one whose reader acknowledges nothing',
      [entry('a', [[20, 3]], { holdsOutput: false })],
      { from: 11, unread: [] },
    ],
  ] as const)('reports of %s', (_, entries, report) => {
    expect(reportOf(entries, LAST_SEQ)).toEqual(report);
  });
});
