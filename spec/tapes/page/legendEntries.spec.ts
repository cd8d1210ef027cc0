import { legendEntries } from '../../../src/tapes/page/labels';

const joined = (...marks: [symbol: string, name: string][]): string[] =>
  legendEntries(marks.map(([symbol, name]) => ({ symbol, name }))).map(
    ({ signs, name }) => `${signs.map(({ symbol }) => symbol).join(' ')} ${name}`,
  );

describe('legendEntries', () => {
  it('joins a request and its response, a question and its answer, each letter once, in their order', () => {
    expect(
      joined(
        ['i', 'initialize'],
        ['n', 'note'],
        ['I', 'initialize'],
        ['i', 'initialize'],
        ['R', 'q'],
        ['r', 'response to q'],
      ),
    ).toEqual(['i I initialize', 'n note', 'R r q']);
  });

  it('takes names of members that every object has', () => {
    expect(joined(['a', '__proto__'], ['b', 'constructor'])).toEqual(['a __proto__', 'b constructor']);
    expect(joined()).toEqual([]);
  });
});
