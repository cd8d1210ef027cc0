import * as fc from 'fast-check';
import { atOnce } from '../../../src/streams/pausing';
import {
  bufferedLines,
  isEnd,
  MAX_SECRET_CHARS,
  openTexts,
  redactionBuffer,
} from '../../../src/tapes/format/redactionBuffer';
import { redactor } from '../../../src/tapes/format/redactTape';
import type { Entry } from '../../../src/tapes/format/tape';

const KEY = `sk-${'aBcD1234'.repeat(5)}`;
const entry = (message: unknown, t = 0, dir = 'out'): Entry => ({ t, dir, line: JSON.stringify(message) });
const delta = (text: string, item = 'a') =>
  entry({ method: 'item/agentMessage/delta', params: { itemId: item, delta: text } });
const COMPLETED = entry({ method: 'item/completed', params: {} });
const OTHER = entry({ method: 'thread/name', params: {} });

/** A buffer that never pauses. */
const bufferHere = () => {
  const { passes, add, end } = redactionBuffer(redactor({ secrets: [], onRemoved: () => {} }));
  return { passes, add: (one: Entry) => atOnce(add(one)), end: () => atOnce(end()) };
};
/** What each line lets out, and then the end: the texts of the pieces, or the method. */
const shown = (entries: readonly Entry[]): string[][] => {
  const { add, end } = bufferHere();
  const toText = ({ line }: Entry): string => {
    const { method, params } = JSON.parse(line);
    return params?.delta ?? method ?? 'response';
  };
  return [...entries.map(add), end()].map((out) => out.map(toText));
};

describe('redactionBuffer', () => {
  it('passes a line on at once where no text has begun', () => {
    expect(shown([OTHER, COMPLETED])).toEqual([['thread/name'], ['item/completed'], []]);
  });

  it('holds pieces, and what comes between them, until the text is over', () => {
    expect(shown([delta('a'), OTHER, delta('b'), COMPLETED, delta('c')])).toEqual([
      ...[[], [], []],
      ['a', 'thread/name', 'b', 'item/completed'],
      ...[[], ['c']],
    ]);
  });

  it('finds a secret that pieces split, also around another line and beside another text', () => {
    const [one, two, three] = [KEY.slice(0, 9), KEY.slice(9, 20), KEY.slice(20)] as [string, string, string];
    const lines = [delta(`key ${one}`), delta('x', 'b'), delta(two), OTHER, delta(`${three} end`), COMPLETED];
    expect(shown(lines).flat()).toEqual([...['key [redacted]', 'x', '', 'thread/name', ' end', 'item/completed']]);
  });

  it.each([
    ['a response', { id: 1, result: {} }],
    ['an event', { method: 'codex/event', params: { msg: { type: 'task_complete' } } }],
  ])('takes %s for the end of a text', (_, message) => {
    expect(shown([delta('a'), entry(message)])[1]).toHaveLength(2);
  });

  it('finds a secret that pieces split around an event of Codex, which has an id as responses have', () => {
    const event = (msg: object) => entry({ method: 'codex/event', params: { id: '1', msg } });
    const pieces = [`key ${KEY.slice(0, 20)}`, KEY.slice(20)].map((text) =>
      event({ type: 'agent_message_delta', delta: text }),
    ) as [Entry, Entry];
    const { add } = bufferHere();
    const held = [pieces[0], event({ type: 'token_count' }), pieces[1]].map((one) => add(one).length);
    const released = add(event({ type: 'agent_message', message: `key ${KEY}` }));
    expect([held, released.length, JSON.stringify(released).includes(KEY.slice(20))]).toEqual([[0, 0, 0], 4, false]);
  });

  it('finds a secret that pieces split around the end of another text', () => {
    const [one, two] = [KEY.slice(0, 20), KEY.slice(20)] as [string, string];
    const over = (id: string) => entry({ method: 'item/completed', params: { item: { id } } });
    expect(shown([delta('x', 'b'), delta(`key ${one}`), over('b'), delta(two), OTHER, over('a')])).toEqual([
      ...[[], [], ['x'], [], []],
      ['key [redacted]', 'item/completed', '', 'thread/name', 'item/completed'],
      [],
    ]);
    expect(shown([delta(`key ${one}`), delta('x', 'b'), over('b'), delta(two), over('a'), OTHER])).toEqual([
      ...[[], [], [], []],
      ['key [redacted]', 'x', 'item/completed', '', 'item/completed'],
      ...[['thread/name'], []],
    ]);
  });

  it('finds a secret that updates of ACP split around the response to another request than the prompt', () => {
    const update = (text: string): Entry => {
      const chunk = { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: { type: 'text', text } };
      return entry({ method: 'session/update', params: { sessionId: 's', update: chunk } });
    };
    const { add, end } = bufferHere();
    const lines = [update(KEY.slice(0, 9)), entry({ id: 9, result: { sessions: [] } }), update(KEY.slice(9))];
    const out = lines.flatMap(add);
    expect(out).toEqual([]);
    out.push(...add(entry({ id: 2, result: { stopReason: 'end_turn' } })));
    expect(end()).toEqual([]);
    const texts = out.map(({ line }) => JSON.parse(line).params?.update.content.text ?? 'response');
    expect(texts).toEqual(['[redacted]', 'response', '', 'response']);
  });

  it('takes the end of the server for one', () => {
    const { add } = bufferHere();
    add(delta('a'));
    expect(add({ t: 5, dir: 'exit', line: '{"code":0}' })).toHaveLength(2);
  });

  it('holds 20,000 lines at most', () => {
    const { add } = bufferHere();
    const held = [delta('a'), ...Array<Entry>(19_998).fill(OTHER)].flatMap((one) => add(one));
    expect(held).toEqual([]);
    expect(add(OTHER)).toHaveLength(20_000);
  });

  it('holds no more where a text stays open while others end', () => {
    const { add } = bufferHere();
    const over = entry({ method: 'item/completed', params: { item: { id: 'b' } } });
    const held = [delta('x', 'b'), delta('a'), ...Array<Entry>(19_999).fill(over)].map((one) => add(one).length);
    expect(held.filter((count) => count > 0)).toEqual([1, 20_000]);
  });

  it('keeps the time of each line', () => {
    const { add, end } = bufferHere();
    add({ ...delta('a'), t: 7 });
    expect(end()).toEqual([{ ...delta('a'), t: 7 }]);
  });

  it('lets most of a long text out, and finds what its parts split', () => {
    const filler = 'word '.repeat(2_000);
    const pieces = [...Array.from({ length: 6 }, () => filler), KEY.slice(0, 20), `${KEY.slice(20)} `, filler];
    const { add, end } = bufferHere();
    const early = pieces.flatMap((text) => add(delta(text)));
    const all = [...early, ...end()].map(({ line }) => JSON.parse(line).params.delta).join('');
    expect([early.length > 3, all]).toEqual([true, `${filler.repeat(6)}[redacted] ${filler}`]);
  });

  it('lets each line out once, in order, whatever comes', () => {
    const line = fc.oneof(
      fc.string().map((text) => delta(text)),
      fc.constantFrom(OTHER, COMPLETED, { t: 0, dir: 'err', line: 'no JSON' }),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const numbered = lines.map((one, t) => ({ ...one, t }));
        const { add, end } = bufferHere();
        expect([...numbered.flatMap(add), ...end()].map(({ t }) => t)).toEqual(numbered.map(({ t }) => t));
      }),
    );
  });

  it('passes lines that came together where nothing is held, and none of them has a piece or a secret', () => {
    const together = (...entries: Entry[]) => {
      const lines = Buffer.from(entries.map(({ line }) => `${line}\n`).join(''));
      return { dir: 'out', lines, count: entries.length } as const;
    };
    const held = bufferHere();
    const passes = (...entries: Entry[]) => held.passes(together(...entries));
    expect([passes(OTHER, COMPLETED), passes(OTHER, delta('a')), passes(entry({ text: KEY }))]).toEqual([
      ...[true, false, false],
    ]);
    held.add(delta('a'));
    expect(passes(COMPLETED)).toBe(false);
    held.add(COMPLETED);
    expect(passes(COMPLETED)).toBe(true);
  });
});

