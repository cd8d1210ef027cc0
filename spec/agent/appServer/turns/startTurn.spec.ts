import { type Observable, of, throwError } from 'rxjs';
import type { OpenDeps, OpenedThread } from '../../../../src/agent/appServer/threads/openThread';
import { startTurn } from '../../../../src/agent/appServer/turns/runTurn';
import type { TurnOp } from '../../../../src/protocol/codex/operations';
import type { JsonObject } from '../../../../src/protocol/jsonrpc/json';
import { RpcError } from '../../../../src/protocol/jsonrpc/messages';
import { marbles } from '../../../support/marbles';
import { linkDouble } from '../connection/link';
import { turn as call } from '../support';

const deps: OpenDeps = {
  paramsOf: () => ({ cwd: '/w' }),
  promptHistory: () => ({ history_log_id: 0, history_entry_count: 0 }),
  limits: () => ({ config: {} }),
  readRollout: () => '{"type":"turn_context","payload":{"approval_policy":"never"}}',
};
const results = { r: { thread: { id: 't1', path: '/rollout' } }, u: { turn: { id: 'u1' } } };
const no = (message: string) => () => throwError(() => new RpcError(-32600, message));
const input = [{ type: 'text', text: 'go' }];

const op = call('a', 'go') as TurnOp;

const opened = (given: Record<string, () => Observable<JsonObject>>, more: Partial<OpenedThread> = {}) => {
  const double = linkDouble(of(), given);
  const thread = { id: 't1', loadedBy: double.link, turnId: '', base: {}, once: [] };
  const turn: OpenedThread = { thread, msgs: [], turnParams: { approvalPolicy: 'never' }, isLoaded: true, ...more };
  return { ...double, turnId$: startTurn(deps, turn, op) };
};

describe('startTurn', () => {
  it(
    'emits the id of the turn, and sends the params that the thread needs',
    marbles(({ cold, expectObservable, flush }) => {
      const { turnId$, requests } = opened({ 'turn/start': () => cold('-(u|)', results) });
      expectObservable(turnId$).toBe('-(i|)', { i: 'u1' });
      flush();
      expect(requests).toEqual([['turn/start', { threadId: 't1', input, approvalPolicy: 'never' }]]);
    }),
  );

  it(
    'loads a thread again that was unloaded, and tries once more',
    marbles(({ cold, expectObservable, flush }) => {
      let tries = 0;
      const { turnId$, requests } = opened(
        {
          'turn/start': () => (++tries === 1 ? no('thread not found')() : of(results.u)),
          'thread/resume': () => cold('-(r|)', results),
        },
        { turnParams: {}, isLoaded: false },
      );
      expectObservable(turnId$).toBe('-(i|)', { i: 'u1' });
      flush();
      expect(requests.map(([method]) => method)).toEqual(['turn/start', 'thread/resume', 'turn/start']);
      expect(requests[2]?.[1]).toEqual({ threadId: 't1', input, approvalPolicy: 'never' });
    }),
  );

  it(
    'errors where the server refuses a thread that was only just loaded',
    marbles(({ expectObservable }) => {
      const { turnId$ } = opened({ 'turn/start': no('bad params') });
      expectObservable(turnId$).toBe('#', {}, new RpcError(-32600, 'bad params'));
    }),
  );

  it(
    'emits nothing where the server does not answer',
    marbles(({ expectObservable }) => {
      expectObservable(opened({}).turnId$).toBe('-');
    }),
  );
});
