/** The smallest engine that `runThreads` makes: it repeats what it is asked. `docs/how-to-add.md` names it as the example. */
import { of } from 'rxjs';
import { runThreads } from '../../../src/agent/turns/runThreads';
import { turnEvent, untilStopped } from '../../../src/agent/turns/turnEvents';
import type { Engine } from '../../../src/protocol/codex/engine';
import { textOf, toInput } from '../../../src/protocol/codex/operations';
import { silentLog } from '../../../src/protocol/log';
import { marbles } from '../../support/marbles';
import { aborted, call } from './support';

type Thread = { id: string };

const parrot: Engine = () =>
  runThreads<Thread>({
    turnTimeoutMs: 60_000,
    log: silentLog,
    open: ({ op, entry }) => {
      const thread = entry.thread ?? { id: 'T' };
      const at = { op, threadId: thread.id, turnId: 't' };
      const text = 'input' in op ? textOf(op.input) : '';
      return {
        thread,
        run: ({ stop$ }) =>
          of(turnEvent(at, { type: 'task_complete', last_agent_message: text })).pipe(
            untilStopped(stop$, () => [aborted(op.callId, thread.id)]),
          ),
      };
    },
  });

describe('an engine of one file', () => {
  it(
    'starts a thread with the first call, and goes on with it',
    marbles(({ hot, expectObservable }) => {
      const ops = {
        a: { ...call('a'), input: toInput('hello') },
        b: { ...call('b', { newest: true }), input: toInput('again') },
      };
      const ask = () => of();
      expectObservable(hot('-a-b-|', ops).pipe(parrot(ask))).toBe('-A-B-|', {
        A: expect.objectContaining({
          callId: 'a',
          threadId: 'T',
          msg: expect.objectContaining({ last_agent_message: 'hello' }),
        }),
        B: expect.objectContaining({
          callId: 'b',
          threadId: 'T',
          msg: expect.objectContaining({ last_agent_message: 'again' }),
        }),
      });
    }),
  );
});
