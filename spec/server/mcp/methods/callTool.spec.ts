import { toInput } from '../../../../src/protocol/codex/operations';
import { decodeMessage } from '../../../../src/protocol/jsonrpc/decodeMessage';
import type { Request } from '../../../../src/protocol/jsonrpc/messages';
import { silentLog } from '../../../../src/protocol/log';
import type { Era } from '../../../../src/server/faces/clientInfo';
import { faceOf } from '../../../../src/server/faces/faceOf';
import { callTool, readToolArguments, resumedThread } from '../../../../src/server/mcp/methods/callTool';
import { InvalidArguments } from '../../../../src/server/mcp/methods/readArguments';
import { digestOf, type RequestState, sealer } from '../../../../src/server/mcp/methods/requestState';
import { asks, call } from '../../../support/mcp';

const face = faceOf('union', '0.1.0');
const seals = sealer({ key: () => Buffer.from('key'), clockMs: () => 0 });
const deps = { face, sealer: seals, newCallId: () => 'call', log: silentLog, instructions: '', workMs: () => 5 };
const legacy: Era = { modern: false, capabilities: { elicitation: {} } };
const modern: Era = { ...legacy, modern: true };
const called = (line: string, era = legacy) => callTool(deps)(decodeMessage(line) as Request, era);
const digest = digestOf('codex', { prompt: 'x' });

const state = (changes: Partial<RequestState> = {}): string =>
  seals.seal({ callId: 'first', digest, keys: ['approval-7'], misread: [], expires: 1, ...changes });
const retry = (inputResponses: object | undefined, requestState = state()) =>
  called(call(2, 'x', { requestState, ...(inputResponses && { inputResponses }) }), modern);

