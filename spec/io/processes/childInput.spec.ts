import { Writable } from 'node:stream';
import { closeInput, writeInput } from '../../../src/io/processes/fromChild';

/** An input whose writes end when `release` is called, as those of a pipe do when somebody reads. */
const slowInput = () => {
  const releases: ((error?: Error) => void)[] = [];
  const stdin = new Writable({ write: (_chunk, _encoding, done) => void releases.push(done) });
  return { stdin, release: (error?: Error) => releases.shift()?.(error) };
};

const written = (stdin: Writable | null) => {
  const seen: string[] = [];
  writeInput(stdin, Buffer.from('a')).subscribe({
    next: (status) => seen.push(status),
    complete: () => seen.push('|'),
  });
  return seen;
};

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('writeInput', () => {
  it('emits accepted once the bytes were taken', async () => {
    const { stdin, release } = slowInput();
    const seen = written(stdin);
    await turn();
    expect(seen).toEqual([]);
    release();
    await turn();
    expect(seen).toEqual(['accepted', '|']);
  });

  it.each<[string, (stdin: Writable, release: (error?: Error) => void) => void]>([
    ['a write that fails', (stdin, release) => stdin.on('error', () => {}) && release(new Error('EPIPE'))],
    [
      'a write that is under way when the process ends',
      (stdin, release) => {
        stdin.destroy();
        release();
      },
    ],
  ])('emits stdinClosed for %s', async (_, end) => {
    const { stdin, release } = slowInput();
    const seen = written(stdin);
    end(stdin, release);
    await turn();
    expect(seen).toEqual(['stdinClosed', '|']);
  });

  it.each([
    ['no input', null],
    ['an input that has ended', new Writable({ write: () => {} }).end()],
  ])('emits stdinClosed at once for %s', (_, stdin) => {
    expect(written(stdin)).toEqual(['stdinClosed', '|']);
  });
});

describe('closeInput', () => {
  it('ends an input, once', () => {
    const { stdin } = slowInput();
    expect([closeInput(stdin), closeInput(stdin), closeInput(null)]).toEqual([
      'accepted',
      'stdinClosed',
      'stdinClosed',
    ]);
  });
});
