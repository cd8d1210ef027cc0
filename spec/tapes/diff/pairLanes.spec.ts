import { type LanePair, pairLanes, type Side } from '../../../src/tapes/diff/compare';
import type { Lane } from '../../../src/tapes/diff/toLanes';
import type { ClientLine } from '../../../src/tapes/session/sessionIndex';

/** A lane of the client line `text`, whose meaning is its first letter; '' is the lane that belongs to none. */
const lane = (text: string): Lane => ({
  label: text,
  lineNumber: 1,
  lines: [],
  ...(text !== '' && { client: { line: text } as ClientLine }),
});
const side = (asked: string[], ...texts: string[]): Side => ({
  lanes: texts.map(lane),
  comparer: {
    handles: () => new Map(),
    linesOf: () => [],
    keyOf: ({ line }) => {
      asked.push(line);
      return line.charAt(0);
    },
  },
});
const shown = ({ recorded, now }: LanePair) => `${recorded?.label ?? '-'} ${now?.label ?? '-'}`;
const paired = (recorded: string[], now: string[]) => pairLanes(side([], ...recorded), side([], ...now)).map(shown);

describe('pairLanes', () => {
  it.each<[string, string[], string[], string[]]>([
    ['lines of one meaning', ['a1', 'b1'], ['b2', 'a2'], ['a1 a2', 'b1 b2']],
    ['the same bytes before the same meaning', ['a1', 'a2'], ['a2', 'a1'], ['a1 a1', 'a2 a2']],
    ['the n-th with the n-th', ['a', 'a'], ['a', 'a', 'a'], ['a a', 'a a', '- a']],
    ['nothing with what stands alone', ['a1', 'c1'], ['b1'], ['a1 -', 'c1 -', '- b1']],
    ['what belongs to no request', ['a1', ''], ['', 'a2'], ['a1 a2', ' ']],
  ])('pairs %s', (_, recorded, now, pairs) => {
    expect(paired(recorded, now)).toEqual(pairs);
  });

  it('has an empty lane beside one that belongs to no line of the client', () => {
    const printed: Lane = { label: 'output', lineNumber: 0, lines: [{} as Lane['lines'][number]] };
    const empty = { ...printed, lines: [] };
    const [one, other] = [{ ...side([]), lanes: [printed] }, side([])];
    expect(pairLanes(one, other)).toEqual([{ recorded: printed, now: empty }]);
    expect(pairLanes(other, one)).toEqual([{ recorded: empty, now: printed }]);
  });

  it('asks for no meaning where the bytes are the same', () => {
    const asked: string[] = [];
    pairLanes(side(asked, 'a1', 'b1'), side(asked, 'a1', 'b2'));
    expect(asked.sort()).toEqual(['b1', 'b2']);
  });
});
