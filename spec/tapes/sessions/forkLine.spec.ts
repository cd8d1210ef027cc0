import type { ServerEvent } from '../../../src/io/serverProcess/serverProcess';
import { type Fork, type ForkItem, forkLine, IDLE_FORK } from '../../../src/tapes/sessions/forkLine';
import { sessionFrom } from '../../support/tapes';

const text = (message: object): string => JSON.stringify(message);
const near = (item: ForkItem) => ({ from: 'near', item }) as const;
const far = (item: ServerEvent) => ({ from: 'far', item }) as const;
const line = (message: object) => ({ kind: 'line', line: text(message) }) as const;

const question = { id: 'q', method: 'roots/list' };
const now = sessionFrom(
  [0, 'in', { id: 1, method: 'a' }],
  [1, 'out', { id: 'p', method: 'ping' }],
  [2, 'in', { id: 'p', result: {} }],
  [3, 'out', question],
);
const live = near({ kind: 'live', results: [], now });

/** What comes of each item. */
const played = (...traffic: Parameters<typeof forkLine>[1][]) => {
  let state: Fork = IDLE_FORK;
  return traffic.map((one) => {
    const step = forkLine(state, one);
    state = step.state;
    return step.output;
  });
};

describe('forkLine', () => {
  it('passes nothing but the log of the server until the fork is live', () => {
    expect(played(far(line({ id: 1, result: 1 })), far({ kind: 'log', line: 'ready' }))).toEqual([
      [],
      [{ kind: 'log', line: 'ready' }],
    ]);
  });

  it('hands over, with the requests that nobody answered', () => {
    expect(played(live)).toEqual([[{ kind: 'compared', results: [], handedOver: true }, line(question)]]);
  });

  it('passes what is for the live client, and drops responses to the played one', () => {
    const result = line({ id: 2, result: {} });
    const outputs = played(
      live,
      near(line({ id: 2, method: 'b' })),
      far(line({ id: 1, result: {} })),
      far(line({ method: 'notice' })),
      far(result),
      far(result),
    );
    expect(outputs.slice(1)).toEqual([[], [], [line({ method: 'notice' })], [result], []]);
  });

  it('answers the live client, and reports what differs and how the server ended', () => {
    const answer = { kind: 'answer', line: 'x' } as const;
    const ended = { kind: 'ended', trouble: '', exitCode: 0 } as const;
    expect(played(near(answer), near({ kind: 'ignored' }), near({ kind: 'differs', results: [] }), far(ended))).toEqual(
      [[{ kind: 'line', line: 'x' }], [], [{ kind: 'compared', results: [], handedOver: false }], [ended]],
    );
  });
});
