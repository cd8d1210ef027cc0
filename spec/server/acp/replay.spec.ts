import { firstValueFrom, map, NEVER, tap, toArray } from 'rxjs';
import type { JsonObject } from '../../../src/protocol/jsonrpc/json';
import { replayThread } from '../../../src/server/acp/replay';
import { newView } from '../../../src/server/acp/toolView';
import { parseLines } from '../../../src/threads/lines/readRolloutLine';
import { promptly } from '../../support/acp';
import { marbles } from '../../support/marbles';

const rollout = (...payloads: [type: string, payload: object][]): string =>
  payloads.map(([type, payload]) => JSON.stringify({ type, payload })).join('\n');

const piecesOf = async (lines: readonly JsonObject[]) => {
  const pieces = await firstValueFrom(replayThread({ view: newView('/w', 't'), lines }, promptly).pipe(toArray()));
  return pieces.map(({ output }) => output);
};
const past = async (text: string) => (await piecesOf(parseLines(text))).flat();

const user = (message: string): [string, object] => ['event_msg', { type: 'user_message', message }];
const agent = (message: string): [string, object] => ['event_msg', { type: 'agent_message', message }];
const call: [string, object] = [
  'response_item',
  { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'c' },
];

describe('the past of a thread', () => {
  it('has prompts, messages and calls in their order, each message with an id of its own', async () => {
    const output: [string, object] = [
      'response_item',
      { type: 'function_call_output', call_id: 'c', output: '{"output":"a","metadata":{"exit_code":0}}' },
    ];
    expect(await past(rollout(user('one'), agent('two'), call, output, agent('three')))).toMatchObject([
      { sessionUpdate: 'user_message_chunk', messageId: 't.1', content: { text: 'one' } },
      { sessionUpdate: 'agent_message_chunk', messageId: 't.2', content: { text: 'two' } },
      { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'ls' },
      { sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed' },
      { sessionUpdate: 'agent_message_chunk', messageId: 't.3', content: { text: 'three' } },
    ]);
  });

  it('has warnings as thoughts, as the running turn has them', async () => {
    const warning: [string, object] = ['event_msg', { type: 'warning', message: 'no server s' }];
    expect(await past(rollout(user('one'), warning))).toMatchObject([
      { sessionUpdate: 'user_message_chunk' },
      { sessionUpdate: 'agent_thought_chunk', content: { text: 'no server s' } },
    ]);
  });

  it('leaves no call open, also if the program was killed in the middle of a line', async () => {
    expect(await past(`${rollout(user('one'), call)}\n{"type":"event_m`)).toMatchObject([
      { sessionUpdate: 'user_message_chunk' },
      { sessionUpdate: 'tool_call', status: 'in_progress' },
      { sessionUpdate: 'tool_call_update', status: 'failed' },
    ]);
  });

  it('has the calls that a person rejected, or that stopped with their turn, as failed', async () => {
    for (const output of ['exec command rejected by user', 'aborted', 'aborted by user after 1.0s']) {
      const rejected: [string, object] = ['response_item', { type: 'function_call_output', call_id: 'c', output }];
      expect(await past(rollout(user('one'), call, rejected))).toMatchObject([
        { sessionUpdate: 'user_message_chunk' },
        { sessionUpdate: 'tool_call', status: 'in_progress' },
        { sessionUpdate: 'tool_call_update', status: 'failed' },
      ]);
    }
  });

  it('ends with the use of the context, and leaves out what it cannot read', async () => {
    const count = (total_tokens: number): [string, object] => [
      'event_msg',
      { type: 'token_count', info: { last_token_usage: { total_tokens } } },
    ];
    const odd: [string, object] = ['event_msg', { type: 'plan_update', plan: 5 }];
    expect(await past(rollout(user('one'), count(5), odd, count(7)))).toMatchObject([
      { sessionUpdate: 'user_message_chunk' },
      { sessionUpdate: 'usage_update', used: 7, size: 272_000 },
    ]);
  });

  it('is empty for a new thread', async () => {
    expect(await past('')).toEqual([]);
  });

  it(
    'waits for a client that reads slowly, and is not read on before',
    marbles(({ hot, expectObservable }) => {
      const past = { view: newView('/w', 't'), lines: parseLines(rollout(user('x'.repeat(400_000)), agent('y'))) };
      let isRead = false;
      const drain$ = hot('---d-----').pipe(
        tap(() => {
          isRead = true;
        }),
      );
      const piece$ = replayThread(past, { ...promptly, backpressure: { isFull: () => !isRead, drain$ } }).pipe(
        map(({ output }) => `${output.length}`),
      );
      expectObservable(piece$).toBe('1---(1|)');
      expectObservable(
        replayThread(past, { ...promptly, backpressure: { isFull: () => true, drain$: NEVER } }).pipe(map(() => 'p')),
      ).toBe('p');
    }),
  );

  it('comes in pieces: of a few long texts, or of many short lines', async () => {
    const long = 'x'.repeat(300_000);
    const few = parseLines(rollout(user(long), agent(long), agent(long), agent(long)));
    const sizes = (await piecesOf(few)).map((piece) => piece.length);
    expect(sizes).toEqual([1, 1, 1, 1, 0]);
    const many = parseLines(rollout(...Array.from({ length: 20_000 }, () => user('y'))));
    const pieces = await piecesOf(many);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(4_000);
    expect(pieces.flat()).toHaveLength(20_000);
  });
});
