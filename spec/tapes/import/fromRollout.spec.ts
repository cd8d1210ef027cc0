import fc from 'fast-check';
import { fromRollout } from '../../../src/tapes/import/fromRollout';
import { toMs } from '../../../src/tapes/import/importer';
import { importedBy } from '../../support/tapes';

const STARTED = Date.UTC(2026, 0, 1);
const at = (ms: number) => new Date(STARTED + ms).toISOString();
const head = { timestamp: at(0), type: 'session_meta', payload: { id: 'T', cli_version: '0.142.0' } };
const event = (ms: number, payload: object) => ({ timestamp: at(ms), type: 'event_msg', payload });
const prompt = (ms: number, message: string) => event(ms, { type: 'user_message', message });
const message = (ms: number, text: string) => event(ms, { type: 'agent_message', message: text });
const complete = (ms: number) => event(ms, { type: 'task_complete', last_agent_message: 'a' });

/** The entries after the handshake, each with its line parsed. */
const imported = (...values: object[]) => {
  const { meta, entries, problems } = importedBy(fromRollout, values);
  const lines = entries.map(({ t, dir, line }) => [t, dir, JSON.parse(line)]);
  return { meta, opening: lines.slice(0, 3), lines: lines.slice(3), problems };
};
const call = (t: number, id: number, params: object) => [
  ...[t, 'in'],
  { jsonrpc: '2.0', id, method: 'tools/call', params },
];
const sent = (t: number, id: number, msg: object) => [
  ...[t, 'out'],
  {
    jsonrpc: '2.0',
    method: 'codex/event',
    params: { _meta: { requestId: id, threadId: 'T' }, id: String(id), msg },
  },
];
const answer = (t: number, id: number, text: string) => [
  ...[t, 'out'],
  {
    jsonrpc: '2.0',
    id,
    result: { content: [{ type: 'text', text }], structuredContent: { threadId: 'T', content: text } },
  },
];
const configured = { type: 'session_configured', session_id: 'T', thread_id: 'T' };
const first = (t: number) => [call(t, 1, { name: 'codex', arguments: { prompt: 'go' } }), sent(t, 1, configured)];

