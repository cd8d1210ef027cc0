import { compare } from '../../../src/tapes/diff/compare';
import type { Session } from '../../../src/tapes/format/tape';
import { ALL_MASKS } from '../../../src/tapes/matching/mask';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { toEdits } from '../../../src/tapes/sessions/updateSession';
import { sessionFrom } from '../../support/tapes';

type Line = Parameters<typeof sessionFrom>[number];

const call = (t: number, id: number, more = {}): Line => [
  t,
  'in',
  { id, method: 'tools/call', params: { name: 'a', ...more } },
];
const answer = (t: number, id: number, result: unknown): Line => [t, 'out', { id, result }];
const note = (t: number, text: string): Line => [t, 'out', { method: 'note', params: { text } }];

/** What changes on a tape of `recorded` when a server now sends `now`. */
const edited = (recorded: Line[], now: Line[]) => {
  const [before, after] = [sessionFrom(...recorded), sessionFrom(...now)] as [Session, Session];
  const results = compare(toSessionIndex(before), toSessionIndex(after), ALL_MASKS);
  return [...toEdits(before, { now: after, results }, ALL_MASKS)].map(([line, entries]) => [
    line,
    entries.map(({ t, line: text }) => `${t} ${text}`),
  ]);
};

const recorded = [call(0, 1), answer(5, 1, 'a'), note(6, 'x'), call(10, 2), answer(15, 2, 'b')];

describe('toEdits', () => {
  it('changes nothing if nothing differs but times', () => {
    expect(edited(recorded, [call(1, 1), answer(9, 1, 'a'), note(9, 'x'), call(20, 2), answer(25, 2, 'b')])).toEqual(
      [],
    );
  });

  it('replaces a line that differs at its recorded time, and keeps all others', () => {
    expect(edited(recorded, [call(1, 1), answer(9, 1, 'a'), note(9, 'x'), call(20, 2), answer(25, 2, 'B')])).toEqual([
      [5, ['15 {"id":2,"result":"B"}']],
    ]);
  });

  it('takes lines away, and adds lines behind those of their kind', () => {
    expect(edited(recorded, [call(1, 1), answer(9, 1, 'a'), call(20, 2), answer(25, 2, 'b')])).toEqual([[3, []]]);
    const more = [call(1, 1), answer(9, 1, 'a'), note(9, 'x'), note(9, 'y'), call(20, 2), answer(25, 2, 'b')];
    expect(edited(recorded, more)).toEqual([
      [3, ['6 {"method":"note","params":{"text":"x"}}', '6 {"method":"note","params":{"text":"y"}}']],
    ]);
  });

  it('replaces the exit of the server', () => {
    const exit = (code: number): Line => [30, 'exit', { code, sig: null }];
    expect(edited([...recorded, exit(0)], [...recorded, exit(3)])).toEqual([[6, ['30 {"code":3,"sig":null}']]]);
  });

  it('replaces all lines if a value of a changed line is in an unchanged one', () => {
    const session = (handle: string, text: string): Line[] => [
      call(0, 1),
      answer(5, 1, { cursor: handle, text }),
      call(10, 2, { cursor: handle }),
      answer(15, 2, { of: handle }),
    ];
    const now = session('9f8e7d6c5b4a', 'new');
    const all = edited(session('a1b2c3d4e5f6', 'old'), now);
    expect(all[0]).toEqual([1, now.map(([t, , message]) => `${t} ${JSON.stringify(message)}`)]);
    expect(all.slice(1)).toEqual([
      [2, []],
      [3, []],
      [4, []],
    ]);
  });
});
