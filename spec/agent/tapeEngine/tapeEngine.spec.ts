import { EMPTY, map, merge, mergeMap, NEVER, type Observable, of } from 'rxjs';
import type { TapeMatch } from '../../../src/agent/tapeEngine/matchTurns';
import { tapeEngine } from '../../../src/agent/tapeEngine/tapeEngine';
import type { ReviewResult } from '../../../src/protocol/codex/approval';
import type { Ask } from '../../../src/protocol/codex/engine';
import type { Event } from '../../../src/protocol/codex/events';
import { toInput } from '../../../src/protocol/codex/input';
import type { Op, ThreadRef } from '../../../src/protocol/codex/operations';
import type { Entry } from '../../../src/tapes/format/tape';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { marbles } from '../../support/marbles';

const meta = { requestId: 1, threadId: 'T' };
const line = (t: number, dir: string, message: object): { lineNumber: number; entry: Entry } => ({
  lineNumber: 1,
  entry: { t, dir, line: JSON.stringify(message) },
});
const event = (t: number, msg: object) =>
  line(t, 'out', { method: 'codex/event', params: { _meta: meta, id: '1', msg } });
const call = (t: number, id: number, name: string, given: object) =>
  line(t, 'in', { id, method: 'tools/call', params: { name, arguments: given } });
const result = (t: number, id: number, text: string, more: object = {}) =>
  line(t, 'out', {
    id,
    result: { content: [{ type: 'text', text }], structuredContent: { threadId: 'T', content: text }, ...more },
  });

const request = { type: 'exec_approval_request', call_id: 'c', command: ['ls'], cwd: '/' };

/** One call with a question that was answered yes, and a reply that failed. */
const SESSION = toSessionIndex({
  meta: {},
  entries: [
    call(0, 1, 'codex', { prompt: 'go' }),
    event(2, { type: 'session_configured', session_id: 'T' }),
    event(4, request),
    line(4, 'out', { id: 0, method: 'elicitation/create', params: {} }),
    line(9, 'in', { id: 0, result: { action: 'accept', content: { decision: 'approved' } } }),
    event(12, { type: 'task_complete', last_agent_message: 'done' }),
    result(12, 1, 'done'),
    call(20, 2, 'codex-reply', { prompt: 'more', threadId: 'T' }),
    result(20, 2, 'no model', { isError: true }),
  ],
});

const turn = (callId: string, prompt: string, thread: ThreadRef): Op => ({
  kind: 'turn',
  callId,
  eventId: callId,
  thread,
  input: toInput(prompt),
  askable: true,
});

const other = (kind: 'open' | 'compact' | 'close', callId: string, thread: ThreadRef): Op => ({
  kind,
  callId,
  eventId: callId,
  thread,
  askable: true,
});

/** The events, in short. */
const wordOf = (emitted: Event): string => {
  if (emitted.kind === 'rejected') return `${emitted.callId} refused: ${emitted.message}`;
  if (emitted.kind === 'done') return `${emitted.callId} done ${emitted.threadId}`;
  return emitted.kind === 'event'
    ? `${emitted.callId} ${emitted.msg.type}${emitted.question === undefined ? '' : '?'}`
    : emitted.kind;
};

const answering =
  (verdict: Observable<ReviewResult>): Ask =>
  (_, question, then) =>
    merge(verdict.pipe(mergeMap((sent: ReviewResult) => then({ ...sent, question: 7 }))), of(question(7)));

const ops: Record<string, Op> = {
  a: turn('a', 'go', { start: {} }),
  b: turn('b', 'other', { start: {} }),
  r: turn('r', 'more', { newest: true }),
  i: turn('i', 'more', { id: 'T' }),
  x: { kind: 'interrupt', callId: 'a' },
  o: other('open', 'o', { start: {} }),
  p: other('open', 'p', { id: 'nowhere' }),
  k: other('compact', 'k', { newest: true }),
  c: other('close', 'c', { newest: true }),
  f: { ...turn('f', 'go', { newest: true }), kind: 'input' } as Op,
  y: { kind: 'interruptThread', callId: 'y', thread: { newest: true } },
};

