import { toInput } from '../../../../src/protocol/codex/input';
import { decodeMessage } from '../../../../src/protocol/jsonrpc/decodeMessage';
import type { Request } from '../../../../src/protocol/jsonrpc/messages';
import { silentLog } from '../../../../src/protocol/log';
import type { Era } from '../../../../src/server/faces/clientInfo';
import { faceOf } from '../../../../src/server/faces/faceOf';
import { callTool } from '../../../../src/server/mcp/methods/callTool';
import { digestOf, type RequestState, sealer } from '../../../../src/server/mcp/methods/requestState';
import { asks, call } from '../../../support/mcp';

const face = faceOf('union', '0.1.0');
const seals = sealer({ key: () => Buffer.from('key'), clockMs: () => 0 });
const deps = { face, sealer: seals, newCallId: () => 'call', log: silentLog, instructions: '' };
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
