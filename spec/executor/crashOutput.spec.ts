import { addErrorOutput, afterFirstMessage, NO_OUTPUT, toCrashOutput } from '../../src/executor/endOf';

/** Error output by when it arrived, in ms. */
const outputOf = (...pieces: [atMs: number, text: string][]) =>
  pieces.reduce((output, [atMs, text]) => addErrorOutput(output, text, atMs), NO_OUTPUT);

describe('toCrashOutput', () => {
  it('quotes the lines of the last five seconds, whole where they came in pieces', () => {
    const output = afterFirstMessage(NO_OUTPUT);
    const printed = addErrorOutput(addErrorOutput(output, 'warning\nthread main ', 0), 'panicked\nnote', 6_000);
    expect(toCrashOutput(printed, 11_000)).toBe('thread main panicked\nnote');
    expect(toCrashOutput(printed, 11_001)).toBe('');
  });

  it('quotes all of a process that never sent a message', () => {
    expect(toCrashOutput(outputOf([0, 'no such '], [9, 'file\n']), 60_000)).toBe('no such file\n');
  });

  it('drops the whole lines before the first message', () => {
    const started = afterFirstMessage(outputOf([0, 'warning\nhalf a ']));
    const output = addErrorOutput(started, 'line\nerror\n', 1);
    expect(toCrashOutput(output, 1)).toBe('half a line\nerror\n');
  });

  it('keeps the last 2,600 characters and the rest of their first line, of a long line its end', () => {
    const many = outputOf(
      ...Array.from({ length: 9 }, (_, at): [number, string] => [at, `${at}`.repeat(400).concat('\n')]),
    );
    expect(toCrashOutput(many, 9)).toBe([2, 3, 4, 5, 6, 7, 8].map((at) => `${at}`.repeat(400).concat('\n')).join(''));
    expect(toCrashOutput(outputOf([0, `a${'b'.repeat(2_600)}`]), 0)).toBe('b'.repeat(2_600));
  });
});
