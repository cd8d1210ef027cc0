import { concatMap, delay, map, merge, mergeMap, NEVER, type OperatorFunction, of } from 'rxjs';
import { withEditor } from '../../../src/agent/sampling/askEditor';
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

const begun = (files?: true) =>
  ({ op: { ...turn('a', { start: {} }), ...(files && { files }) }, thread: { id: 'n1' } }) as unknown as BegunTurn;

/** A call reads a file, and emits what it has got. */
const reads =
  (editor: ToolCall['editor']): OperatorFunction<string, unknown> =>
  (call$) =>
    call$.pipe(concatMap((path) => editor?.read(path).pipe(map((answer) => ({ answer }))) ?? of('no editor')));

const F = { kind: 'file', callId: 'a', threadId: 'n1', question: 7, request: { act: 'read', path: 'c' } };

describe('withEditor', () => {
  it(
    'emits the request of a call, and gives the call the answer',
    marbles(({ cold, expectObservable }) => {
      const call$ = cold('c-------|').pipe(withEditor(client({ decision: 'approved', file: 'x' }), begun(true), reads));
      expectObservable(call$).toBe('F--o----|', { F, o: { answer: { text: 'x' } } });
    }),
  );

  it(
    'gives the call the reason of a client that declines',
    marbles(({ cold, expectObservable }) => {
      const call$ = cold('c-|').pipe(withEditor(client({ decision: 'denied', reason: 'no' }), begun(true), reads));
      expectObservable(call$).toBe('F--(o|)', { F, o: { answer: { fault: 'no' } } });
    }),
  );

  it(
    'waits no longer than 30 s',
    marbles(({ cold, expectObservable }) => {
      const call$ = cold('(c|)').pipe(withEditor(client(), begun(true), reads));
      expectObservable(call$).toBe('F 29999ms (o|)', { F, o: { answer: { fault: 'it did not answer within 30 s' } } });
    }),
  );

  it(
    'asks no client that has no files',
    marbles(({ cold, expectObservable }) => {
      const call$ = cold('c-|').pipe(withEditor(client(), begun(), reads));
      expectObservable(call$).toBe('o-|', { o: 'no editor' });
    }),
  );

  it(
    'asks nothing more once the turn is stopped',
    marbles(({ cold, expectObservable }) => {
      const call$ = cold('c----').pipe(withEditor(client(), begun(true), reads));
      expectObservable(call$, '--!').toBe('F--', { F });
    }),
  );
});
