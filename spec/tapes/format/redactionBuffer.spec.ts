import * as fc from 'fast-check';
import { type RedactionBuffer, redactionBuffer } from '../../../src/tapes/format/redactionBuffer';
import { redactor } from '../../../src/tapes/format/redactTape';
import type { Entry } from '../../../src/tapes/format/tape';

const KEY = `sk-${'aBcD1234'.repeat(5)}`;
const entry = (message: unknown, t = 0, dir = 'out'): Entry => ({ t, dir, line: JSON.stringify(message) });
const delta = (text: string, item = 'a') =>
  entry({ method: 'item/agentMessage/delta', params: { itemId: item, delta: text } });
const COMPLETED = entry({ method: 'item/completed', params: {} });
const OTHER = entry({ method: 'thread/name', params: {} });

const bufferHere = (): RedactionBuffer => redactionBuffer(redactor({ secrets: [], onRemoved: () => {} }));
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
