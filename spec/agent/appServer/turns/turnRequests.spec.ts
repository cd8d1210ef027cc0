import { NEVER, type Observable, of, throwError } from 'rxjs';
import type { OpenedThread } from '../../../../src/agent/appServer/threads/openThread';
import type { TurnInput } from '../../../../src/agent/appServer/turns/reduceTurn';
import { interruptTurn, steerTurn, toItems, withSettings } from '../../../../src/agent/appServer/turns/turnRequests';
import type { InputOffer } from '../../../../src/agent/turns/queueTurns';
import { type TurnStop, turnEvent } from '../../../../src/agent/turns/turnEvents';
import type { Event, Joined } from '../../../../src/protocol/codex/events';
import { type TurnOp, toInput } from '../../../../src/protocol/codex/operations';
import type { ThreadSettings } from '../../../../src/protocol/codex/settings';
import type { JsonObject } from '../../../../src/protocol/jsonrpc/json';
import { RpcError } from '../../../../src/protocol/jsonrpc/messages';
import { ConfigError } from '../../../../src/settings/faults/configError';
import { marbles } from '../../../support/marbles';
import { linkDouble, THREAD } from '../connection/link';
import { turn } from '../support';

const base = { model: 'gpt-5', approvalPolicy: 'untrusted', cwd: '/w', sandboxPolicy: { type: 'readOnly' } };
const { link } = linkDouble(NEVER);
const opened = (more: Partial<OpenedThread['thread']> = {}): OpenedThread => ({
  thread: { id: 't1', settings: { model: 'gpt-5' }, loadedBy: link, turnId: '', base, once: [], ...more },
  msgs: [],
  turnParams: {},
  isLoaded: true,
});
const asked = (own: Partial<TurnOp>) => ({ ...turn('a', 'go'), ...own }) as TurnOp;
const seen: ThreadSettings[] = [];
const deps = {
  paramsOf: (settings: ThreadSettings) => {
    seen.push(settings);
    if (settings.sandbox === 'danger-full-access') throw new ConfigError('looser than allowed');
    return { cwd: `/abs/${settings.cwd}`, approvalPolicy: settings.approvalPolicy };
  },
};

describe('withSettings', () => {
  it('leaves a turn without settings as it is', () => {
    expect(withSettings(deps, opened(), asked({}))).toEqual(opened());
  });

  it('sends what a turn sets for good, and starts the thread so where another server loads it', () => {
    const lasting = { model: 'o3', effort: 'low', cwd: 'x', approvalPolicy: 'never' } as const;
    const params = { model: 'o3', effort: 'low', cwd: '/abs/x', approvalPolicy: 'never' };
    const { thread, turnParams } = withSettings(deps, opened(), asked({ lasting }));
    expect({ turnParams, thread }).toEqual({
      turnParams: params,
      thread: { ...opened().thread, settings: lasting, base: { ...base, ...params } },
    });
  });

  it('sends what a turn sets for itself, and sets it back for the next', () => {
    const sandbox = { mode: 'workspace-write', writableRoots: ['/r'], networkAccess: true } as const;
    const once = withSettings(deps, opened(), asked({ settings: { model: 'o3', sandbox } }));
    const sandboxPolicy = { type: 'workspaceWrite', writableRoots: ['/r'], networkAccess: true };
    expect(once.turnParams).toEqual({ model: 'o3', sandboxPolicy });
    expect(seen.at(-1)).toEqual({
      model: 'o3',
      sandbox: 'workspace-write',
      config: {
        'sandbox_workspace_write.writable_roots': ['/r'],
        'sandbox_workspace_write.network_access': true,
      },
    });
    const next = withSettings(deps, { ...once, turnParams: {} }, asked({}));
    expect(next.turnParams).toEqual({ model: 'gpt-5', sandboxPolicy: { type: 'readOnly' } });
    expect(next.thread).toEqual(opened().thread);
  });

  it('sets reasoning back to the default where the thread names none', () => {
    const once = withSettings(deps, opened(), asked({ settings: { effort: 'low', summary: 'none' } }));
    const next = withSettings(deps, { ...once, turnParams: {} }, asked({}));
    expect(next.turnParams).toEqual({ effort: 'medium', summary: 'auto' });
  });

  it('sends what a profile of the call sets, and keeps the rest for when the thread is loaded again', () => {
    const paramsOf = ({ profile }: ThreadSettings) =>
      profile === undefined
        ? { cwd: '/w', approvalPolicy: 'untrusted' }
        : {
            cwd: '/w',
            approvalPolicy: 'never',
            model: 'o3',
            sandbox: 'workspace-write',
            config: { model_reasoning_effort: 'low' },
          };
    const lasting = { profile: 'p', compactPrompt: 'c', config: { environment_id: 'box' } };
    const before = opened({ settings: undefined, added: { compactPrompt: 'b', baseInstructions: 'b' } });
    const { thread, turnParams } = withSettings({ paramsOf }, before, asked({ lasting }));
    expect(turnParams).toEqual({
      model: 'o3',
      approvalPolicy: 'never',
      effort: 'low',
      sandboxPolicy: { type: 'workspaceWrite' },
    });
    expect(thread).toEqual({
      ...before.thread,
      added: { profile: 'p', compactPrompt: 'c', baseInstructions: 'b' },
      base: { ...base, ...turnParams },
    });
  });

  it('throws where the operator does not allow a setting', () => {
    const settings = { sandbox: { mode: 'danger-full-access' } } as const;
    expect(() => withSettings(deps, opened(), asked({ settings }))).toThrow('looser than allowed');
  });
});

