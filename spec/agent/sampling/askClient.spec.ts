import { concatMap, delay, map, merge, mergeMap, NEVER, type OperatorFunction, of, takeUntil, timer } from 'rxjs';
import { withClient } from '../../../src/agent/sampling/askClient';
import type { BegunTurn } from '../../../src/agent/thread/steps';
import type { ToolCall } from '../../../src/agent/tools/tool';
import type { Ask, ReviewResult } from '../../../src/protocol/codex/engine';
import { marbles } from '../../support/marbles';
import { turn } from '../support';

/** A client that answers after three frames; never, without an answer. */
const client =
  (verdict?: ReviewResult): Ask =>
  (_, question, then) =>
    merge(
      of(question(7)),
      verdict === undefined
        ? NEVER
        : of(0).pipe(
            delay(3),
            mergeMap(() => then(verdict)),
          ),
    );

const begun = (files?: true, terminals?: 'any') => {
  const op = { ...turn('a', { start: {} }), ...(files && { files }), ...(terminals && { terminals }) };
  return { op, thread: { id: 'n1' } } as unknown as BegunTurn;
};

/** A call reads a file, and emits what it has got. */
const reads =
  ({ editor }: Pick<ToolCall, 'editor'>): OperatorFunction<string, unknown> =>
  (call$) =>
    call$.pipe(concatMap((path) => editor?.read(path).pipe(map((answer) => ({ answer }))) ?? of('no editor')));

const W = { kind: 'withdrawn', callId: 'a', question: 7, reason: 'its answer is not waited for any more' };
const F = { kind: 'file', callId: 'a', threadId: 'n1', question: 7, request: { act: 'read', path: 'c' } };

describe('withClient', () => {
  it(
    'emits the request of a call, and gives the call the answer',
    marbles(({ cold, expectObservable }) => {
      const call$ = cold('c-------|').pipe(withClient(client({ decision: 'approved', file: 'x' }), begun(true), reads));
      expectObservable(call$).toBe('F--o----|', { F, o: { answer: { text: 'x' } } });
    }),
  );

  it(
    'gives the call the reason of a client that declines',
    marbles(({ cold, expectObservable }) => {
      const call$ = cold('c-|').pipe(withClient(client({ decision: 'denied', reason: 'no' }), begun(true), reads));
      expectObservable(call$).toBe('F--(o|)', { F, o: { answer: { fault: 'no' } } });
    }),
  );

  it(
    'waits no longer than 30 s, and withdraws the request then',
    marbles(({ cold, expectObservable }) => {
      const call$ = cold('(c|)').pipe(withClient(client(), begun(true), reads));
      expectObservable(call$).toBe('F 29999ms (Wo|)', {
        F,
        W,
        o: { answer: { fault: 'it did not answer within 30 s' } },
      });
    }),
  );

  it(
    'asks no client that has no files',
    marbles(({ cold, expectObservable }) => {
      const call$ = cold('c-|').pipe(withClient(client(), begun(), reads));
      expectObservable(call$).toBe('o-|', { o: 'no editor' });
    }),
  );

  it(
    'asks about a terminal a client that has some, and waits for the end of a command as long as the call does',
    marbles(({ cold, expectObservable }) => {
      const wait =
        ({ terminal, editor }: Pick<ToolCall, 'editor' | 'terminal'>): OperatorFunction<string, unknown> =>
        (call$) =>
          call$.pipe(
            concatMap(() => terminal?.ask({ act: 'wait', terminal: 't' }) ?? of('no terminal')),
            map((answer) => ({ answer, editor })),
            takeUntil(timer(40_000)),
          );
      const request = { act: 'wait', terminal: 't' };
      const T = { kind: 'terminal', callId: 'a', threadId: 'n1', question: 7, request };
      const exit = { exitCode: 0, signal: null };
      const yes = client({ decision: 'approved', terminal: exit });
      const o = { answer: exit, editor: undefined };
      expectObservable(cold('c----|').pipe(withClient(yes, begun(undefined, 'any'), wait))).toBe('T--o-|', { T, o });
      const never$ = cold('c----|').pipe(withClient(client(), begun(undefined, 'any'), wait));
      expectObservable(never$).toBe('T 39999ms (W|)', { T, W });
      const none$ = cold('c----|').pipe(withClient(yes, begun(true), wait));
      expectObservable(none$.pipe(map((one) => (one as typeof o).answer))).toBe('n----|', { n: 'no terminal' });
    }),
  );

  it(
    'asks nothing more once the turn is stopped',
    marbles(({ cold, expectObservable }) => {
      const call$ = cold('c----').pipe(withClient(client(), begun(true), reads));
      expectObservable(call$, '--!').toBe('F--', { F });
    }),
  );
});
