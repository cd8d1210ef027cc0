/** An engine of several threads for specs of the Codex methods: the real thread registry and queues, and turns that do what their text says. */
import { concat, concatMap, EMPTY, map, NEVER, type Observable, of, timer } from 'rxjs';
import { withClient } from '../../src/agent/sampling/askClient';
import type { BegunTurn } from '../../src/agent/thread/steps';
import { isTakenAsItIs, runInTerminal } from '../../src/agent/tools/runInTerminal';
import type { ToolCall, ToolEvent } from '../../src/agent/tools/tool';
import { runThreads } from '../../src/agent/turns/runThreads';
import { turnEvent, untilStopped } from '../../src/agent/turns/turnEvents';
import type { Ask, Engine } from '../../src/protocol/codex/engine';
import type { EventMsg } from '../../src/protocol/codex/eventMsg';
import type { CodexEvent, Event } from '../../src/protocol/codex/events';
import { type ThreadOp, type TurnOp, textOf } from '../../src/protocol/codex/operations';
import { silentLog } from '../../src/protocol/log';

export const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

type Thread = { id: string };

/** Messages of a turn, by its text; `5` is a turn of five frames that says `5`. */
const turn = (op: TurnOp, toEvent: (msg: EventMsg, question?: number) => CodexEvent, ask: Ask): Observable<Event> => {
  const text = textOf(op.input);
  const complete = toEvent({ type: 'task_complete', last_agent_message: text });
  const started = of(toEvent({ type: 'task_started', model_context_window: null }));
  if (text === 'go on') return concat(started, NEVER);
  if (text === 'ask') {
    const question: EventMsg = { type: 'exec_approval_request', call_id: 'c', command: ['touch', 'a'], cwd: '/w' };
    const asked$ = ask<Event>(
      op,
      (id) => toEvent(question, id),
      ({ decision }) =>
        of(
          decision === 'abort'
            ? toEvent({ type: 'turn_aborted', reason: 'interrupted' })
            : toEvent({ type: 'task_complete', last_agent_message: decision }),
        ),
    );
    return concat(started, asked$);
  }
  if (text === 'read') {
    const file$ = ask<Event>(
      op,
      (question) => ({
        kind: 'file',
        callId: op.callId,
        threadId: toEvent({ type: 'agent_message', message: '' }).threadId,
        question,
        request: { act: 'read', path: '/w/a' },
      }),
      ({ file, reason }) => of(toEvent({ type: 'agent_message', message: file ?? `${reason}` }), complete),
    );
    return concat(started, file$);
  }
  if (text.startsWith('run')) return concat(started, inTerminal(op, toEvent, ask), of(complete));
  const sent = toEvent({ type: 'agent_message', message: text });
  return concat(started, timer(Number(text)).pipe(map(() => sent)), of(complete));
};

/** A command of at most 30 frames in a terminal of the client; then its output as a message. */
const inTerminal = (op: TurnOp, toEvent: (msg: EventMsg) => CodexEvent, ask: Ask): Observable<Event> => {
  const { threadId } = toEvent({ type: 'agent_message', message: '' });
  const argv = op.input.some((one) => one.type === 'text' && one.text === 'run quoted')
    ? ['make', 'a;b']
    : ['make', 'all'];
  const run = { callId: 'c', argv, cwd: '/w', env: { A: '1' }, timeoutMs: 30, parsed: [] };
  const deps = { now: () => 0, signals: { SIGTERM: 15 }, realFolder: (path: string) => of(path) };
  const runWith = ({ terminal }: Pick<ToolCall, 'terminal'>) =>
    concatMap(() =>
      terminal && isTakenAsItIs(terminal.words, argv) ? runInTerminal(deps)({ run, terminal: terminal.ask }) : EMPTY,
    );
  const turn = { op, thread: { id: threadId } } as BegunTurn;
  return of('call').pipe(
    withClient<string, ToolEvent>(ask, turn, runWith),
    concatMap((step): Event[] => {
      if (step.kind === 'event') return [toEvent(step.msg)];
      if (step.kind === 'output') return [toEvent({ type: 'agent_message', message: step.text })];
      return step.kind === 'terminal' || step.kind === 'withdrawn' ? [step] : [];
    }),
  );
};

/** A summary takes five frames. */
const compaction = (toEvent: (msg: EventMsg) => Event): Observable<Event> =>
  concat(
    of(toEvent({ type: 'task_started', model_context_window: null })),
    timer(5).pipe(map(() => toEvent({ type: 'context_compacted' }))),
    of(toEvent({ type: 'task_complete', last_agent_message: null })),
  );

/** Threads get the ids `uuid(1)`, `uuid(2)`, … as they are opened; `slow` makes the first take five frames; `stored` are those on disk. */
export const threadsEngine =
  ({ slow = false, stored = [] as readonly string[] } = {}): Engine =>
  (ask) =>
  (op$) => {
    let threads = 0;
    const run = (op: ThreadOp, thread: Thread, isNew: boolean): Observable<Event> => {
      const toEvent = (msg: EventMsg, question?: number): CodexEvent => ({
        ...turnEvent({ op: op as TurnOp, threadId: thread.id, turnId: '' }, msg),
        ...(question !== undefined && { question }),
      });
      const configured = isNew ? of(toEvent(configuredAs(thread.id))) : EMPTY;
      if (op.kind === 'compact')
        return concat(
          configured,
          compaction((msg) => toEvent(msg)),
        );
      return op.kind === 'turn' || op.kind === 'input' ? concat(configured, turn(op, toEvent, ask)) : configured;
    };
    return op$.pipe(
      runThreads<Thread>({
        turnTimeoutMs: 600_000,
        log: silentLog,
        open: ({ op, entry }) => {
          const loaded = stored.find((id) => id === entry.id);
          if (entry.thread === undefined && entry.id !== undefined && loaded === undefined) return EMPTY;
          const isNew = entry.thread === undefined && loaded === undefined;
          if (isNew) threads += 1;
          const thread = entry.thread ?? { id: loaded ?? uuid(threads) };
          const opened = {
            thread,
            run: ({ stop$ }: { stop$: Parameters<typeof untilStopped>[0] }) =>
              run(op, thread, isNew).pipe(
                untilStopped(stop$, () => [
                  turnEvent(
                    { op: op as TurnOp, threadId: thread.id, turnId: '' },
                    { type: 'turn_aborted', reason: 'interrupted' },
                  ),
                ]),
              ),
          };
          return slow && threads === 1 && isNew ? timer(5).pipe(map(() => opened)) : of(opened);
        },
      }),
    );
  };

const configuredAs = (session_id: string): EventMsg => ({
  type: 'session_configured',
  session_id,
  model: 'm',
  model_provider_id: 'p',
  approval_policy: 'untrusted',
  sandbox_mode: 'read-only',
  cwd: '/w',
  history_log_id: 0,
  history_entry_count: 0,
});
