import type { Told, TurnOp } from '../../../src/protocol';
import { faceOf } from '../../../src/server/mcp';
import { attend, type Input, nobody } from '../../../src/server/mcp/attend';
import { aborted, complete, delta, request, started, told } from '../../support/mcp';

const deps = {
  face: faceOf('union', '0.1.0'),
  events: true,
  sealer: { seal: () => 'sealed', open: () => ({ callId: '', digest: '', expires: 0 }) },
  expiresAt: () => 100,
};

const op: TurnOp = { kind: 'turn', callId: 'c', eventId: '1', thread: { start: {} }, prompt: '', askable: true };
const legacy = { modern: false, capabilities: {} };
const modern = { modern: true, capabilities: {}, logLevel: 'info' as const };
const begin = (era: typeof legacy): Input => ({
  kind: 'begin',
  call: { callId: 'c', id: 1, era, tool: 'codex', digest: 'd' },
  op,
});
const hears = (event: ReturnType<typeof told>): Input => ({ kind: 'event', event });
const retry = (id: number, questions: number[] = []): Input => ({
  kind: 'resume',
  call: { callId: 'c', id, era: modern, digest: 'd' },
  verdicts: new Map(questions.map((question) => [question, { decision: 'approved' }])),
});

/** What each input makes the server say, as kind and method or id. */
const play = (...inputs: Input[]): string[][] => {
  let state = nobody();
  return inputs.map((input) => {
    state = attend(deps)(state, input);
    return state.out.map((message) => {
      if (message.kind === 'notification') return (message.params.msg as { type?: string })?.type ?? message.method;
      if (message.kind === 'request') return `${message.method} ${message.id}`;
      if (message.kind !== 'response') return message.kind;
      if ('error' in message) return `error ${message.id}`;
      const { resultType } = ('result' in message ? message.result : {}) as { resultType?: string };
      return `answer ${message.id} ${resultType ?? ''}`.trim();
    });
  });
};

const ask = (question: number) => hears(told(op, request, question) as Told);

describe('attend', () => {
  it('holds back what happens while nobody listens, and tells it to the retry; deltas have their whole', () => {
    const message = { type: 'agent_message', message: 'a' } as const;
    expect(
      play(
        begin(modern),
        ask(0),
        hears(told(op, delta('a'))),
        hears(told(op, message)),
        hears(told(op, complete('x'))),
        retry(2, [0]),
      ),
    ).toEqual([
      [],
      ['exec_approval_request', 'answer 1 input_required'],
      [],
      [],
      [],
      ['agent_message', 'task_complete', 'answer 2 complete'],
    ]);
  });

  it('forgets results that nobody comes back for, the oldest first', () => {
    const other = (n: number): Input[] => {
      const own = { ...op, callId: `c${n}` };
      const call = { callId: own.callId, id: n, era: modern, tool: 'codex', digest: 'd' };
      return [
        { kind: 'begin', call, op: own },
        { kind: 'event', event: told(own, request, n) },
        { kind: 'event', event: told(own, complete('x')) },
      ];
    };
    const late = (n: number): Input => ({
      kind: 'resume',
      call: { callId: `c${n}`, id: `r${n}`, era: modern, digest: 'd' },
      verdicts: new Map([[n, { decision: 'approved' as const }]]),
    });
    const said = play(...Array.from({ length: 101 }, (_, n) => other(n)).flat(), late(0), late(1));
    expect(said.slice(-2)).toEqual([['error r0'], ['task_complete', 'answer r1 complete']]);
  });

  it('puts a second question to the retry that answered the first', () => {
    expect(play(begin(modern), ask(0), ask(1), retry(2, [0]), retry(3, [1]), hears(told(op, complete('x'))))).toEqual([
      [],
      ['exec_approval_request', 'answer 1 input_required'],
      [],
      ['exec_approval_request', 'answer 2 input_required'],
      [],
      ['task_complete', 'answer 3 complete'],
    ]);
  });

  it('refuses a second retry while one is being served', () => {
    expect(play(begin(modern), ask(0), retry(2, [0]), retry(3, [0]))).toEqual([
      [],
      ['exec_approval_request', 'answer 1 input_required'],
      [],
      ['error 3'],
    ]);
  });

  it('tells a legacy client that its cancelled turn was aborted, and nothing else', () => {
    const cancel: Input = { kind: 'cancel', requestId: 1 };
    expect(play(begin(legacy), cancel, hears(told(op, delta('a'))), hears(told(op, aborted)))).toEqual([
      [],
      ['silence'],
      [],
      ['turn_aborted'],
    ]);
    expect(play(begin(modern), cancel, hears(told(op, aborted)))).toEqual([[], ['silence'], []]);
  });

  it('ignores a cancel of nobody and of itself again', () => {
    const cancel = (requestId: unknown): Input => ({ kind: 'cancel', requestId });
    expect(play(begin(legacy), cancel('1'), cancel(undefined), cancel({}), cancel(1), cancel(1))).toEqual([
      [],
      [],
      [],
      [],
      ['silence'],
      [],
    ]);
  });

  it('forgets a call with its last event', () => {
    const last = hears(told(op, complete('x')));
    expect(play(begin(legacy), hears(told(op, started)), last, last, { kind: 'end' })).toEqual([
      [],
      ['task_started'],
      ['task_complete', 'answer 1'],
      [],
      [],
    ]);
  });

  it('ends a subscription by a cancel without a word', () => {
    expect(play({ kind: 'listen', id: 5 }, { kind: 'cancel', requestId: 5 }, { kind: 'end' })).toEqual([
      ['notifications/subscriptions/acknowledged'],
      [],
      [],
    ]);
  });

  it('shows a modern call the records that belong to it', () => {
    const record = (callId: string, level: 'info' | 'debug'): Input => ({
      kind: 'record',
      record: { level, message: 'm', fields: { callId } },
    });
    expect(play(begin(modern), record('c', 'info'), record('c', 'debug'), record('other', 'info'))).toEqual([
      [],
      ['notifications/message'],
      [],
      [],
    ]);
  });
});