describe('fromRollout', () => {
  it('opens with a handshake, and names when and by what the thread was begun', () => {
    const { meta, opening, lines } = imported(head);
    expect(meta).toEqual({ started: at(0), thread: 'T', server: { name: 'codex', version: '0.142.0' } });
    expect(opening.map(([t, dir, { id, method }]) => [t, dir, id, method])).toEqual([
      [0, 'in', 0, 'initialize'],
      [0, 'out', 0, undefined],
      [0, 'in', undefined, 'notifications/initialized'],
    ]);
    expect(lines).toEqual([]);
  });

  it('makes a call of each prompt, which its last event answers with the last message', () => {
    const { lines } = imported(head, prompt(5, 'go'), message(7, 'a'), complete(8), prompt(20, 'more'), complete(21));
    const ended = { type: 'task_complete', last_agent_message: 'a' };
    expect(lines).toEqual([
      ...first(5),
      sent(7, 1, { type: 'agent_message', message: 'a' }),
      ...[sent(8, 1, ended), answer(8, 1, 'a')],
      call(20, 2, { name: 'codex-reply', arguments: { prompt: 'more', threadId: 'T' } }),
      ...[sent(21, 2, ended), answer(21, 2, '')],
    ]);
  });

  it('answers a call without a last event before the next, and at the end', () => {
    const { lines } = imported(head, prompt(5, 'go'), message(6, 'a'), prompt(9, 'more'));
    expect(lines).toEqual([
      ...first(5),
      sent(6, 1, { type: 'agent_message', message: 'a' }),
      answer(9, 1, 'a'),
      call(9, 2, { name: 'codex-reply', arguments: { prompt: 'more', threadId: 'T' } }),
      answer(9, 2, ''),
    ]);
  });

  it.each([
    [
      'was stopped',
      [event(7, { type: 'turn_aborted', reason: 'interrupted' })],
      'The turn was stopped before it was done: interrupted',
    ],
    ['failed', [event(7, { type: 'error', message: 'no' }), complete(7)], 'no'],
    ['has no end', [event(4, { type: 'task_started' }), message(7, 'a')], 'The rollout ends before the turn does'],
  ])('answers with an error if the turn %s', (_, events, text) => {
    const { lines } = imported(head, prompt(5, 'go'), ...events);
    const [, , last] = lines.at(-1) as [number, string, object];
    expect(last).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text }], structuredContent: { threadId: 'T', content: text }, isError: true },
    });
  });

  it('answers with the message of a turn that went on after an error', () => {
    const { lines } = imported(
      head,
      prompt(5, 'go'),
      event(6, { type: 'error', message: 'no' }),
      message(7, 'a'),
      complete(7),
    );
    expect(lines.at(-1)).toEqual(answer(7, 1, 'a'));
  });

  it('calls without a prompt for work that no prompt began', () => {
    const { lines } = imported(head, event(1, { type: 'task_started' }), message(2, 'a'), complete(3), message(4, 'b'));
    expect(lines).toEqual([
      call(2, 1, { name: 'codex', arguments: { prompt: '' } }),
      sent(2, 1, { type: 'session_configured', session_id: 'T', thread_id: 'T' }),
      sent(2, 1, { type: 'task_started' }),
      sent(2, 1, { type: 'agent_message', message: 'a' }),
      ...[sent(3, 1, { type: 'task_complete', last_agent_message: 'a' }), answer(3, 1, 'a')],
      sent(4, 1, { type: 'agent_message', message: 'b' }),
    ]);
  });

  it('reads the prompts and messages from their items if no event has them', () => {
    const item = (ms: number, role: string, text: string) => ({
      ...event(ms, {}),
      type: 'response_item',
      payload: { type: 'message', role, content: [{ type: 'input_text', text }] },
    });
    const items = [item(5, 'user', 'go'), item(6, 'assistant', 'a')];
    const expected = [...first(5), sent(6, 1, { type: 'agent_message', message: 'a' }), answer(6, 1, 'a')];
    expect(imported(head, ...items).lines).toEqual(expected);
    expect(imported(head, prompt(5, 'go'), ...items, message(6, 'a')).lines).toEqual(expected);
  });

  it('counts a millisecond where there is no time', () => {
    const { timestamp: _, ...timeless } = message(0, 'b');
    const { lines } = imported(head, prompt(5, 'go'), timeless, message(2, 'c'));
    expect(lines).toEqual([
      ...first(5),
      sent(6, 1, { type: 'agent_message', message: 'b' }),
      sent(6, 1, { type: 'agent_message', message: 'c' }),
      answer(6, 1, 'c'),
    ]);
  });

  it('reports a line of an unknown kind', () => {
    const { lines, problems } = imported(head, { odd: 1 });
    expect(lines).toEqual([]);
    expect(problems).toEqual([{ lineNumber: 2, reason: 'is of a kind that is not known; it is left out' }]);
  });
});

describe('toMs', () => {
  const ms = Date.UTC(2026, 0, 1);
  it.each([
    ['2026-01-01T00:00:00Z', ms],
    [ms / 1_000, ms],
    [ms, ms],
    [ms * 1_000, ms],
    [ms * 1_000_000, ms],
    ['no time', undefined],
    [1e300, undefined],
    [Number.NaN, undefined],
    [null, undefined],
    [undefined, undefined],
  ])('of %j is %j', (time, expected) => {
    expect(toMs(time)).toBe(expected);
  });

  it('is always a time that a Date can hold', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.string()), (time) => {
        const read = toMs(time);
        if (read !== undefined) expect(Number.isNaN(new Date(read).getTime())).toBe(false);
      }),
    );
  });
});
