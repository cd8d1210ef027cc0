import { map, NEVER, type Observable, of, throwError } from 'rxjs';
import { type TurnOp, toInput } from '../../../src/protocol/codex/operations';
import type { Outgoing } from '../../../src/protocol/jsonrpc/messages';
import { type LogRecord, silentLog } from '../../../src/protocol/log';
import type { McpLogLevel } from '../../../src/protocol/mcp/mcp';
import { HostError } from '../../../src/protocol/methods/host';
import type { CallOutput } from '../../../src/server/calls/step';
import type { Caller } from '../../../src/server/mcp/caller';
import type { ConnectionInput } from '../../../src/server/mcp/connectionReducer';
import type { McpDeps } from '../../../src/server/mcp/mcpDeps';
import type { Command } from '../../../src/server/mcp/methods/method';
import { logMessages, serveCalls, withStored } from '../../../src/server/mcp/serveCalls';
import { asked, hostWith } from '../../protocol/methods/host';
import { marbles } from '../../support/marbles';
import { mcpDeps } from '../../support/mcp';
import { callOf, legacy, modern, outputsOf } from '../../support/mcpCalls';

const begin = (prompt: string, caller = legacy): Command => {
  const call = callOf(caller, `c${caller.id}`);
  const op: TurnOp = {
    kind: 'turn',
    callId: call.callId,
    eventId: String(caller.id),
    thread: { start: {} },
    input: toInput(prompt),
    askable: true,
  };
  return { kind: 'begin', call, op };
};

const retried = { ...modern, id: 2 };

const commands: Record<string, Command> = {
  h: begin('say hi', { ...legacy, token: 'p' }),
  g: begin('go on'),
  d: { ...begin('go on'), call: callOf(legacy, 'twice') } as Command,
  q: begin('ask'),
  m: begin('ask', modern),
  t: {
    kind: 'resume',
    call: { ...callOf(retried, 'c1') },
    responses: { 'approval-0': { decision: 'approved' } },
    asked: { keys: ['approval-0'], misread: [] },
  },
  y: { kind: 'answered', question: 0, response: { kind: 'response', id: 0, result: { decision: 'approved' } } },
  x: { kind: 'cancel', requestId: 1 },
  l: { kind: 'level', level: 'info', response: { kind: 'response', id: 'l', json: '{}' } },
  o: { kind: 'later', request: { kind: 'request', id: 9, method: 'subscriptions/listen', params: {} } },
  r: { kind: 'response', id: 8, json: '{}' },
  z: { kind: 'end', cause: 'The input ended.' },
};

/** A message by what it is and whom it concerns. */
const brief = (message: Outgoing): string => {
  switch (message.kind) {
    case 'response':
      return `response ${message.id}${'result' in message && JSON.stringify(message.result).includes('input_required') ? ' input_required' : ''}`;
    case 'request':
      return `request ${message.id}`;
    case 'notification':
      return message.method;
    default:
      return message.kind;
  }
};

const serve = (command$: Observable<Command>, deps: Partial<McpDeps> = {}) =>
  serveCalls(mcpDeps(deps), command$).pipe(map(brief));

const out = {
  R: 'response 1',
  I: 'response 1 input_required',
  S: 'response 2',
  L: 'response l',
  Q: 'request 0',
  P: 'notifications/progress',
  E: 'codex/event',
  M: 'notifications/message',
  X: 'noResponse',
};

const response = { kind: 'response', id: 'l', json: '{}' } as const;

const level = (name: McpLogLevel) => ({ kind: 'level' as const, level: name, response });

const levels = { w: level('warning'), d: level('debug') };

const records: Record<string, LogRecord> = {
  i: { level: 'info', message: 'small', fields: { callId: 'c' } },
  j: { level: 'info', message: 'small', fields: { callId: 'other' } },
  e: { level: 'error', message: 'grave hunter2' },
  b: { level: 'debug', message: 'tiny', fields: { callId: 'c' } },
};

const wanting = outputsOf({ ...modern, era: { ...modern.era, logLevel: 'info' } });

