/** What an operation does on a thread that is open: a turn with input, a compaction, or nothing but opening it. */
import {
  concat,
  concatMap,
  defer,
  finalize,
  type MonoTypeOperatorFunction,
  merge,
  type Observable,
  of,
  tap,
} from 'rxjs';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import { type Event, endsTurn } from '../../protocol/codex/events';
import { textOf } from '../../protocol/codex/operations';
import { clip } from '../../streams/text/trim';
import type { Prompt } from '../../threads/keepPrompt';
import { stoppedNote } from '../../threads/lines/prompts';
import { budgetOf } from '../compaction/budget';
import { compact, compactedEvent } from '../compaction/compact';
import { toAnswer } from '../sampling/sampleClient';
import { toMessage } from '../thread/context';
import { closeAnswer, type History, replacedPast } from '../thread/history';
import { type BegunTurn, endOf, type TurnStep } from '../thread/steps';
import { configured, type InputTurn, runTurn, type TurnDeps, type TurnPorts, toTurnEvents } from './runTurn';

export type OperationDeps = TurnDeps & NotifyDeps & RecordPromptDeps;

/** Emits the events of the operation; a turn ends with `task_complete` or `turn_aborted`. Never errors. */
export const runOperation = (deps: OperationDeps, turn: BegunTurn, ports: TurnPorts): Observable<Event> => {
  const { op, thread } = turn;
  switch (op.kind) {
    case 'turn':
    case 'input': {
      const begun = { ...turn, op };
      return keepUnfinished(ports.keep, (keep) => runTurn(deps, begun, { ...ports, keep })).pipe(
        recordPrompt(deps, begun),
        notifyTurn(deps, begun),
      );
    }
    case 'compact':
      return compactThread(deps, turn, ports);
    default:
      return concat(
        configured(deps, turn),
        defer(() => thread.record.rest()),
      );
  }
};

/**
 * Runs a turn that summarizes. Emits its events; the last is `task_complete` or `turn_aborted`. A summary that fails is an `error`, and
 * leaves the conversation as it is. So does a conversation without a message. Never errors.
 *   model  -m-(Uz|)          (m the summary, z completed)
 *   out    s--(UCc|)         (s task_started, U token_count, C context_compacted, c task_complete)
 */
const compactThread = (deps: TurnDeps, turn: BegunTurn, { stop$, keep }: TurnPorts): Observable<Event> =>
  defer((): Observable<TurnStep> => {
    const history = closeAnswer(turn.thread.history);
    const { past } = history;
    const end = endOf(turn, { kind: 'finished', message: null });
    if (past.length === 0) return of(...end);
    const maxTokens = budgetOf(turn.thread.config).limitTokens;
    return compact(deps, turn, { past, maxTokens }).pipe(
      concatMap((step) => {
        if (step.kind !== 'compacted') return of(step);
        keep(replacedPast(history, step.past));
        return of(compactedEvent(turn), ...end);
      }),
    );
  }).pipe(toTurnEvents(deps, turn, stop$));

type RecordPromptDeps = {
  /** Emits nothing, completes when the prompt is stored or given up, and never errors. */
  keepPrompt: (prompt: Prompt) => Observable<never>;
};

/**
 * Stores the text of a turn's input when the turn begins. Emits the events unchanged.
 *   in      s-m-z|
 *   keep    --|
 *   out     s-m-z|
 */
export const recordPrompt = (
  { keepPrompt }: RecordPromptDeps,
  { thread: { id, config }, op }: InputTurn,
): MonoTypeOperatorFunction<Event> => {
  const { persistence, maxBytes } = config.history;
  const text = textOf(op.input);
  if (persistence === 'none' || text === '') return (event$) => event$;
  return (event$) => merge(keepPrompt({ threadId: id, text, ...(maxBytes !== undefined && { maxBytes }) }), event$);
};

/** The program that the operator configured as `notify`, which is started when a turn has ended. */
export type Notification = {
  /** The program and its arguments; the last one describes the turn, as JSON. */
  argv: readonly string[];
  /** The folder of the thread; programs in it are not used. */
  workspace: string;
};

type NotifyDeps = {
  /** Starts the program and does not wait for it; never throws. */
  notify: (notification: Notification) => void;
};

