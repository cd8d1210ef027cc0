import { parseLine } from '../../../src/protocol/jsonrpc/parseLine';
import { toClientPlan } from '../../../src/tapes/replayClient/clientPlan';
import {
  bindReceived,
  type ClientInput,
  type ClientPlayback,
  IDLE_CLIENT,
  type Request,
  reduceClient,
  toSentLine,
} from '../../../src/tapes/replayClient/reduceClient';
import { itemAt } from '../../../src/tapes/session/sparseArray';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const text = (message: object): string => JSON.stringify(message);
const [a, A, n] = [{ id: 1, method: 'a' }, { id: 1, result: 'A' }, { method: 'n' }];
const [b, B] = [
  { id: 2, method: 'b' },
  { id: 2, result: 'B' },
];
const [ask, yes] = [
  { id: 0, method: 'ask', params: { text: 'one' } },
  { id: 0, result: 'yes' },
];
const plan = toClientPlan(
  toSessionIndex(
    sessionFrom(
      [0, 'in', a],
      [1, 'out', n],
      [2, 'out', A],
      [3, 'in', b],
      [4, 'out', ask],
      [5, 'in', yes],
      [6, 'out', B],
    ),
  ),
);

const start: ClientInput = { kind: 'start' };
const silence: ClientInput = { kind: 'silence' };
const timeout: ClientInput = { kind: 'timeout' };
const line = (message: object | string): ClientInput => ({
  kind: 'line',
  line: typeof message === 'string' ? message : text(message),
});

/** The lines sent after each input, and the phase at the end. */
const played = (...inputs: ClientInput[]) => {
  const play = reduceClient(plan);
  let state: ClientPlayback = IDLE_CLIENT;
  const sent = inputs.map((input) => {
    const step = play(state, input);
    state = step.state;
    return step.output;
  });
  return [...sent, state.phase];
};

describe('reduceClient', () => {
  it('sends a line when all messages that came before it have come, in any order', () => {
    expect(played(start, line(A), line(n), line(ask), line(B))).toEqual([
      [text(a)],
      [],
      [text(b)],
      [text(yes)],
      [],
      'finished',
    ]);
  });

  it('continues without a notification after a silence, and not without a response', () => {
    expect(played(start, line(A), silence)).toEqual([[text(a)], [], [text(b)], 'playing']);
    expect(played(start, line(n), silence)).toEqual([[text(a)], [], [], 'playing']);
  });

  it('gives up no notification while a response is due, as the server is at work', () => {
    expect(played(start, silence, line(A), line(n))).toEqual([[text(a)], [], [], [text(b)], 'playing']);
    expect(played(start, silence, line(A), silence)).toEqual([[text(a)], [], [], [text(b)], 'playing']);
  });

  it('responds to the request of this server, also when it asks for more', () => {
    const [other, mine] = [
      { ...ask, id: 'x', params: { text: 'two' } },
      { ...ask, id: 'y' },
    ];
    const [, , , , sent] = played(start, line(A), line(n), line(other), line(mine));
    expect(sent).toEqual([]);
    expect(played(start, line(A), line(n), line(mine))[3]).toEqual([text({ ...yes, id: 'y' })]);
  });

  it('passes over blank lines and what was not recorded', () => {
    expect(played(start, line(''), line('no JSON'), line({ method: 'other' }))).toEqual([
      [text(a)],
      [],
      [],
      [],
      'playing',
    ]);
  });

  it('finishes at a timeout, and does nothing after it', () => {
    expect(played(start, timeout, line(A))).toEqual([[text(a)], [], [], 'finished']);
  });

  it('pauses after a line, counts what comes, and goes on when the pause is over, whatever the silence', () => {
    const paused = toClientPlan(
      toSessionIndex(sessionFrom([0, 'in', n], [200, 'in', a], [300, 'out', A], [300, 'in', b])),
      'needed',
    );
    const play = reduceClient(paused);
    const inputs: ClientInput[] = [start, line(A), silence, timeout, { kind: 'resume' }];
    let state: ClientPlayback = IDLE_CLIENT;
    const steps = inputs.map((input) => {
      const step = play(state, input);
      state = step.state;
      return [step.state.phase, step.output, step.pauseMs];
    });
    expect(steps).toEqual([
      ['pausing', [text(n)], 200],
      ['pausing', [], 0],
      ['pausing', [], 0],
      ['pausing', [], 0],
      ['finished', [text(a), text(b)], 0],
    ]);
    expect(play(play(IDLE_CLIENT, start).state, { kind: 'end' }).state).toEqual({ phase: 'finished' });
  });

  it('leaves the state before it as it was', () => {
    const play = reduceClient(plan);
    [start, line(A), silence, line(n), line(ask), line(B)].reduce<ClientPlayback>((state, input) => {
      const [first, second] = [play(state, input), play(state, input)];
      expect(second).toEqual(first);
      return first.state;
    }, IDLE_CLIENT);
  });
});