describe('callTool', () => {
  it('begins a call whose questions are requests, or results if the client speaks 2026-07-28', () => {
    const caller = { method: 'tools/call', id: 1, era: legacy, digest: '', batch: undefined, token: 'p' };
    const op = {
      kind: 'turn',
      callId: 'call',
      eventId: '1',
      input: toInput('x'),
      thread: { start: {} },
      askable: true,
    };
    const line = call(1, 'x', { _meta: { progressToken: 'p' } });
    expect(called(line)).toEqual({
      kind: 'begin',
      call: { callId: 'call', requestId: 1, asksBy: 'request', caller },
      op,
      beganMs: 5,
    });
    expect(called(line, modern)).toMatchObject({ call: { asksBy: 'result', caller: { era: modern } } });
  });

  it('answers by a result what old releases answered so', () => {
    const old = callTool({ ...deps, face: faceOf('0.28', '0.1.0') });
    const textFor = (params: object) => {
      const command = old(decodeMessage(asks(1, 'tools/call', params)) as Request, legacy);
      return 'result' in command ? command.result : command;
    };
    const failed = (text: string) => ({ content: [{ type: 'text', text }], isError: true });
    expect(textFor({ name: 'nope' })).toEqual(failed("Unknown tool 'nope'"));
    expect(textFor({ name: 'codex' })).toEqual(
      failed('Missing arguments for codex tool-call; the `prompt` field is required.'),
    );
    expect(textFor({ name: 'codex', arguments: {} })).toEqual(
      failed('Failed to parse configuration for Codex tool: missing field `prompt`'),
    );
    expect(() => textFor({})).toThrow('Invalid params');
    const withNull = { name: 'codex', arguments: { prompt: 'x', model: null } };
    expect(old(decodeMessage(asks(1, 'tools/call', withNull)) as Request, legacy)).toMatchObject({
      kind: 'begin',
      op: { thread: { start: {} } },
    });
  });

  it('gives the events of a reply the id of its call in the face that did so', () => {
    const reply = (name: string, args: object) =>
      decodeMessage(asks(1, 'tools/call', { name, arguments: { prompt: 'x', ...args } })) as Request;
    const later = callTool({ ...deps, face: faceOf('0.153', '0.1.0') });
    const threadId = '00000000-0000-4000-8000-000000000001';
    expect(later(reply('codex-reply', { threadId }), legacy)).toMatchObject({ op: { eventId: 'call' } });
    expect(later(reply('codex', {}), legacy)).toMatchObject({ op: { eventId: '1' } });
    expect(callTool(deps)(reply('codex-reply', { threadId }), legacy)).toMatchObject({ op: { eventId: '1' } });
  });

  it('does not ask a client that is known to leave questions without an answer', () => {
    const client = { name: 'codex-mcp-client', version: '0.28.0' };
    expect(called(call(1, 'x'), { ...legacy, client })).toMatchObject({
      op: { askable: false, cannotAsk: 'Codex 0.28.0 as a client does not answer questions' },
    });
    expect(called(call(1, 'x'), { modern: false, capabilities: {} })).toMatchObject({ op: { askable: false } });
  });

  it('resumes the call that the state names, with the answers to its questions', () => {
    const yes = { action: 'accept', content: { decision: 'approved' } };
    expect(retry({ 'approval-7': yes })).toEqual({
      kind: 'resume',
      call: expect.objectContaining({ callId: 'first', requestId: 2, caller: expect.objectContaining({ digest }) }),
      responses: { 'approval-7': yes },
      asked: { keys: ['approval-7'], misread: [] },
    });
    expect(retry(undefined)).toMatchObject({ kind: 'resume', responses: {} });
  });

  it('knows of each request of 2026-07-28 whether its client can be asked', () => {
    expect(retry({})).not.toHaveProperty('call.cannotAsk');
    const line = call(2, 'x', { requestState: state() });
    const cannotAsk = 'its last request declared no elicitation';
    expect(called(line, { modern: true, capabilities: {} })).toMatchObject({ kind: 'resume', call: { cannotAsk } });
    expect(called(line, { modern: false, capabilities: {} })).not.toHaveProperty('call.cannotAsk');
  });

  it('continues no thread of the connection in 2026-07-28', () => {
    const line = asks(1, 'tools/call', { name: 'codex-reply', arguments: { prompt: 'x' } });
    const text = expect.stringContaining('codex-reply needs a `threadId`');
    expect(called(line, modern)).toMatchObject({ result: { isError: true, content: [{ text }] } });
    expect(called(line)).toMatchObject({ kind: 'begin', op: { thread: { newest: true } } });
  });

  it('begins a new call if a state comes in an older revision', () => {
    expect(called(call(2, 'x', { requestState: state() }))).toMatchObject({ kind: 'begin' });
  });

  it.each([
    ['of another call', state({ digest: 'other' }), 'belongs to another call'],
    ['that has expired', state({ expires: -1 }), 'has expired'],
    ['of another server', 'x.y', 'was not made by this server'],
  ])('refuses a state %s', (_, requestState, reason) => {
    expect(() => retry({}, requestState)).toThrow(`params.requestState ${reason}`);
  });

  it('makes arguments that do not fit a result, in the form of the revision', () => {
    const line = asks(1, 'tools/call', { name: 'codex', arguments: {} });
    const result = { content: [{ type: 'text', text: expect.stringContaining('prompt') }], isError: true };
    expect(called(line)).toEqual({ kind: 'response', id: 1, result });
    const _meta = { 'io.modelcontextprotocol/serverInfo': face.serverInfo };
    expect(called(line, modern)).toEqual({
      kind: 'response',
      id: 1,
      result: { resultType: 'complete', _meta, ...result },
    });
  });
});

const read = (tool: 'codex' | 'codex-reply', args: Record<string, unknown>) => readToolArguments[tool]!(args);

