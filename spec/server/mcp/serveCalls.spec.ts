import { map, type Observable } from 'rxjs';
import { toInput } from '../../../src/protocol/codex/input';
import type { TurnOp } from '../../../src/protocol/codex/operations';
import type { Outgoing } from '../../../src/protocol/jsonrpc/messages';
import type { Command } from '../../../src/server/mcp/command';
import type { McpDeps } from '../../../src/server/mcp/mcpDeps';
import { serveCalls } from '../../../src/server/mcp/serveCalls';
import { marbles } from '../../support/marbles';
import { mcpDeps } from '../../support/mcp';
import { callOf, legacy, modern } from '../../support/mcpCalls';

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
    'asks by a request, and by a result where the request asks for that',
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