describe('toSentLine', () => {
  const ask = (id: number, text: string) => ({ id, method: 'elicitation/create', params: { text } });

  const plan = toClientPlan(
    toSessionIndex(
      sessionFrom(
        [0, 'in', '{ "id": 1, "method": "go" }'],
        [1, 'out', { id: 1, result: { taskId: 't1' } }],
        [2, 'out', ask(5, 'first')],
        [3, 'out', ask(6, 'second')],
        [4, 'in', { id: 6, result: { action: 'accept' } }],
        [5, 'in', { id: 2, method: 'tasks/get', params: { taskId: 't1' } }],
      ),
    ),
  );

  const line = (index: number) => plan.index.clientLines[index] ?? fail('no such line');

  const [GO, ANSWER, GET] = [0, 1, 2].map(line) as [
    ReturnType<typeof line>,
    ReturnType<typeof line>,
    ReturnType<typeof line>,
  ];

  const open = (id: number, text: string): Request => ({ kind: 'request', ...ask(id, text) });

  const fail = (text: string): never => {
    throw new Error(text);
  };

  describe('toSentLine', () => {
    it('is the recorded line, byte by byte, where no handle differs', () => {
      const openRequests = [open(5, 'first')];
      expect(toSentLine(plan, { ...IDLE_CLIENT, openRequests }, GO)).toEqual({
        line: '{ "id": 1, "method": "go" }',
        openRequests,
      });
    });

    it.each<[string, Request[], number, Request[]]>([
      [
        'to the open request that is most like the recorded one',
        [open(8, 'first'), open(9, 'second')],
        9,
        [open(8, 'first')],
      ],
      ['to the first of its method where none is like it', [open(8, 'x'), open(9, 'y')], 8, [open(9, 'y')]],
      ['under the recorded id where the request has it', [open(6, 'second')], 6, []],
      [
        'as it was where no request of its method is open',
        [{ ...open(8, 'second'), method: 'ping' }],
        6,
        [{ ...open(8, 'second'), method: 'ping' }],
      ],
    ])('sends a response %s', (_, openRequests, id, left) => {
      const sent = toSentLine(plan, { ...IDLE_CLIENT, openRequests }, ANSWER);
      expect({ ...sent, line: JSON.parse(sent.line) }).toEqual({
        line: { id, result: { action: 'accept' } },
        openRequests: left,
      });
    });

    it('has the handle that this server issued, the first of two', () => {
      const received = ['t9', 't10'].reduce((state, taskId) => {
        const { value, messages } = parseLine(JSON.stringify({ id: 1, result: { taskId } }));
        return bindReceived(plan, state, { value, message: messages[0] });
      }, IDLE_CLIENT);
      expect(JSON.parse(toSentLine(plan, received, GET).line)).toEqual({
        id: 2,
        method: 'tasks/get',
        params: { taskId: 't9' },
      });
    });
  });

  describe('bindReceived', () => {
    it('counts the lines of a kind, and binds the handles of the recorded line in its place', () => {
      const { value, messages } = parseLine(JSON.stringify({ id: 1, result: { taskId: 't9' } }));
      const after = bindReceived(plan, IDLE_CLIENT, { value, message: messages[0] });
      expect({ ...after, received: itemAt(after.received, 0), bound: itemAt(after.bound, 0) }).toEqual({
        ...IDLE_CLIENT,
        received: 1,
        bound: 't9',
      });
    });

    it.each([
      ['a message of another kind', { method: 'unknown' }],
      ['no message', undefined],
    ])('keeps the state for %s', (_, message) => {
      const given = message && parseLine(JSON.stringify(message)).messages[0];
      expect(bindReceived(plan, IDLE_CLIENT, { value: message, message: given })).toBe(IDLE_CLIENT);
    });
  });
});
