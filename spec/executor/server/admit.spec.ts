import { isObservable, NEVER, of, throwError } from 'rxjs';
import { type AdmitState, admit, type Phase } from '../../../src/executor/server/execServer';
import type { ExecSession } from '../../../src/executor/server/execSession';
import type { ExecMessage } from '../../../src/protocol/exec/codec';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';
import { marbles } from '../../support/marbles';
import { ask, note, refusal } from './support';

const session: ExecSession = { id: 's', isAttached: () => NEVER, attach: () => () => NEVER };
const log = jest.fn();
const depsOf = (open = () => of(session)) => ({
  sessions: { hasMethod: (name: string) => name.startsWith('process/'), open },
  source: 'line',
  log,
});
const at = (phase: Phase): AdmitState => ({ phase, output: { kind: 'none' } });
const start = ask(1, 'process/start');
const initialize = ask(0, 'initialize', { clientName: 'c' });
const refused = (code: number, message: string, id = 1) => ({ kind: 'respond', response: refusal(id, code, message) });

describe('admit', () => {
  afterEach(() => log.mockClear());

  it.each<[string, Phase, ExecMessage, AdmitState]>([
    [
      'runs a request once the client is ready',
      'ready',
      start,
      { phase: 'ready', output: { kind: 'run', request: start } as never },
    ],
    [
      'refuses a request before initialize',
      'new',
      start,
      { phase: 'new', output: refused(-32600, 'client must call initialize before using exec methods') as never },
    ],
    [
      'refuses a request before initialized',
      'initialized',
      start,
      {
        phase: 'initialized',
        output: refused(-32600, 'client must send initialized before using exec methods') as never,
      },
    ],
    [
      'refuses an unknown method in every phase',
      'new',
      ask(1, 'no/such'),
      { phase: 'new', output: refused(-32601, 'exec-server stub does not implement `no/such` yet') as never },
    ],
    ['is ready after initialized', 'initialized', note('initialized'), at('ready')],
    [
      'refuses what cannot be read, with id -1',
      'ready',
      { kind: 'fault', message: 'bad' },
      { phase: 'ready', output: refused(-32600, 'failed to parse line: bad', -1) as never },
    ],
  ])('%s', (_, phase, message, expected) => {
    expect(admit(depsOf(), at(phase), message)).toEqual(expected);
    expect(log).not.toHaveBeenCalled();
  });

  it.each<[string, Phase, ExecMessage]>([
    ['initialized before initialize', 'new', note('initialized')],
    ['an unknown notification', 'ready', note('no/such')],
    ['a response', 'ready', { kind: 'response', id: 1, result: {} }],
  ])('ends the connection at %s, and logs why', (_, phase, message) => {
    expect(admit(depsOf(), at(phase), message)).toEqual({ phase, output: { kind: 'end' } });
    expect(log).toHaveBeenCalledTimes(1);
  });

  it.each<[string, Phase, () => ReturnType<ReturnType<typeof depsOf>['sessions']['open']>, AdmitState]>([
    [
      'attaches to a session',
      'new',
      () => of(session),
      {
        phase: 'initialized',
        output: { kind: 'attach', session, response: { kind: 'response', id: 0, result: { sessionId: 's' } } },
      },
    ],
    [
      'refuses a second initialize',
      'ready',
      () => NEVER,
      { phase: 'ready', output: refused(-32600, 'initialize may only be sent once per connection', 0) as never },
    ],
    [
      'refuses where there is no session',
      'new',
      () => throwError(() => new RpcError(-32600, 'unknown session id x')),
      { phase: 'new', output: refused(-32600, 'unknown session id x', 0) as never },
    ],
  ])('%s', (_, phase, open, expected) =>
    marbles(({ expectObservable }) => {
      const next = admit(depsOf(open), at(phase), initialize);
      expectObservable(isObservable(next) ? next : of(next)).toBe('(s|)', { s: expected });
    })(),
  );
});
