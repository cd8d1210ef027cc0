import type { Outcome } from '../../../src/server/calls';
import { faceOf } from '../../../src/server/mcp';
import { toCallResult } from '../../../src/server/mcp/toCallResult';
import { callOf, legacy, modern } from '../../support/mcpCalls';

const union = faceOf('union', '0.1.0');
const resultOf = (outcome: Outcome, face = union, caller = legacy) => {
  const response = toCallResult(face, callOf(caller), outcome);
  return 'result' in response ? response.result : response;
};

const completed: Outcome = { kind: 'completed', threadId: 'T', text: 'done', notDone: [] };
const failed: Outcome = { kind: 'failed', threadId: 'T', message: 'model down', notDone: [] };

describe('toCallResult', () => {
  it.each<[string, Outcome, string]>([
    ['a completed call', completed, 'done'],
    [
      'one in which not all was done',
      { ...completed, notDone: ['`a`: late', '`b`: late'] },
      'done\n\nNot done: `a`: late\n\nNot done: `b`: late',
    ],
    ['one that said nothing', { ...completed, text: '', notDone: ['`a`: late'] }, 'Not done: `a`: late'],
  ])('shows %s as its text and as structured content', (_, outcome, text) => {
    expect(resultOf(outcome)).toEqual({
      content: [{ type: 'text', text }],
      structuredContent: { threadId: 'T', content: text },
    });
  });

  it.each<[string, Outcome, string]>([
    ['a failed call', failed, 'model down'],
    ['an aborted call', { kind: 'aborted', threadId: 'T', notDone: ['`a`: late'] }, 'The turn was stopped.\n`a`: late'],
  ])('shows %s with its thread, in the text too', (_, outcome, text) => {
    expect(resultOf(outcome)).toEqual({
      content: [{ type: 'text', text: `${text}\n\nthreadId: T` }],
      structuredContent: { threadId: 'T', content: text },
      isError: true,
    });
  });

  it.each<[string, Outcome, string]>([
    ['a refused call', { kind: 'rejected', message: 'no such thread' }, 'no such thread'],
    ['a stopped call', { kind: 'stopped', cause: 'The input ended.', notDone: [] }, 'The input ended.'],
  ])('shows %s without a thread', (_, outcome, text) => {
    expect(resultOf(outcome)).toEqual({ content: [{ type: 'text', text }], isError: true });
  });

  it('shows no structured content and no thread where the face has none', () => {
    const old = faceOf('0.28', '0.1.0');
    expect(resultOf(completed, old)).toEqual({ content: [{ type: 'text', text: 'done' }] });
    expect(resultOf(failed, old)).toEqual({ content: [{ type: 'text', text: 'model down' }], isError: true });
  });

  it('is a complete result of this server for a client of 2026-07-28', () => {
    expect(resultOf(completed, union, modern)).toEqual({
      resultType: 'complete',
      content: [{ type: 'text', text: 'done' }],
      structuredContent: { threadId: 'T', content: 'done' },
      _meta: { 'io.modelcontextprotocol/serverInfo': union.serverInfo },
    });
  });
});
