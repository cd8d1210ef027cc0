import type { ServerEvent } from '../../../src/io/serverProcess/serverProcess';
import {
  answerHandshake,
  type Fork,
  type ForkItem,
  forkLine,
  IDLE_FORK,
  sessionUpTo,
} from '../../../src/tapes/sessions/fork';
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

describe('answerHandshake', () => {
  const text = (message: object): string => JSON.stringify(message);
  const result = { serverInfo: { name: 's' } };
  const answer = answerHandshake(
    sessionFrom([0, 'in', { id: 0, method: 'initialize' }], [1, 'out', { id: 0, result }]),
  );

  it('answers initialize as the server did, and ignores the notification', () => {
    expect(answer(text({ id: 7, method: 'initialize', params: {} }))).toEqual({
      kind: 'answer',
      line: text({ jsonrpc: '2.0', id: 7, result }),
    });
    expect(answer(text({ method: 'notifications/initialized' }))).toEqual({ kind: 'ignored' });
  });

  it('passes everything else, and all where nothing was initialized', () => {
    for (const line of [text({ id: 1, method: 'tools/list' }), text({ id: 1, result: {} }), 'no JSON']) {
      expect(answer(line)).toEqual({ kind: 'line', line });
    }
    const line = text({ id: 7, method: 'initialize' });
    expect(answerHandshake(sessionFrom())(line)).toEqual({ kind: 'line', line });
  });
});

const session = sessionFrom(
  [0, 'out', { method: 'ready' }],
  [1, 'in', { id: 1, method: 'a' }],
  [2, 'out', { id: 1, result: 1 }],
  [3, 'in', { id: 2, method: 'b' }],
);

const linesUpTo = (at: number): number[] => sessionUpTo(session, at).entries.map(({ lineNumber }) => lineNumber);

describe('sessionUpTo', () => {
  const [first = 0, second = 0, third = 0, last = 0] = session.entries.map(({ lineNumber }) => lineNumber);

  it('keeps what comes up to a line', () => {
    expect(linesUpTo(third)).toEqual([first, second, third]);
    expect(linesUpTo(last)).toEqual([first, second, third, last]);
    expect(linesUpTo(Number.POSITIVE_INFINITY)).toEqual([first, second, third, last]);
  });

  it('refuses a line behind the session, and one before the first line of the client', () => {
    expect(() => linesUpTo(last + 1)).toThrow(`Line ${last + 1} is beyond the session, which ends at line ${last}`);
    expect(() => linesUpTo(first)).toThrow(`The client sent nothing up to line ${first}`);
  });
});
