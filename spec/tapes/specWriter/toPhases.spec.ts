import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { selectLines } from '../../../src/tapes/specWriter/selectLines';
import { toHoles } from '../../../src/tapes/specWriter/toHoles';
import { toLanes } from '../../../src/tapes/specWriter/toLanes';
import {
  hasFree,
  keepLetters,
  type LetterRequest,
  NO_LETTERS,
  openWriting,
  phasesOf,
  takeLetter,
  toPhases,
  type Writing,
  writeLine,
} from '../../../src/tapes/specWriter/toPhases';
import { sessionFrom } from '../../support/tapes';

type Sent = [dir: string, message: object | string];

const request = (id: number | string, method: string) => ({ jsonrpc: '2.0', id, method });
const answer = (id: number | string) => ({ jsonrpc: '2.0', id, result: {} });

const write = (...sent: Sent[]): Writing => {
  const session = sessionFrom(...sent.map(([dir, one], t): [number, string, object | string] => [t, dir, one]));
  const lines = selectLines(toSessionIndex(session), {}) ?? [];
  return toLanes(lines).reduce(writeLine, openWriting(toHoles(lines)));
};

/** The letters of each side, in the order of their frames. */
const rowsOf = (writing: Writing): string[] =>
  phasesOf(writing).map(({ client, server, frames }) => {
    const marbles = [...client, ...server.flat()];
    return Array.from({ length: frames }, (_, at) => marbles.find(({ frame }) => frame === at)?.symbol ?? '-').join('');
  });

describe('writeLine', () => {
  it('gives each message a letter of its name, an answer that of its request', () => {
    const writing = write(
      ['in', request(0, 'ping')],
      ['out', answer(0)],
      ['in', request(1, 'ping')],
      ['out', answer(1)],
    );
    expect(rowsOf(writing)).toEqual(['pPpP']);
    expect(phasesOf(writing)[0]?.values).toEqual([
      ['p', { jsonrpc: '2.0', id: '<id>', method: 'ping' }],
      ['P', { jsonrpc: '2.0', id: '<id of p>', result: {} }],
    ]);
  });

  it('keeps an id that the client does not count, and one that is too large for a number', () => {
    const exact = '{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}';
    expect(phasesOf(write(['in', request('own', 'ping')], ['in', exact]))[0]?.values).toEqual([
      ['p', request('own', 'ping')],
      ['i', exact],
    ]);
  });

  it('writes a request of the server with any id, and the answer of the client with a small letter', () => {
    const writing = write(['in', request(0, 'go')], ['out', request(7, 'ask')], ['in', answer(7)], ['out', answer(0)]);
    expect(rowsOf(writing)).toEqual(['gAaG']);
    expect(phasesOf(writing)[0]?.values[1]).toEqual(['A', { jsonrpc: '2.0', id: '<id>', method: 'ask' }]);
  });

  it('leaves the writing before it as it was', () => {
    const first = write(['in', request(0, 'ping')]);
    const before = JSON.stringify(first);
    const session = toSessionIndex(sessionFrom([0, 'in', request(0, 'ping')], [1, 'out', answer(0)]));
    const [, line] = toLanes(selectLines(session, {}) ?? []);
    if (line) writeLine(first, line);
    expect(JSON.stringify(first)).toBe(before);
  });

  it('begins a phase with a request after 24 lines, where no other waits for its response', () => {
    const pings = (from: number, many: number): Sent[] =>
      Array.from({ length: many }, (_, i) => from + i).flatMap((id): Sent[] => [
        ['in', request(id, 'ping')],
        ['out', answer(id)],
      ]);
    expect(rowsOf(write(...pings(0, 13))).map((row) => row.length)).toEqual([24, 2]);
    expect(rowsOf(write(['in', request(0, 'wait')], ...pings(1, 13))).map((row) => row.length)).toEqual([27]);
    expect(rowsOf(write(['in', request(0, 'wait')], ...pings(1, 50))).map((row) => row.length)).toEqual([88, 13]);
  });

  it('names a phase for its first call of a tool', () => {
    const call = { ...request(1, 'tools/call'), params: { name: 'codex' } };
    expect(phasesOf(write(['in', request(0, 'ping')], ['in', call])).map(({ name }) => name)).toEqual([
      'tools/call codex',
    ]);
    expect(phasesOf(write(['in', request(0, 'ping')])).map(({ name }) => name)).toEqual(['ping']);
    expect(phasesOf(write(['out', 'no JSON'])).map(({ name }) => name)).toEqual(['lines that are not messages']);
  });
});