const event = (msg: object, meta: object = {}) => ({ method: 'codex/event', params: { _meta: meta, id: '1', msg } });

const response = { id: 1, result: {} };

describe('isEnd', () => {
  it.each<[string, unknown]>([
    ['a response', response],
    ['an error', { id: 1, error: {} }],
    ['a method', { method: 'item/completed', params: {} }],
    ['an event of Codex', event({ type: 'task_complete' })],
    ['a whole text', event({ type: 'agent_message' })],
    ['an event of the Responses API', { type: 'response.output_text.done' }],
  ])('is true for %s', (_, message) => expect(isEnd(message)).toBe(true));

  it.each<[string, unknown]>([
    ['a request', { id: 1, method: 'ping' }],
    ['a log record', { method: 'notifications/message', params: {} }],
    ['another method', { method: 'item/started', params: {} }],
    ['another event', event({ type: 'task_started' })],
    ['what is no message', 'end'],
  ])('is false for %s', (_, message) => expect(isEnd(message)).toBe(false));
});

describe('openTexts', () => {
  const isOpenAfter = (end: unknown, one: unknown, dir = 'out'): boolean => {
    const open = openTexts();
    open.add('k', { dir: 'out', message: one });
    open.end({ dir, message: end });
    return open.has('k');
  };
  const piece = { method: 'item/agentMessage/delta', params: { threadId: 't', itemId: 'a', delta: 'x' } };
  const called = event({ type: 'exec_command_output_delta', call_id: 'c', chunk: '' }, { requestId: 1 });

  it.each<[string, unknown, unknown]>([
    ['another item', { method: 'item/completed', params: { threadId: 't', item: { id: 'b' } } }, piece],
    ['another item of the Responses API', { type: 'response.output_text.done', item_id: 'b' }, { item_id: 'a' }],
    ['another thread', { method: 'turn/completed', params: { threadId: 'u' } }, piece],
    ['another command', event({ type: 'exec_command_end', call_id: 'd' }), called],
    ['another process', { method: 'process/exited', params: { processId: 'q' } }, { params: { processId: 'p' } }],
    ['another request', { id: 2, result: {} }, called],
    ['the same number as text', { id: '1', result: {} }, called],
  ])('keeps a text open at the end of %s', (_, end, open) => expect(isOpenAfter(end, open)).toBe(true));

  it.each<[string, unknown, unknown]>([
    ['of its item', { method: 'item/completed', params: { threadId: 't', item: { id: 'a' } } }, piece],
    ['of its thread', { method: 'turn/completed', params: { threadId: 't' } }, piece],
    ['of its request', { id: 1, result: {} }, called],
    ['of nothing that is named', { method: 'done' }, piece],
    ['of what a text does not name', { id: 9, result: {} }, piece],
    ['of an item without an id', { method: 'item/completed', params: { item: null } }, piece],
    ['of anything, for a text that names nothing', response, { method: 'x/delta', params: { delta: 'x' } }],
  ])('ends a text at the end %s', (_, end, over) => expect(isOpenAfter(end, over)).toBe(false));

  it('keeps a text open at a response in the other direction, even of the same id', () => {
    expect([isOpenAfter(response, called, 'in'), isOpenAfter(response, called, 'out')]).toEqual([true, false]);
  });

  it('has none at first, and none when all end', () => {
    const open = openTexts();
    expect(open.has('k')).toBe(false);
    open.add('k', { dir: 'out', message: piece });
    open.end();
    expect(open.has('k')).toBe(false);
  });
});