const outputs: Record<string, CallOutput<Caller>> = {
  b: wanting.begun,
  d: wanting.deltas,
  r: wanting.resumed,
  q: wanting.question,
  s: wanting.suspended,
  x: wanting.cancelled,
  z: wanting.finished,
  y: wanting.busy,
  w: wanting.withdrawn,
  o: outputsOf(legacy).begun,
};

const shown = (name: string, data: object) => ({
  kind: 'notification',
  method: 'notifications/message',
  params: { level: name, logger: 'codex-rx', data },
});

const messages = {
  L: response,
  I: shown('info', { message: 'small', callId: 'c' }),
  E: shown('error', { message: 'grave ***' }),
};

/** Stands for what takes secrets out. */
const cleanRecord = (record: LogRecord): LogRecord => ({
  ...record,
  message: record.message.replace('hunter2', '***'),
});

describe('serveCalls', () => {
  it(
    'answers a call, and sends no progress after the response',
    marbles(({ hot, expectObservable }) => {
      const command$ = hot(' h- 10s z', commands);
      const expected = '     R- 10s |';
      expectObservable(serve(command$)).toBe(expected, out);
    }),
  );

  it(
    'sends the events before the response',
    marbles(({ hot, expectObservable }) => {
      const command$ = hot(' h----z', commands);
      const expected = '     (EER)|';
      expectObservable(serve(command$, { events: 'codex' })).toBe(expected, out);
    }),
  );

  it(
    'asks by a request, and by a result if the request asks for that',
    marbles(({ hot, expectObservable }) => {
      expectObservable(serve(hot('q--y-z', commands))).toBe('Q--R-|', out);
      expectObservable(serve(hot('m--t-z', commands))).toBe('I--S-|', out);
    }),
  );

  it(
    'answers both calls of a request id that is used twice',
    marbles(({ hot, expectObservable }) => {
      const command$ = hot(' g-d----z', commands);
      const expected = '     -------(RR|)';
      expectObservable(serve(command$)).toBe(expected, out);
    }),
  );

  it(
    'stops both of them by one cancel',
    marbles(({ hot, expectObservable }) => {
      const command$ = hot(' g-d-x-----z', commands);
      const expected = '     ----(XX)--|';
      expectObservable(serve(command$)).toBe(expected, out);
    }),
  );

  it(
    'shows the log from the level that was set, until the end',
    marbles(({ hot, expectObservable }) => {
      const record$ = hot(' --r--r--r', { r: { level: 'info' as const, message: 'm' } });
      const command$ = hot('----l-z', commands);
      const expected = '    ----LM|';
      expectObservable(serve(command$, { record$ })).toBe(expected, out);
    }),
  );

  it(
    'passes over what is not for calls',
    marbles(({ hot, expectObservable }) => {
      expectObservable(serve(hot('-o-r-z', commands))).toBe('-----|', out);
    }),
  );

  it(
    'answers the calls of an engine that errors, and goes on',
    marbles(({ hot, cold, expectObservable }) => {
      const engine: McpDeps['engine'] = () => () => cold<never>('--#');
      const command$ = hot('-g---', commands);
      expectObservable(serve(command$, { engine })).toBe('---a', { a: 'response 1' });
    }),
  );
});