/**
 * Starts the program after the last event of a turn that completed without an error. Emits the events unchanged.
 *   in      s-m-z        s-m-ez      (s task_started, m a message, e error, z task_complete)
 *   notify  ----n        ------
 * Source: Codex 0.28.0, CORE 5.8; there `input-messages` held older messages of the model. `thread-id` and `cwd`: 0.142.0.
 */
export const notifyTurn = ({ notify }: NotifyDeps, turn: InputTurn): MonoTypeOperatorFunction<Event> => {
  const { notify: argv, cwd } = turn.thread.config;
  if (argv === undefined) return (event$) => event$;
  return (event$) => {
    let failed = false; // within one turn
    return event$.pipe(
      tap((event) => {
        if (event.kind !== 'event') return;
        if (event.msg.type === 'error') failed = true;
        if (event.msg.type !== 'task_complete' || failed) return;
        notify({ argv: [...argv, toPayload(turn, event.msg.last_agent_message)], workspace: cwd });
      }),
    );
  };
};

/** Linux accepts at most 128 KiB for one argument. */
const MAX_BYTES = 120_000;
const MAX_CHARS = [100_000, 10_000, 1_000];

const toPayload = ({ thread, turnId, op }: InputTurn, last: string | null): string => {
  const shortened = (maxChars: number): string =>
    JSON.stringify({
      type: 'agent-turn-complete',
      'thread-id': thread.id,
      'turn-id': turnId,
      cwd: thread.config.cwd,
      'input-messages': [clip(textOf(op.input), maxChars)],
      'last-assistant-message': last === null ? null : clip(last, maxChars),
    });
  const forms = MAX_CHARS.map(shortened);
  return forms.find((text) => Buffer.byteLength(text) <= MAX_BYTES) ?? shortened(100);
};

/** What a person has seen of a message that is not complete. */
export type Shown = {
  text: string;
  /** The answer broke off, so the next delta begins a new text. */
  isBroken: boolean;
  /** The last error of the turn. */
  fault?: string;
};

/** Before the first event of a turn. */
export const NOTHING_SHOWN: Shown = { text: '', isBroken: false };

/** What a person has seen after an event; the same object if that changes nothing. */
export const show = (shown: Shown, msg: EventMsg): Shown => {
  switch (msg.type) {
    case 'agent_message_delta':
      return { ...shown, isBroken: false, text: shown.isBroken ? msg.delta : shown.text + msg.delta };
    case 'agent_message':
      return { ...shown, isBroken: false, text: '' };
    case 'stream_error':
      return { ...shown, isBroken: true };
    case 'error':
      return { ...shown, fault: msg.message };
    default:
      return shown;
  }
};

/**
 * The history of a turn after its last event, closed by what was seen of an incomplete message and a note for the model; undefined if the turn
 * was done. Source: Codex 0.142.0 and 0.153.4, which add the same note, and forget the message.
 */
export const unfinished = (history: History, { text, fault }: Shown, last: EventMsg): History | undefined => {
  const isDone = last.type !== 'turn_aborted' && fault === undefined;
  return isDone ? undefined : closeAnswer(history, ...toAnswer(text), toMessage('user', stoppedNote(fault)));
};

/**
 * If a turn does not come to its end, keeps what it has shown and done, before its last event. If the turn is unsubscribed, as at the end of the
 * connection, an incomplete message is kept; who resumes the thread adds the note. Emits the events unchanged.
 *   run    s-d-a         (d text, a turn_aborted)
 *   out    s-d-a
 *   keep   ----K         (K the text and the note)
 * @param run the turn; it calls its `keep` with each new history
 */
export const keepUnfinished = (
  keep: (history: History) => void,
  run: (keep: (history: History) => void) => Observable<Event>,
): Observable<Event> =>
  defer(() => {
    let history: History | undefined;
    let shown = NOTHING_SHOWN;
    let isOver = false;
    const see = (event: Event) => {
      const msgs = event.kind === 'event' ? [event.msg] : event.kind === 'deltas' ? event.msgs : [];
      shown = msgs.reduce(show, shown);
      if (event.kind !== 'event' || !endsTurn(event)) return;
      isOver = true;
      const closed = history && unfinished(history, shown, event.msg);
      if (closed) keep(closed);
    };
    return run((next) => {
      history = next;
      keep(next);
    }).pipe(
      tap(see),
      finalize(() => {
        const items = isOver || history === undefined ? [] : toAnswer(shown.text);
        if (history && items.length > 0) keep({ ...history, items: [...history.items, ...items] });
      }),
    );
  });