describe('bufferedLines', () => {
  const entry = (params: object, t: number): Entry => ({
    t,
    dir: 'out',
    line: JSON.stringify({ method: 'item/agentMessage/delta', params }),
  });
  const piece = (itemId: string, delta: string, t = 0): Entry => entry({ itemId, delta }, t);
  const other = (t = 0): Entry => ({ t, dir: 'out', line: '{"method":"thread/name"}' });
  function* secretsIn(text: string) {
    yield;
    return Array.from(text.matchAll(/SECRET/g), ({ index }) => ({ from: index, to: index + 6, kind: 'secret' }));
  }
  /** Lines of which the texts of these items are open. */
  const bufferOf = (items: readonly string[], lines: readonly Entry[]) => {
    const has = (key: string) => items.some((item) => key.includes(item));
    const buffered = bufferedLines({ open: { has }, find: secretsIn });
    for (const line of lines) buffered.add(line);
    return { ...buffered, release: () => atOnce(buffered.release()) };
  };
  const times = (lines: readonly Entry[]): number[] => lines.map(({ t }) => t);

  it('gives all lines where no text is open, without the secrets that pieces split', () => {
    const buffered = bufferOf([], [piece('a', 'x SEC', 1), other(2), piece('a', 'RET y', 3)]);
    expect([buffered.count(), buffered.isFirstOpen()]).toEqual([3, false]);
    const texts = buffered.release().map(({ line }) => JSON.parse(line).params?.delta);
    expect([texts, buffered.count(), buffered.release()]).toEqual([['x [redacted]', undefined, ' y'], 0, []]);
  });

  it('keeps the end of an open text, and what came after it', () => {
    const buffered = bufferOf(['b'], [piece('a', 'x', 1), piece('b', 'y', 2), piece('a', 'z', 3)]);
    expect([buffered.isFirstOpen(), times(buffered.release())]).toEqual([false, [1]]);
    buffered.add(other(4));
    expect([buffered.count(), buffered.isFirstOpen(), times(buffered.release())]).toEqual([3, true, []]);
  });

  it('redacts a text once one of its lines can be written, so that many open texts cost no more than one', () => {
    const seen: string[] = [];
    function* find(text: string) {
      yield void seen.push(text);
      return [];
    }
    const buffered = bufferedLines({ open: { has: (key) => key.includes('"b"') }, find });
    const texts = [piece('a', 'x'), piece('b', 'p'), piece('a', 'y'), piece('b', 'q')];
    for (const line of [piece('c', 'u'), piece('c', 'v'), ...texts]) buffered.add(line);
    expect([atOnce(buffered.release()).length, seen]).toEqual([3, ['uv', 'xy']]);
  });

  it('gives what is further back in an open text than a secret is long', () => {
    const half = 'x'.repeat(MAX_SECRET_CHARS / 2);
    const buffered = bufferOf(
      ['a'],
      [1, 2, 3, 4].map((t) => piece('a', half, t)),
    );
    expect(times(buffered.release())).toEqual([1, 2]);
  });
});
