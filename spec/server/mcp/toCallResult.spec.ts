import type { Outcome } from '../../../src/server/calls/turn';
import type { Work } from '../../../src/server/calls/work';
import { faceOf } from '../../../src/server/faces/faceOf';
import type { Caller } from '../../../src/server/mcp/caller';
import { type ThreadIdInText, toCallResult } from '../../../src/server/mcp/toCallResult';
import { callOf, legacy, modern } from '../../support/mcpCalls';

const union = faceOf('union', '0.1.0');
const resultOf = (
  outcome: Outcome,
  face = union,
  { caller = legacy, threadIdInText = 'auto' as ThreadIdInText } = {},
) => {
  const response = toCallResult({ face, threadIdInText, workMs: () => 1_500.4 }, callOf(caller), outcome);
  return 'result' in response ? response.result : response;
};

const late = { what: '`a`', reason: 'late' };
const declined = { what: '`b`' };
const completed: Outcome = { kind: 'completed', threadId: 'T', text: 'done', notDone: [] };
const failed: Outcome = { kind: 'failed', threadId: 'T', message: 'model down', notDone: [] };

const nothing = { changes: [], commands: 0, notDone: [] };
const structuredOf = (outcome: Outcome) => ('notDone' in outcome ? outcome.notDone : []);

