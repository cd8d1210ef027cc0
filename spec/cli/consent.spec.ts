import { PassThrough } from 'node:stream';
import { lastValueFrom } from 'rxjs';
import { askFirst } from '../../src/cli/consent';

const asked = {
  title: 'The tape does this',
  list: ['runs a', 'runs b\u001b[2J'],
  remedy: 'leave it',
  refusal: 'Nothing was started',
};

describe('askFirst', () => {
  it('shows the list, and goes on after a yes', async () => {
    const { shown, outcome } = ask({ answer: ' Yes' });
    expect(await outcome).not.toBeInstanceOf(Error);
    expect(shown()).toMatch(/^The tape does this:\n {2}runs a\n {2}runs b\\x1b\[2J\n/);
  });

  it.each(['', 'n', 'no', 'yess', 'ja'])('errors after %j', async (answer) => {
    expect(await ask({ answer }).outcome).toMatchObject({ name: 'TapeError', message: 'Nothing was started' });
  });

  it.each([
    ['an answer that is piped into it', { answer: 'y', isIn: false }],
    ['a list that nobody sees', { answer: 'y', isOut: false }],
  ])('errors without a terminal, also with %s', async (_, given) => {
    const { shown, outcome } = ask(given);
    expect(await outcome).toMatchObject({
      message: 'Nothing was started, because nobody can be asked here; leave it',
    });
    expect(shown()).toContain('runs a');
  });
});

type Given = { answer: string; isIn?: boolean; isOut?: boolean };

const ask = ({ answer, isIn = true, isOut = true }: Given) => {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  const shown: string[] = [];
  stderr.on('data', (chunk) => shown.push(String(chunk)));
  const terminal = { stdin: Object.assign(stdin, { isTTY: isIn }), stderr: Object.assign(stderr, { isTTY: isOut }) };
  const outcome = lastValueFrom(askFirst(terminal as never)(asked)).catch((error: Error) => error);
  stdin.write(`${answer}\n`);
  return { outcome, shown: () => shown.join('') };
};
