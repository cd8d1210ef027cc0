import { type Lane, type LanePair, pairLanes, type Side, toLanes } from '../../../src/tapes/diff/lanes';
import { INPUT_ENDED } from '../../../src/tapes/format/tape';
import type { Masks } from '../../../src/tapes/matching/mask';
import type { ClientLine } from '../../../src/tapes/session/sessionIndex';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const masks: Masks = { names: [], own: [] };
const event = (requestId: number, type: string) => ({
  method: 'codex/event',
  params: { _meta: { requestId }, msg: { type } },
});
const index = toSessionIndex(
  sessionFrom(
    [0, 'in', { id: 1, method: 'tools/call', params: { name: 'codex' } }],
    [1, 'out', { method: 'free' }],
    [2, 'in', { method: 'ready' }],
    [3, 'out', event(1, 'began')],
    [4, 'out', { id: 1, result: {} }],
    [5, 'note', INPUT_ENDED],
  ),
);
/** Label, line and lines of the server of each lane. */
const lanesWith = (own: Partial<Masks>) =>
  toLanes(index, { ...masks, ...own }).map(({ label, lineNumber, lines }) => [
    label,
    lineNumber,
    lines.map((line) => line.lineNumber),
  ]);

describe('toLanes', () => {
  it('gives each server line to the client line that it names, and the rest to none', () => {
    expect(lanesWith({})).toEqual([
      ['tools/call codex', 1, [4, 5]],
      ['ready', 3, []],
      ['what belongs to no request', 0, []],
      ['free outside of requests', 0, [2]],
    ]);
  });

  it.each<[string, unknown[]]>([
    [
      'began',
      [
        ['tools/call codex', 1, [5]],
        ['ready', 3, []],
        ['what belongs to no request', 0, []],
        ['free outside of requests', 0, [2]],
      ],
    ],
    [
      'ready',
      [
        ['tools/call codex', 1, [4, 5]],
        ['what belongs to no request', 0, []],
        ['free outside of requests', 0, [2]],
      ],
    ],
    [
      'free',
      [
        ['tools/call codex', 1, [4, 5]],
        ['ready', 3, []],
        ['what belongs to no request', 0, []],
      ],
    ],
  ])('leaves out what is ignored: %s', (label, lanes) => {
    expect(lanesWith({ ignored: { methods: [new RegExp(`^${label}$`)], paths: [] } })).toEqual(lanes);
  });

  it('has a lane for each kind of output of a program, which comes when it comes', () => {
    const output = (seq: number, category: string) => ({
      seq,
      jsonrpc: undefined,
      type: 'event',
      event: 'output',
      body: { category, output: 'x' },
    });
    const debugged = toSessionIndex(
      sessionFrom([0, 'out', output(1, 'stdout')], [1, 'out', output(2, 'stderr')], [2, 'out', output(3, 'stdout')]),
    );
    expect(toLanes(debugged, masks).map(({ label, lines }) => [label, lines.map((line) => line.lineNumber)])).toEqual([
      ['what belongs to no request', []],
      ["the program's output on stdout", [1, 3]],
      ["the program's output on stderr", [2]],
    ]);
  });
});

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
