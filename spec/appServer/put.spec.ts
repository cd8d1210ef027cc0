import { EMPTY, merge, mergeMap, type Observable, of } from 'rxjs';
import { nothingHeard } from '../../src/appServer/heard';
import { type PutDeps, put } from '../../src/appServer/put';
import type { Word } from '../../src/appServer/wire';
import type { Ask, CodexEvent, Event, EventMsg, ReviewResult } from '../../src/protocol/codex';
import type { JsonObject, Request } from '../../src/protocol/jsonrpc';
import { marbles } from '../support/marbles';
import { linkDouble, THREAD, word } from './link';
import { turn } from './support';

const op = turn('a', 'go') as PutDeps['op'];
const tell = (msg: EventMsg): CodexEvent => ({
  kind: 'event',
  callId: 'a',
  threadId: THREAD,
  turnId: 'u',
  id: 'a',
  msg,
});

const requests = {
  command: 'item/commandExecution/requestApproval',
  patch: 'item/fileChange/requestApproval',
  form: 'mcpServer/elicitation/request',
} as const;
const params: JsonObject = {
  threadId: THREAD,
  itemId: 'i',
  command: 'touch x',
  cwd: '/w',
  serverName: 's',
  message: 'm',
};
const items: Record<keyof typeof requests, JsonObject> = {
  command: { id: 'i', type: 'commandExecution', command: 'touch x', cwd: '/w' },
  patch: { id: 'i', type: 'fileChange', changes: [{ path: '/w/f', kind: { type: 'add' }, diff: 'x' }] },
  form: {},
};

/** A person whose word is a stream. */
const asking =
  (verdict$: Observable<ReviewResult>): Ask =>
  (_, question, then) =>
    merge(of(question(7)), verdict$.pipe(mergeMap((verdict) => then({ ...verdict, question: 7 }))));

const asked = (kind: keyof typeof requests, verdict$: Observable<ReviewResult>, word$: Observable<Word> = EMPTY) => {
  const { link, answered } = linkDouble(word$);
  const heard = nothingHeard();
  heard.open.set('i', items[kind]);
  heard.held.add('i');
  const request: Request = { kind: 'request', id: 0, method: requests[kind], params };
  return { answered, event$: put({ ask: asking(verdict$), link, op, heard, tell, word$ }, request) };
};

const verdicts: Record<string, ReviewResult> = {
  y: { decision: 'approved' },
  s: { decision: 'approved_for_session' },
  n: { decision: 'denied' },
  x: { decision: 'abort' },
  t: { decision: 'denied', reason: 'nobody answered' },
  w: { decision: 'denied', reason: 'nobody answered', form: { other: 1 } },
};
const declined = (what: string, reason?: string): Event => ({
  kind: 'declined',
  callId: 'a',
  what,
  reason,
  question: 7,
});

/** Q the question, B the beginning of what was allowed; N, T, X, R: declined by the client, for want of an answer, by an abort, taken back. */
const of_ = {
  command: {
    Q: { ...tell({ type: 'exec_approval_request', call_id: 'i', command: ['touch', 'x'], cwd: '/w' }), question: 7 },
    B: tell({ type: 'exec_command_begin', call_id: 'i', command: ['touch', 'x'], cwd: '/w', parsed_cmd: [] }),
    N: declined('`touch x`'),
    T: declined('`touch x`', 'nobody answered'),
    X: declined('`touch x`', 'the user stopped the turn at this question'),
    R: declined('`touch x`', 'Codex took the question back'),
  },
  patch: {
    Q: {
      ...tell({ type: 'apply_patch_approval_request', call_id: 'i', changes: { '/w/f': { add: { content: 'x' } } } }),
      question: 7,
    },
    B: tell({
      type: 'patch_apply_begin',
      call_id: 'i',
      auto_approved: false,
      changes: { '/w/f': { add: { content: 'x' } } },
    }),
    T: declined('changes to /w/f', 'nobody answered'),
  },
  form: {
    Q: { ...tell({ type: 'elicitation_request', server_name: 's', message: 'm' }), question: 7 },
    T: declined('s: m', 'nobody answered'),
  },
};

describe('put', () => {
  it.each<[string, keyof typeof requests, string, string, JsonObject]>([
    ['begins a command that was allowed', 'command', '----(y|)', 'Q---(B|)', { decision: 'accept' }],
    ['begins one that is allowed from now on', 'command', '----(s|)', 'Q---(B|)', { decision: 'acceptForSession' }],
    [
      'declines for the client, and names what was declined',
      'command',
      '----(n|)',
      'Q---(N|)',
      { decision: 'decline' },
    ],
    ['tells what was stopped', 'command', '----(x|)', 'Q---(X|)', { decision: 'cancel' }],
    ['tells what was declined for want of an answer', 'command', '----(t|)', 'Q---(T|)', { decision: 'decline' }],
    ['tells of fields that were no answer', 'command', '--(w|)', 'Q-(T|)', { decision: 'decline' }],
    ['begins a patch, which was not approved by itself', 'patch', '--(y|)', 'Q-(B|)', { decision: 'accept' }],
    ['tells of a patch by its files', 'patch', '--(t|)', 'Q-(T|)', { decision: 'decline' }],
    ['asks for an MCP server', 'form', '--(y|)', 'Q-|', { action: 'accept', content: {} }],
    ['tells of its question by its words', 'form', '--(t|)', 'Q-(T|)', { action: 'decline', content: null }],
  ])('%s', (_, kind, verdict, expected, answer) =>
    marbles(({ cold, hot, expectObservable, flush }) => {
      const { answered, event$ } = asked(kind, cold(verdict, verdicts), hot('-'));
      expectObservable(event$).toBe(expected, of_[kind]);
      flush();
      expect(answered).toEqual([[0, answer]]);
    })(),
  );

  it.each([
    ['is over when the server takes it back', '-----y', '---r', 'Q--(R|)', 0],
    ['is not taken back by the answer itself', '--(y|)', '---r', 'Q-(B|)', 1],
    ['is not taken back with another', '-----(y|)', '---o', 'Q----(B|)', 1],
  ])('a question %s', (_, verdict, words, expected, answers) =>
    marbles(({ cold, hot, expectObservable, flush }) => {
      const word$ = hot(words, {
        r: word('serverRequest/resolved', { requestId: 0 }),
        o: word('serverRequest/resolved', { requestId: 1 }),
      });
      const { answered, event$ } = asked('command', cold(verdict, verdicts), word$);
      expectObservable(event$).toBe(expected, of_.command);
      flush();
      expect(answered).toHaveLength(answers);
    })(),
  );

  it(
    'forgets its question when nobody listens any more',
    marbles(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const verdict$ = cold('-----y', verdicts);
      const { answered, event$ } = asked('command', verdict$);
      expectObservable(event$, '^--!').toBe('Q--', of_.command);
      expectSubscriptions(verdict$.subscriptions).toBe('^--!');
      flush();
      expect(answered).toEqual([]);
    }),
  );
});
