import { toDiagram, toLegend } from '../../src/diagram';
import { colours, noColours } from '../../src/terminal';
import { mark } from '../app/demo/marks';

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

  it('goes on in further rows where the width is used up', () => {
    expect(toDiagram(session, { paint: noColours, width: 18 })).toEqual([
      'request  c--…',
      'answer   ---…',
      'event    -D-…',
      'question --Q…',
      '',
      'request   700ms -…',
      'answer    700ms -…',
      'event     700ms -…',
      'question  700ms y…',
      '',
      'request  -|',
      'answer   C|',
      'event    -|',
      'question -|',
    ]);
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
  it('names each marble once, in columns, by the order they came', () => {
    expect(toLegend([...session, session[1]!], { paint: noColours, width: 60 })).toEqual([
      'c tools/call codex            y yes',
      'D delta                       C tools/call codex, answered',
      'Q question',
    ]);
  });
});