describe('toPhases', () => {
  const request = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
  const answer = (id: number) => ({ jsonrpc: '2.0', id, result: {} });
  const tracks = (ending: 'exitedWell' | 'unknown', ...sent: [dir: string, message: object | string][]) => {
    const session = sessionFrom(...sent.map(([dir, one], t): [number, string, object | string] => [t, dir, one]));
    return toPhases(selectLines(toSessionIndex(session), {}) ?? [], new Map(), ending).map(({ client, server }) => [
      client,
      ...server,
    ]);
  };

  it.each([
    [
      [0, 61, 241],
      ['<id>', '<id>', '<id>'],
    ],
    [
      [5, 61],
      [5, '<id>'],
    ],
    [
      [0, 61, 5],
      ['<id>', 61, 5],
    ],
  ])('gives requests with the ids %j the ids %j', (ids, written) => {
    const sent = ids.map((id, t): [number, string, object] => [t, 'in', { id, method: `m${id}` }]);
    const lines = selectLines(toSessionIndex(sessionFrom(...sent)), {}) ?? [];
    const [{ values } = { values: [] }] = toPhases(lines, new Map(), 'unknown');
    expect(values.map(([, value]) => (value as { id: unknown }).id)).toEqual(written);
  });

  it('draws a row for the client and one for each lane of the server', () => {
    expect(tracks('unknown', ['in', request(0)], ['in', request(1)], ['out', answer(1)], ['out', answer(0)])).toEqual([
      [
        'pi--', //
        '---P',
        '--I-',
      ],
    ]);
  });

  it('ends the server only where it exited with code 0 after the end of the input', () => {
    const sent: [string, object | string][] = [
      ['in', request(0)],
      ['out', answer(0)],
      ['note', 'standard input closed'],
    ];
    expect(tracks('exitedWell', ...sent)).toEqual([['p-|', '-P-|']]);
    expect(tracks('unknown', ...sent)).toEqual([['p-|', '-P-']]);
    expect(tracks('exitedWell', ...sent.slice(0, 2))).toEqual([['p-', '-P']]);
  });

  it('writes no phase for no lines', () => {
    expect(toPhases([], new Map(), 'exitedWell')).toEqual([]);
  });
});

const requestOf = (text: string, more: Partial<LetterRequest> = {}): LetterRequest => ({
  side: 'client',
  text,
  preferred: '',
  inUse: [],
  ...more,
});

describe('takeLetter', () => {
  it('gives a text the same letter every time, and returns new letters', () => {
    const first = takeLetter(NO_LETTERS, requestOf('one', { preferred: 'Ping' }));
    expect(first).toMatchObject({ letter: 'p', isNew: true });
    expect(takeLetter(first.letters, requestOf('one'))).toEqual({ letters: first.letters, letter: 'p', isNew: false });
    expect(NO_LETTERS.taken.size).toBe(0);
  });

  it('takes the first preferred letter that is free, else the next of the alphabet, in the case of the side', () => {
    const { letters } = takeLetter(NO_LETTERS, requestOf('one', { preferred: 'p' }));
    expect(takeLetter(letters, requestOf('two', { preferred: 'pi' })).letter).toBe('i');
    expect(takeLetter(letters, requestOf('two', { preferred: 'p' })).letter).toBe('a');
    expect(takeLetter(letters, requestOf('two', { side: 'server', preferred: 'p' })).letter).toBe('P');
  });

  it('gives a text another letter while its first belongs to a request that waits', () => {
    const { letters } = takeLetter(NO_LETTERS, requestOf('one', { preferred: 'p' }));
    expect(takeLetter(letters, requestOf('one', { preferred: 'p', inUse: ['p'] }))).toMatchObject({
      letter: 'a',
      isNew: true,
    });
  });

  it.each(['client', 'server'] as const)(
    'has more letters for the %s than the alphabets, then names the remedy',
    (side) => {
      const texts = Array.from({ length: 400 }, (_, i) => `text ${i}`);
      const all = texts.reduce((letters, text) => takeLetter(letters, requestOf(text, { side })).letters, NO_LETTERS);
      expect(all.taken.size).toBe(400);
      const full = { ...all, taken: { has: () => true } as unknown as ReadonlySet<string> };
      expect(() => takeLetter(full, requestOf('one more', { side }))).toThrow('select a part of the session');
    },
  );
});

describe('keepLetters', () => {
  it('frees all letters but those that are kept, which stand for nothing any more', () => {
    const one = takeLetter(NO_LETTERS, requestOf('one', { preferred: 'p' })).letters;
    const two = takeLetter(one, requestOf('two', { preferred: 'q' })).letters;
    const kept = keepLetters(two, ['q']);
    expect(takeLetter(kept, requestOf('three', { preferred: 'p' })).letter).toBe('p');
    expect(takeLetter(kept, requestOf('two', { preferred: 'q' }))).toMatchObject({ letter: 'a', isNew: true });
  });
});

describe('hasFree', () => {
  it('counts the letters of the side that has fewer', () => {
    expect([hasFree(NO_LETTERS, 51), hasFree(NO_LETTERS, 52)]).toEqual([true, false]);
  });
});