describe('toItems', () => {
  it('makes the paths of pictures absolute', () => {
    const input = [
      { type: 'image', url: 'https://h/p' },
      { type: 'localImage', path: 'p.png' },
    ] as const;
    expect(toItems(input, '/w')).toEqual([input[0], { type: 'localImage', path: '/w/p.png' }]);
  });
});

const op = (callId: string): TurnOp => ({
  kind: 'input',
  callId,
  eventId: callId,
  thread: { id: 't1' },
  input: [...toInput(callId), { type: 'localImage', path: 'a.png' }],
  askable: true,
});
const offers: Record<string, InputOffer> = {
  i: { kind: 'offered', op: op('i') },
  j: { kind: 'offered', op: op('j') },
  x: { kind: 'withdrawn', callId: 'i' },
};
const event = (turnId: string, msg: Parameters<typeof turnEvent>[1]): Event =>
  turnEvent({ op: op('a'), threadId: 't1', turnId }, msg);
/** q an event before the turn has an id, s the first with it, z the last. */
const events = {
  q: event('', { type: 'warning', message: '' }),
  s: event('u', { type: 'task_started', model_context_window: null }),
  z: event('u', { type: 'task_complete', last_agent_message: null }),
};
const joined = (callId: string): Joined => ({ kind: 'joined', callId, threadId: 't1', turnCallId: 'a' });
const out = { I: joined('i'), J: joined('j') };
const input = (text: string) => [
  { type: 'text', text },
  { type: 'localImage', path: '/w/a.png' },
];
const sent = (callId: string) => ['turn/steer', { threadId: 't1', expectedTurnId: 'u', input: input(callId) }];

describe('steerTurn', () => {
  it.each([
    [
      'sends what waits once the turn is named, and what comes later at once',
      'i----j---',
      'q-s-----z',
      '--I--J--|',
      'ij',
    ],
    ['sends nothing that was withdrawn before', '             i-x------', 'q--s---z-', '-------|', ''],
    ['sends nothing after the turn', '                        --------i', 'q--s---z-', '-------|', ''],
    ['sends nothing where the turn was never named', '        i--------', 'q------z-', '-------|', ''],
  ])('%s', (_, given, turn, expected, callIds) =>
    marbles(({ hot, cold, expectObservable, flush }) => {
      const { link, requests } = linkDouble(cold('-'), { 'turn/steer': () => cold('(r|)', { r: {} }) });
      const event$ = hot(turn, events);
      const steer = steerTurn({ link, threadId: 't1', cwd: '/w', callId: 'a', event$ });
      expectObservable(hot(given.trim(), offers).pipe(steer)).toBe(expected, out);
      flush();
      expect(requests).toEqual([...callIds].map(sent));
    })(),
  );

  it(
    'waits for the response to what it sent before the turn was over',
    marbles(({ hot, cold, expectObservable }) => {
      const { link } = linkDouble(cold('-'), { 'turn/steer': () => cold('----(r|)', { r: {} }) });
      const event$ = hot('   s---z', events);
      const input$ = hot('   --i--', offers);
      const expected = '     ------(I|)';
      expectObservable(input$.pipe(steerTurn({ link, threadId: 't1', cwd: '/w', callId: 'a', event$ }))).toBe(
        expected,
        out,
      );
    }),
  );

  it(
    'leaves what the server refuses',
    marbles(({ hot, cold, expectObservable }) => {
      const refused = () => throwError(() => new RpcError(-32600, 'no active turn to steer'));
      const { link } = linkDouble(cold('-'), { 'turn/steer': refused });
      const event$ = hot('   s---z', events);
      const input$ = hot('   --i--', offers);
      expectObservable(input$.pipe(steerTurn({ link, threadId: 't1', cwd: '/w', callId: 'a', event$ }))).toBe('----|');
    }),
  );
});

