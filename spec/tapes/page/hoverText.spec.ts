import { hoverOfCluster, hoverOfMarble } from '../../../src/tapes/page/hoverText';
import { modelOf } from './model';

const result = (text: string) => JSON.stringify({ id: 1, result: { content: [{ type: 'text', text }] } });
const model = modelOf(
  [
    { text: '{"id":1,"method":"tools/call","params":{"name":"echo","arguments":{}}}' },
    { lane: 1, at: 25, text: result('hello') },
    { text: '{"method":"ping"}' },
    { text: 'no JSON' },
    { text: '{"id":1,"error":{"code":-1,"message":"broken"}}' },
    { text: result('x'.repeat(400)) },
    { count: 2, text: '{"method":"d","params":{"delta":"a"}}' },
  ],
  [[0, 1, 0, 0]],
);

describe('hoverOfMarble', () => {
  it('has the name, the lane, the time, how long its call took, and the text in the message', () => {
    expect(hoverOfMarble(model, 0)).toEqual({
      title: 'ping',
      lines: ['client sends · at 0 ms · answered after 25 ms · line 2'],
      preview: 'name: "echo", arguments: {}',
    });
    expect(hoverOfMarble(model, 1)).toEqual({
      title: 'pong',
      lines: ['server responds · at 25 ms · took 25 ms · line 3'],
      preview: 'hello',
    });
  });

  it.each([
    [2, ''],
    [3, 'no JSON'],
    [4, 'broken'],
    [5, `${'x'.repeat(280)}…`],
    [6, 'delta: "a"'],
  ])('shows of marble %i the beginning', (marble, preview) => {
    expect(hoverOfMarble(model, marble).preview).toBe(preview);
  });

  it('counts the messages of a run', () => {
    expect(hoverOfMarble(model, 6).lines[0]).toMatch(/2 messages$/);
  });
});

describe('hoverOfCluster', () => {
  it('counts the names of its lane', () => {
    expect(hoverOfCluster(model, { first: 0, last: 6, lane: 0 })).toEqual({
      title: 'client sends',
      lines: ['0 ms to 60 ms'],
      preview: '6 × ping',
    });
  });

  it('lists five names, the most frequent first, and counts the rest', () => {
    const many = modelOf(Array.from({ length: 9 }, () => ({})));
    many.names.splice(0, 2, ...['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    many.marbles.name.splice(0, 9, 0, 1, 2, 3, 4, 5, 6, 6, 6);
    expect(hoverOfCluster(many, { first: 0, last: 8, lane: 0 }).preview.split('\n')).toEqual([
      ...['3 × g', '1 × a', '1 × b', '1 × c', '1 × d', 'and 2 more names'],
    ]);
  });
});
