import { ending, isRunning, lastWords } from '../../src/appServer/ending';
import { type End, endOf } from '../../src/appServer/endOf';
import { type Heard, nothingHeard } from '../../src/appServer/heard';
import type { JsonObject } from '../../src/protocol/jsonrpc';
import { marbles } from '../support/marbles';

const completed: End = { kind: 'completed' };
const failed = (soon: boolean): End => ({ kind: 'failed', message: 'no model', soon });
const having = (type: string): Heard => ({ ...nothingHeard(), open: new Map([['i', { type, id: 'i' }]]) });
const running = having('commandExecution');

describe('endOf', () => {
  const turn = (status: string, error?: unknown): JsonObject => ({ turn: { id: 't', status, error } });
  it.each<[string, string, JsonObject, End | undefined]>([
    ['an item', 'item/completed', turn('completed'), undefined],
    ['an error that is retried', 'error', { willRetry: true, error: { message: 'again' } }, undefined],
    ['a final error', 'error', { error: { message: 'over' } }, { kind: 'failed', message: 'over', soon: true }],
    ['one without words', 'error', {}, { kind: 'failed', message: 'The turn failed.', soon: true }],
    ['the end', 'turn/completed', turn('completed'), completed],
    ['an end of a kind that is not known', 'turn/completed', {}, completed],
    ['an end that was asked for', 'turn/completed', turn('interrupted'), { kind: 'interrupted' }],
    [
      'a failure, with all that is known of it',
      'turn/completed',
      turn('failed', { message: 'no model', additionalDetails: 'HTTP 500' }),
      { kind: 'failed', message: 'no model\nHTTP 500', soon: false },
    ],
  ])('takes %s', (_, method, params, end) => {
    expect(endOf(method, params)).toEqual(end);
  });
});

describe('ending', () => {
  it.each<[string, Heard, End | undefined, string]>([
    ['is none where nothing ends', nothingHeard(), undefined, '|'],
    ['is at once', nothingHeard(), completed, '(o|)'],
    ['is at once where a message was left open', having('agentMessage'), completed, '(o|)'],
    ['waits a moment for a command that still runs', running, completed, '300ms (o|)'],
    ['waits for no command where the turn was interrupted', running, { kind: 'interrupted' }, '(o|)'],
    ['waits two seconds after a final error for what the server says itself', nothingHeard(), failed(true), '2s (o|)'],
    ['is at once where it has said so', nothingHeard(), failed(false), '(o|)'],
  ])('%s', (_, heard, end, expected) =>
    marbles(({ expectObservable }) => {
      expectObservable(ending(heard, end)).toBe(expected, { o: { kind: 'over', end } });
    })(),
  );
});

describe('isRunning', () => {
  it.each([
    ['a command that has begun', running, true],
    ['a tool that has', having('mcpToolCall'), false],
    ['nothing', nothingHeard(), false],
  ])('%s: %s', (_, heard, is) => {
    expect(isRunning(heard)).toBe(is);
  });
});

describe('lastWords', () => {
  const end = { type: 'exec_command_end', call_id: 'i', exit_code: -1 };
  it.each<[string, Parameters<typeof lastWords>[1], object[]]>([
    ['an answer', completed, [{ type: 'task_complete', last_agent_message: 'hi' }]],
    ['an interrupt', { kind: 'interrupted' }, [{ type: 'turn_aborted', reason: 'interrupted' }]],
    [
      'a deadline',
      { kind: 'late', message: 'too long' },
      [
        { type: 'error', message: 'too long' },
        { type: 'turn_aborted', reason: 'interrupted' },
      ],
    ],
    [
      'a failure, which has no answer',
      failed(false),
      [
        { type: 'error', message: 'no model' },
        { type: 'task_complete', last_agent_message: null },
      ],
    ],
  ])('of %s end what was open before', (_, how, words) => {
    const open = new Map(running.open);
    expect(lastWords({ ...nothingHeard(), open, said: 'hi' }, how)).toMatchObject([end, ...words]);
    expect(open.size).toBe(0);
  });
});