describe('toCallResult', () => {
  it('shows what the turn used, changed and ran, and how long it took, but not in an old face', () => {
    const tokens = {
      input_tokens: 5,
      cached_input_tokens: null,
      output_tokens: 2,
      reasoning_output_tokens: 1,
      total_tokens: 7,
    };
    const shown = { inputTokens: 5, outputTokens: 2, reasoningOutputTokens: 1, totalTokens: 7 };
    const work: Work = {
      usage: { turn: tokens, thread: { ...tokens, cached_input_tokens: 4, total_tokens: 9 }, contextWindow: 100 },
      changes: new Map([['/a', 'add']]),
      patches: new Map(),
      commands: 2,
    };
    const outcome: Outcome = { ...completed, notDone: [{ what: '`a\u0007`', reason: 'late' }], work, beganMs: 1_000 };
    expect(resultOf(outcome)).toMatchObject({
      structuredContent: {
        usage: { turn: shown, thread: { ...shown, cachedInputTokens: 4, totalTokens: 9 }, contextWindow: 100 },
        durationMs: 500,
        changes: [{ path: '/a', kind: 'add' }],
        commands: 2,
        notDone: [{ what: '`a\\x07`', reason: 'late' }],
      },
    });
    expect(resultOf({ ...completed, work, beganMs: 1_000 }, faceOf('0.153', '0.1.0'))).toEqual({
      content: [{ type: 'text', text: 'done' }],
      structuredContent: { threadId: 'T', content: 'done' },
    });
  });

  it.each<[string, Outcome, string]>([
    ['a completed call', completed, 'done'],
    [
      'one in which not all was done',
      { ...completed, notDone: [late, declined] },
      'done\n\nNot done: `a`: late\n\nNot done: `b`: the client declined it',
    ],
    ['one without a message', { ...completed, text: '', notDone: [late] }, 'Not done: `a`: late'],
  ])('shows %s as its text and as structured content', (_, outcome, text) => {
    expect(resultOf(outcome)).toEqual({
      content: [{ type: 'text', text }],
      structuredContent: { threadId: 'T', content: text, ...nothing, notDone: structuredOf(outcome) },
    });
  });

  it.each<[string, Outcome, string]>([
    ['a failed call', failed, 'model down'],
    ['one in which not all was done', { ...failed, notDone: [late] }, 'model down\n\nNot done: `a`: late'],
    ['a stopped call', { kind: 'stopped', threadId: 'T', cause: 'The input ended.', notDone: [] }, 'The input ended.'],
    ['an aborted call', { kind: 'aborted', threadId: 'T', notDone: [late] }, 'The turn was stopped.\n`a`: late'],
  ])('shows %s with its thread, in the text too', (_, outcome, text) => {
    expect(resultOf(outcome)).toEqual({
      content: [{ type: 'text', text: `${text}\n\nthreadId: T` }],
      structuredContent: { threadId: 'T', content: text, ...nothing, notDone: structuredOf(outcome) },
      isError: true,
    });
  });

  it('answers a call that failed by a JSON-RPC error with that error', () => {
    const rpcError = { code: -32050, message: 'out of order' };
    expect(resultOf({ ...failed, rpcError })).toEqual({ kind: 'response', id: 1, batch: undefined, error: rpcError });
  });

  it.each<[string, Outcome, string]>([
    ['a refused call', { kind: 'rejected', message: 'no such thread' }, 'no such thread'],
    [
      'a call that was stopped before it had one',
      { kind: 'stopped', cause: 'The input ended.', notDone: [] },
      'The input ended.',
    ],
  ])('shows %s without a thread', (_, outcome, text) => {
    expect(resultOf(outcome)).toEqual({ content: [{ type: 'text', text }], isError: true });
  });

  it('shows no structured content and no thread if the face has none', () => {
    const old = faceOf('0.28', '0.1.0');
    expect(resultOf(completed, old)).toEqual({ content: [{ type: 'text', text: 'done' }] });
    expect(resultOf({ kind: 'aborted', threadId: 'T', notDone: [] }, old)).toEqual({
      content: [{ type: 'text', text: 'The turn was stopped.' }],
      isError: true,
    });
  });

  it('shows a failed turn as each old release did', () => {
    const old = faceOf('0.28', '0.1.0');
    expect(resultOf(failed, old)).toEqual({ error: 'model down' });
    expect(resultOf(failed, old, { caller: modern })).toMatchObject({ isError: true });
    expect(resultOf(failed, faceOf('0.153', '0.1.0'))).toEqual({
      content: [{ type: 'text', text: 'model down' }],
      structuredContent: { threadId: 'T', content: 'model down' },
      isError: true,
    });
  });

  it('shows a rejected call in the words of its release', () => {
    const message = 'Failed to load Codex configuration: no such profile';
    const text = 'Failed to load Codex configuration from overrides: no such profile';
    expect(resultOf({ kind: 'rejected', message }, faceOf('0.153', '0.1.0'))).toEqual({
      content: [{ type: 'text', text }],
      isError: true,
    });
  });

  it('names a thread that is not there if the release did', () => {
    const message = 'Session not found for thread_id: 7. The newest is 8. Start one with the tool codex.';
    const text = 'Session not found for thread_id: 7';
    expect(resultOf({ kind: 'rejected', message }, faceOf('0.153', '0.1.0'))).toEqual({
      content: [{ type: 'text', text }],
      structuredContent: { threadId: '7', content: text },
      isError: true,
    });
    expect(resultOf({ kind: 'rejected', message }, faceOf('0.28', '0.1.0'))).toEqual({
      content: [{ type: 'text', text: 'Session not found for session_id: 7' }],
      isError: true,
    });
  });

  it('names nothing that the client declined if the face is that of an old release', () => {
    const face = faceOf('0.153', '0.1.0');
    expect(resultOf({ ...completed, notDone: [declined, late] }, face)).toMatchObject({
      content: [{ type: 'text', text: 'done\n\nNot done: `a`: late' }],
    });
  });

  describe('with the thread id in the text', () => {
    const textOnly = { ...legacy, era: { ...legacy.era, client: { name: 'opencode', version: '1' } } };
    const plain = [{ type: 'text', text: 'done' }];
    const named = [...plain, { type: 'text', text: 'threadId: T' }];

    it.each([
      ['auto', legacy, plain],
      ['auto', textOnly, named],
      ['always', legacy, named],
      ['never', textOnly, plain],
    ] as const)('adds it by %s', (threadIdInText, caller, content) => {
      expect(resultOf(completed, union, { caller, threadIdInText })).toEqual({
        content,
        structuredContent: { threadId: 'T', content: 'done', ...nothing },
      });
    });

    it('adds it to no result of an old face', () => {
      const face = faceOf('0.153', '0.1.0');
      expect(resultOf(completed, face, { caller: textOnly, threadIdInText: 'always' })).toMatchObject({
        content: plain,
      });
    });

    it('leaves it out of a failure by never', () => {
      expect(resultOf(failed, union, { threadIdInText: 'never' })).toMatchObject({
        content: [{ type: 'text', text: 'model down' }],
      });
    });
  });

  it('is a complete result of this server for a client of 2026-07-28', () => {
    expect(resultOf(completed, union, { caller: modern })).toEqual({
      resultType: 'complete',
      content: [{ type: 'text', text: 'done' }],
      structuredContent: { threadId: 'T', content: 'done', ...nothing },
      _meta: { 'io.modelcontextprotocol/serverInfo': union.serverInfo },
    });
  });

  describe('of a long answer', () => {
    const ID = '00000000-0000-4000-8000-00000000000a';
    const long: Outcome = { ...completed, threadId: ID, text: `A${'ä'.repeat(40_000)}Z`, notDone: [late] };
    const claude: Caller = { ...modern, era: { ...modern.era, client: { name: 'claude-code', version: '2' } } };
    const toResult = (caller: Caller, outcome = long, hasThread = true) => {
      const library = () => ({ hasThread: (id: string) => hasThread && id === ID });
      const response = toCallResult(
        { face: union, threadIdInText: 'auto', workMs: () => 0, library },
        callOf(caller),
        outcome,
      );
      return ('result' in response ? response.result : response) as {
        content: { text: string }[];
        structuredContent: object;
      };
    };

    it('has its beginning and its end for a client that takes no more, and a link to the whole', () => {
      const { content, structuredContent } = toResult(claude);
      const [{ text } = { text: '' }, link, ...more] = content;
      expect(text.replace(/ä+/g, 'ä')).toBe(
        `Aä\n\n[11246 of 40023 characters are left out here. Until the next turn of this thread, the resource codex://threads/${ID}/answer has the whole answer.]\n\näZ\n\nNot done: \`a\`: late`,
      );
      expect(Buffer.byteLength(text)).toBeLessThan(60_000);
      expect(JSON.stringify(structuredContent).length).toBeLessThan(50_000);
      expect([link, more]).toEqual([
        {
          type: 'resource_link',
          uri: `codex://threads/${ID}/answer`,
          name: 'The whole answer',
          mimeType: 'text/markdown',
        },
        [],
      ]);
      expect(structuredContent).toMatchObject({ threadId: ID, content: text });
    });

    it.each([
      ['another client', modern, true],
      ['a revision without resources', { ...legacy, era: { ...claude.era, modern: false } }, true],
      ['a thread that is not kept', claude, false],
    ])('is whole for %s', (_, caller, hasThread) => {
      const { content } = toResult(caller, long, hasThread);
      expect([content.length, content[0]?.text.length]).toEqual([1, 40_023]);
    });

    it('is whole if it is not too long', () => {
      expect(toResult(claude, { ...long, text: 'a'.repeat(48_000), notDone: [] }).content).toHaveLength(1);
    });

    it.each([
      ['lines and quotes', '"a"\n'.repeat(20_000)],
      ['a beginning of quotes', `${'"'.repeat(40_000)}${'a'.repeat(40_000)}`],
      ['pairs of surrogates', '😀'.repeat(30_000)],
    ])('fits with its link, as JSON within JSON: %s', (_, text) => {
      const { content, structuredContent } = toResult(claude, { ...long, text, notDone: [] });
      expect(content).toHaveLength(2);
      const size = JSON.stringify(JSON.stringify({ structuredContent, link: content[1] })).length;
      expect(size).toBeLessThan(50_000);
      expect(size).toBeGreaterThan(29_000);
      expect(() => encodeURIComponent((structuredContent as { content: string }).content)).not.toThrow(); // no half of a pair
    });
  });
});