describe('toolCalls', () => {
  it('reads every argument of codex by its kebab-case name', () => {
    const args = {
      prompt: 'go',
      model: 'm',
      profile: 'p',
      cwd: '/w',
      'approval-policy': 'never',
      sandbox: 'read-only',
      config: { a: 1 },
      'base-instructions': 'b',
      'developer-instructions': 'd',
      'compact-prompt': 'c',
      'include-plan-tool': true,
    };
    expect(read('codex', args)).toEqual({
      prompt: 'go',
      thread: {
        start: {
          model: 'm',
          profile: 'p',
          cwd: '/w',
          approvalPolicy: 'never',
          sandbox: 'read-only',
          config: { a: 1 },
          baseInstructions: 'b',
          developerInstructions: 'd',
          compactPrompt: 'c',
          includePlanTool: true,
        },
      },
    });
  });

  it('goes on with the thread whose file the config names', () => {
    const id = '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
    const config = { experimental_resume: `/s/rollout-2026-11-23T18-00-00-${id}.jsonl` };
    expect(read('codex', { prompt: 'go', cwd: '/w', config })).toEqual({
      prompt: 'go',
      thread: { id },
      lasting: { cwd: '/w' },
    });
  });

  it.each(['model', 'config', 'sandbox', 'prompt'])('refuses null for %s, which its schema does not have', (name) => {
    expect(() => read('codex', { prompt: 'go', [name]: null })).toThrow(`\`${name}\` must be `);
  });

  it('takes an empty text for absent, but not that of a prompt', () => {
    const names = [
      'model',
      'cwd',
      'profile',
      'sandbox',
      'approval-policy',
      'base-instructions',
      'developer-instructions',
    ];
    const empty = Object.fromEntries([...names, 'compact-prompt'].map((name) => [name, '']));
    expect(read('codex', { prompt: '', ...empty })).toEqual({ prompt: '', thread: { start: {} } });
    expect(read('codex-reply', { prompt: 'go', threadId: 't', conversationId: '', cwd: '' })).toEqual({
      prompt: 'go',
      thread: { id: 't' },
    });
  });

  it.each([
    [{ threadId: 't' }, { id: 't' }],
    [{ conversationId: 't' }, { id: 't' }],
    [{ sessionId: 't' }, { id: 't' }],
    [{ sessionId: 't', threadId: 't' }, { id: 't' }],
    [{}, { newest: true }],
  ])('finds the thread of codex-reply by %j', (ids, thread) => {
    expect(read('codex-reply', { prompt: 'on', ...ids })).toEqual({ prompt: 'on', thread });
  });

  it.each([
    ['codex', {}, 'The arguments of codex do not fit: `prompt` is missing.'],
    ['codex', { prompt: 5 }, 'The arguments of codex do not fit: `prompt` must be a string, not a number.'],
    [
      'codex',
      { prompt: '', sandbox: 'none' },
      '`sandbox` must be "read-only", "workspace-write" or "danger-full-access".',
    ],
    [
      'codex',
      { prompt: '', baseInstruction: '' },
      'codex has no argument `baseInstruction`. Did you mean `base-instructions`?',
    ],
    ['codex', { prompt: '', zzz: 1 }, 'codex has no argument `zzz`. It takes prompt, model, profile, cwd, '],
    ['codex-reply', { prompt: '', thread_id: '' }, 'codex-reply has no argument `thread_id`. Did you mean `threadId`?'],
    [
      'codex-reply',
      { prompt: '', threadId: 'a', sessionId: 'b' },
      'threadId, conversationId and sessionId name different threads',
    ],
  ] as const)('refuses %s %j', (tool, args, text) => {
    expect(() => read(tool, args)).toThrow(InvalidArguments);
    expect(() => read(tool, args)).toThrow(text);
  });

  it('reads where a thread goes on', () => {
    const reply = readToolArguments['codex-reply'];
    expect(reply?.({ prompt: 'x', threadId: 't', cwd: '/w', config: { environment_id: 'box' } })).toEqual({
      prompt: 'x',
      thread: { id: 't' },
      lasting: { cwd: '/w', config: { environment_id: 'box' } },
    });
    expect(() => reply?.({ prompt: 'x', config: { model: 'm' } })).toThrow(/has no argument `model`/);
  });
});

const ID = '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
const NAME = `rollout-2026-11-23T18-00-00-${ID}.jsonl`;

describe('resumedThread', () => {
  it.each([`/home/me/.codex/sessions/2026/11/23/${NAME}`, NAME, `C:\\codex\\sessions\\${NAME}`])(
    'finds the thread of %s',
    (path) => {
      expect(resumedThread({ config: { experimental_resume: path } })).toEqual({ thread: { id: ID } });
    },
  );

  it('has the settings of the call, which apply from then on', () => {
    const config = { experimental_resume: NAME, environment_id: 'far', model_verbosity: 'low' };
    expect(
      resumedThread({ cwd: '/w', sandbox: 'read-only', profile: 'p', compactPrompt: 'c', config })?.lasting,
    ).toEqual({
      cwd: '/w',
      sandbox: { mode: 'read-only' },
      profile: 'p',
      compactPrompt: 'c',
      config: { environment_id: 'far', model_verbosity: 'low' },
    });
  });

  it.each([
    undefined,
    {},
    { experimental_resume: 7 },
    { experimental_resume: '/etc/passwd' },
    { experimental_resume: `${NAME}.bak` },
  ])('is none for %j', (config) => {
    expect(resumedThread({ config: config as never })).toBeUndefined();
  });
});