const interrupted: TurnStop = { kind: 'interrupted' };
const expired: TurnStop = { kind: 'expired', message: 'too long' };
const stops = { x: interrupted, l: expired };
const inputs: Record<string, TurnInput> = {
  S: { kind: 'stopping', stop: interrupted },
  E: { kind: 'ended', end: interrupted },
  L: { kind: 'stopping', stop: expired },
  M: { kind: 'ended', end: expired },
};
const refused = () => throwError(() => new RpcError(-32600, 'no active turn'));

const over = (turnId$: Observable<string>, result: () => Observable<JsonObject> = () => of({})) => {
  const double = linkDouble(of(), { 'turn/interrupt': result });
  const turnIds = () => double.requests.map(([, { turnId }]) => turnId);
  return { ...double, turnIds, stop: interruptTurn({ link: double.link, threadId: THREAD, turnId$ }) };
};

describe('interruptTurn', () => {
  it.each([
    ['never', '----', '----'],
    ['is empty where nothing stops the turn', '--|', '--|'],
    ['ends the turn itself after three seconds', '-x', '-S 2999ms (E|)'],
    ['names the first reason only', '-l-x', '-L 2999ms (M|)'],
    ['errors with its source', '-#', '-#'],
  ])('%s', (_, stop, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(stop, stops).pipe(over(of('u')).stop)).toBe(expected, inputs);
    })(),
  );

  it(
    'interrupts once, and gives the turn up when it does not end',
    marbles(({ hot, expectObservable, flush }) => {
      const { stop, requests, givenUp } = over(of('u'));
      expectObservable(hot('-x-x', stops).pipe(stop)).toBe('-S 2999ms (E|)', inputs);
      flush();
      expect(requests).toEqual([['turn/interrupt', { threadId: THREAD, turnId: 'u' }]]);
      expect(givenUp).toEqual([THREAD]);
    }),
  );

  it(
    'tries again while the server knows no turn to stop, up to the end of its wait',
    marbles(({ hot, expectObservable, flush }) => {
      const { stop, requests } = over(of('u'), refused);
      expectObservable(hot('x', stops).pipe(stop)).toBe('S 2999ms (E|)', inputs);
      flush();
      expect(requests).toHaveLength(31);
    }),
  );

  it(
    'interrupts the turn under its own id, once that is known',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const { stop, turnIds } = over(cold('p 149ms u', { p: 'before', u: 'u' }), () =>
        turnIds().at(-1) === 'u' ? of({}) : refused(),
      );
      expectObservable(hot('x', stops).pipe(stop)).toBe('S 2999ms (E|)', inputs);
      flush();
      expect(turnIds()).toEqual(['before', 'before', 'u']);
    }),
  );

  it(
    'stops trying when it is unsubscribed',
    marbles(({ hot, expectObservable, flush }) => {
      const { stop, requests, givenUp } = over(of('u'), refused);
      expectObservable(hot('x', stops).pipe(stop), '^ 149ms !').toBe('S', inputs);
      flush();
      expect(requests).toHaveLength(2);
      expect(givenUp).toEqual([]);
    }),
  );
});