describe('withStored', () => {
  const resume = {
    kind: 'conversation',
    request: { ...asked('resumeConversation', { conversationId: 'a' }), method: 'resumeConversation' },
  } as const;

  const found = { id: 'a', path: '/h/a.jsonl', model: 'm' };

  const inputs: Record<string, ConnectionInput> = { r: resume, c: { kind: 'cancel', requestId: 1 } };

  const out = { ...inputs, R: { ...resume, stored: found }, F: { ...resume, stored: { fault: 'no such thread' } } };

  const bug = (): never => {
    throw new Error('a bug');
  };

  it(
    'adds what is on disk to a request that resumes; all else passes at once',
    marbles(({ hot, cold, expectObservable }) => {
      const host = hostWith({ findStored: () => cold('---(f|)', { f: found }) });
      expectObservable(hot('rc---|', inputs).pipe(withStored({ codexHost: () => host, log: silentLog }))).toBe(
        '-c-R-|',
        out,
      );
    }),
  );

  it.each([
    [{ conversationId: 'a' }, { id: 'a' }],
    [{ path: '/p' }, { path: '/p' }],
    [{ conversationId: 1, path: null }, {}],
  ])('looks for what %j names', (params, named) => {
    const looked: unknown[] = [];
    marbles(({ hot, expectObservable }) => {
      const host = hostWith({
        findStored: (about) => {
          looked.push(about);
          return of(found);
        },
      });
      const request = { ...asked('resumeConversation', params), method: 'resumeConversation' } as const;
      const given = { r: { kind: 'conversation', request } as const };
      expectObservable(hot('r|', given).pipe(withStored({ codexHost: () => host, log: silentLog }))).toBe('R|', {
        R: { ...given.r, stored: found },
      });
    })();
    expect(looked).toEqual([named]);
  });

  it(
    'adds why there is none',
    marbles(({ hot, expectObservable }) => {
      const host = hostWith({ findStored: () => throwError(() => new HostError('no such thread')) });
      expectObservable(hot('r|', inputs).pipe(withStored({ codexHost: () => host, log: silentLog }))).toBe('F|', out);
    }),
  );

  it.each([
    ['cannot be made', bug],
    ['throws', () => hostWith({ findStored: bug })],
    ['errors', () => hostWith({ findStored: () => throwError(() => new Error('a bug')) })],
  ])(
    'fails the request alone if the host %s',
    (_, codexHost) =>
      void marbles(({ hot, expectObservable }) => {
        const stored = { fault: 'internal error: a bug' };
        expectObservable(hot('rc|', inputs).pipe(withStored({ codexHost, log: silentLog }))).toBe('Bc|', {
          ...out,
          B: { ...inputs.r, stored },
        });
      })(),
  );
});

describe('logMessages', () => {
  it(
    'sends a legacy client the records at its level and above, from the response on',
    marbles(({ hot, expectObservable }) => {
      const level$ = hot('   --w------d---|', levels);
      const record$ = hot('  e---i-e----i-|', records);
      const expected = '     --L---E--L-I-|';
      expectObservable(level$.pipe(logMessages({ record$, cleanRecord, output$: hot('-------------|') }))).toBe(
        expected,
        messages,
      );
    }),
  );

  it(
    'sends a request of 2026-07-28 the records of its call at its level, as long as it waits',
    marbles(({ hot, expectObservable }) => {
      const output$ = hot('  -b-d----q-s---r---z-|', outputs);
      const record$ = hot('  i--i-jeb-i-i-i---i--i|', records);
      const expected = '     ---I-----I-------I---|';
      expectObservable(hot<never>('|').pipe(logMessages({ record$, cleanRecord, output$ }))).toBe(expected, messages);
    }),
  );

  it(
    'goes on for a request that waits, when another one for its call is rejected',
    marbles(({ hot, expectObservable }) => {
      const output$ = hot('  b-y--w---z-|', outputs);
      const record$ = hot('  -i-i--i---i|', records);
      const expected = '     -I-I--I----|';
      expectObservable(hot<never>('|').pipe(logMessages({ record$, cleanRecord, output$ }))).toBe(expected, messages);
    }),
  );

  it(
    'sends nothing of a call that was cancelled, or that named no level',
    marbles(({ hot, expectObservable }) => {
      const output$ = hot('  b-x--o--|', outputs);
      const record$ = hot('  ---i--i-|', records);
      const expected = '     --------|';
      expectObservable(hot<never>('|').pipe(logMessages({ record$, cleanRecord, output$ }))).toBe(expected, messages);
    }),
  );

  it(
    'unsubscribes all its sources',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const record$ = hot('  ---', records);
      const output$ = hot('  ---', outputs);
      expectObservable(NEVER.pipe(logMessages({ record$, cleanRecord, output$ })), '^-!').toBe('---');
      expectSubscriptions(record$.subscriptions).toBe('^-!');
      expectSubscriptions(output$.subscriptions).toBe('^-!');
    }),
  );
});
