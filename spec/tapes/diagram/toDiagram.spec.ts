import { colours, noColours } from '../../../src/io/terminal/paint';
import { toDiagram, toLegend } from '../../../src/tapes/diagram/toDiagram';
import { mark } from '../../cli/demo/marks';

const session = [
  mark({ lane: 'request', symbol: 'c', name: 'tools/call codex', atMs: 0 }),
  mark({ lane: 'event', symbol: 'D', name: 'delta', atMs: 10, untilMs: 300, count: 9 }),
  mark({ lane: 'question', symbol: 'Q', name: 'question', atMs: 310 }),
  mark({ lane: 'log', symbol: ' ', name: 'stderr', atMs: 311 }),
  mark({ lane: 'question', symbol: 'y', name: 'yes', atMs: 1010 }),
  mark({ lane: 'answer', symbol: 'C', name: 'tools/call codex', atMs: 1011 }),
];

describe('toDiagram', () => {
  it('gives each message a column and each lane a line; a pause stands on all of them', () => {
    expect(toDiagram(session, { paint: noColours, width: 60 })).toEqual([
      'request  c-- 700ms --|',
      'answer   --- 700ms -C|',
      'event    -D- 700ms --|',
      'question --Q 700ms y-|',
    ]);
  });

  it('goes on in further rows where the width is used up, without the lanes that rest there', () => {
    expect(toDiagram(session, { paint: noColours, width: 18 })).toEqual([
      'request  c--…',
      'event    -D-…',
      'question --Q…',
      '',
      'question  700ms y…',
      '',
      'answer   C|',
    ]);
  });

  it('keeps a lane on which a call waits, and all lanes beside a pause', () => {
    const waiting = new Set(['answer']);
    const marks = [
      mark({ lane: 'request', symbol: 'c', name: 'c', atMs: 0 }),
      ...[1, 2].map((i) => ({ ...mark({ lane: 'event', symbol: 'E', name: 'e', atMs: i }), waits: waiting })),
      mark({ lane: 'answer', symbol: 'C', name: 'c', atMs: 1_000_000 }),
    ];
    expect(toDiagram(marks, { paint: noColours, width: 13 })).toEqual([
      ...['request  c--…', 'answer   -==…', 'event    -EE…', ''],
      ...['request   999998ms …', 'answer    999998ms …', 'event     999998ms …', ''],
      'answer   C|',
    ]);
  });

  it('gives a wide letter two columns on every lane', () => {
    const marks = [
      mark({ lane: 'request', symbol: '가', name: 'a', atMs: 0 }),
      mark({ lane: 'answer', symbol: 'B', name: 'b', atMs: 1 }),
    ];
    expect(toDiagram(marks, { paint: noColours, width: 60 })).toEqual(['request  가-|', 'answer   --B|']);
  });

  it('draws nothing of nothing', () => {
    expect(toDiagram([], { paint: noColours, width: 60 })).toEqual([]);
  });

  it('paints lanes where colours are wanted', () => {
    const [line] = toDiagram(session.slice(0, 1), { paint: colours, width: 60 });
    expect(line).toBe('\u001b[36mrequest  c|\u001b[0m');
  });
});

describe('toLegend', () => {
  it('names each marble once, a request with its response, in columns, by the order they came', () => {
    expect(toLegend([...session, session[1]!], { paint: noColours, width: 60 })).toEqual([
      'c C tools/call codex   Q   question',
      'D   delta              y   yes',
    ]);
  });

  it('cuts names to the width', () => {
    for (const line of toLegend(session, { paint: noColours, width: 14 })) expect(line.length).toBeLessThanOrEqual(14);
  });

  it('paints each letter as its lane', () => {
    const [line] = toLegend(session, { paint: colours, width: 20 });
    expect(line).toMatch(/^\u001b\[36mc\u001b\[0m \u001b\[32mC\u001b\[0m tools/);
  });
});