const played = (
  { hot, expectObservable }: Parameters<Parameters<typeof marbles>[0]>[0],
  {
    ops: written,
    speed = 1,
    match = 'strict',
    ask = () => EMPTY,
    expected,
    words,
  }: {
    ops: string;
    speed?: number | 'max';
    match?: TapeMatch;
    ask?: Ask;
    expected: string;
    words: Record<string, string>;
  },
) => {
  const engine = tapeEngine({ speed, match, newId: () => 't' }, SESSION);
  const out$ = engine(ask)(hot(written, ops)).pipe(map(wordOf));
  expectObservable(out$).toBe(expected, words);
};

describe('tapeEngine', () => {
  const words = { s: 'a session_configured', q: 'a exec_approval_request?', z: 'a task_complete', e: 'a error' };

  it(
    'plays a call at the pace of the recording, and goes on when the answer is the recorded one',
    marbles((helpers) => {
      const ask = answering(helpers.cold<ReviewResult>('----y', { y: { decision: 'approved' } }));
      played(helpers, { ops: 'a---------|', ask, expected: '--s-q------(z|)', words });
    }),
  );

  it(
    'fails a call whose answer is another than the recorded one',
    marbles((helpers) => {
      const ask = answering(helpers.cold<ReviewResult>('-n', { n: { decision: 'denied' } }));
      played(helpers, { ops: 'a---------|', ask, expected: '--s-q(ez)-|', words });
    }),
  );

  it(
    'plays without waiting when configured so',
    marbles((helpers) => {
      const ask = answering(helpers.cold<ReviewResult>('(y|)', { y: { decision: 'approved' } }));
      played(helpers, { ops: 'a----|', speed: 'max', ask, expected: '(sqz)|', words });
    }),
  );

  it(
    'opens a thread, plays its first turn later, and closes it',
    marbles((helpers) => {
      const ask = answering(helpers.cold<ReviewResult>('(y|)', { y: { decision: 'approved' } }));
      const opening = { s: 'o session_configured', o: 'o done T', c: 'c done T', y: 'y done T' };
      const input = { q: 'f exec_approval_request?', z: 'f task_complete' };
      const words = { ...opening, ...input };
      played(helpers, { ops: 'o---f---y--c|', speed: 'max', ask, expected: '(so)(qz)y--c|', words });
    }),
  );

  it(
    'rejects a thread and a compaction that are not recorded',
    marbles((helpers) => {
      const words = {
        p: 'p refused: Not recorded: the tape has no such thread.',
        k: 'k refused: Not recorded: a tape has no turns that compact a thread.',
      };
      played(helpers, { ops: 'p--k|', speed: 'max', expected: 'p--k|', words });
    }),
  );

  it(
    'answers a reply with the error that was recorded, by the newest thread or by its id',
    marbles((helpers) => {
      const ask = answering(helpers.cold<ReviewResult>('(y|)', { y: { decision: 'approved' } }));
      const reply = { m: 'r error', n: 'r task_complete' };
      played(helpers, {
        ops: 'a-------r---|',
        speed: 'max',
        ask,
        expected: '(sqz)---(mn)|',
        words: { ...words, ...reply },
      });
    }),
  );

  it(
    'refuses a prompt that is not recorded, and names the next one',
    marbles((helpers) => {
      const refused =
        'b refused: Not recorded: codex with this prompt. Next on the tape, in line 1, is "go"; --tape-match next takes any prompt for it.';
      played(helpers, { ops: 'b|', expected: 'R|', words: { R: refused } });
    }),
  );

  it(
    'takes any prompt for the next recorded call when configured so, and refuses when none is left',
    marbles((helpers) => {
      const none = 'a refused: Not recorded: the tape has no more calls of codex; 1 of others are left.';
      const ask = answering(NEVER);
      played(helpers, {
        ops: 'b----a|',
        speed: 'max',
        match: 'next',
        ask,
        expected: '(sq)-R',
        words: { s: 'b session_configured', q: 'b exec_approval_request?', R: none },
      });
    }),
  );

  it(
    'stops a call that is interrupted',
    marbles((helpers) => {
      played(helpers, { ops: 'a--x|', expected: '--sA|', words: { ...words, A: 'a turn_aborted' } });
    }),
  );
});
