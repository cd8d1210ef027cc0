import { PassThrough } from 'node:stream';
import { concat, defer, firstValueFrom, of, toArray } from 'rxjs';
import { askPerson, lineOf, toShownLine } from '../../../src/cli/client/person';
import { marbles } from '../../support/marbles';

const question = (requestedSchema: object) => ({
  kind: 'request' as const,
  id: 0,
  method: 'elicitation/create',
  params: { message: 'May it run?', requestedSchema },
});

const decision = question({
  type: 'object',
  properties: {
    decision: {
      type: 'string',
      oneOf: [
        { const: 'approved', title: 'Run it' },
        { const: 'denied', title: 'Do not run it' },
      ],
    },
  },
});

const accepted = (value: string) => ({ action: 'accept', content: { decision: value } });
const declined = { action: 'decline' };

/** What is shown, with the lines that are typed one after another. */
const asked = async (given: typeof decision, ...lines: (string | undefined)[]) => {
  const shown: string[] = [];
  const line$ = defer(() => of(lines.shift()));
  const result = await firstValueFrom(askPerson({ show: (text) => shown.push(text), line$ })(given));
  return { result, shown: shown.join('') };
};

const warned = (reason: string): string =>
  `2026-11-29T17:08:34.965Z warning a turn goes on with a warning callId=1 threadId=T reason=${reason}`;

describe('askPerson', () => {
  it('shows the choices, and takes a number', async () => {
    expect(await asked(decision, '2')).toEqual({
      result: accepted('denied'),
      shown: '\nMay it run?\n  1  Run it\n  2  Do not run it\nYour choice (1 to 2; Enter declines): ',
    });
  });

  it.each([
    [['1'], accepted('approved')],
    [[' yes '], accepted('approved')],
    [['n'], declined],
    [[''], declined],
    [[undefined], declined],
    [['9', 'x', '-1', '1.5', '1'], accepted('approved')],
  ])('takes %j', async (lines, result) => {
    expect((await asked(decision, ...lines)).result).toEqual(result);
  });

  it('takes the choices of older revisions', async () => {
    const older = question({ properties: { go: { enum: ['a', 'b'] } } });
    expect((await asked(older, '2')).result).toEqual({ action: 'accept', content: { go: 'b' } });
  });

  it.each([
    [{}],
    [{ properties: { name: { type: 'string' } } }],
    [{ properties: { a: { enum: ['x'] }, b: { enum: ['y'] } } }],
  ])('declines the form %j, which it cannot fill in', async (schema) => {
    const { result, shown } = await asked(question(schema));
    expect(result).toEqual(declined);
    expect(shown).toContain('cannot be filled in here');
  });

  it(
    'waits for the person, and stops early',
    marbles(({ cold, expectObservable }) => {
      const deps = { show: () => {}, line$: cold('---1|', { 1: '1' }) };
      expectObservable(askPerson(deps)(decision)).toBe('---A|', { A: accepted('approved') });
      expectObservable(askPerson(deps)(decision), '--!').toBe('---');
    }),
  );
});

describe('lineOf', () => {
  it('reads one line after another, and undefined at the end', async () => {
    const input = new PassThrough();
    const line$ = lineOf(input);
    const lines = firstValueFrom(concat(line$, line$, line$).pipe(toArray()));
    for (const text of ['a\n', 'b\n', '']) {
      await new Promise((resolve) => setImmediate(resolve));
      if (text === '') input.end();
      else input.write(text);
    }
    expect(await lines).toEqual(['a', 'b', undefined]);
  });
});

describe('toShownLine', () => {
  it.each([
    [
      '"MCP client for `a` failed to start: \\"a\\" is not there."',
      'MCP client for `a` failed to start: "a" is not there.',
    ],
    ['"reason=\\"b\\" \\u001b[31mred"', 'reason="b" \\x1b[31mred'],
  ])('shows of a warning its reason: %s', (reason, expected) =>
    expect(toShownLine(warned(reason))).toBe(`warning: ${expected}`),
  );

  it.each([warned('"cut'), warned('short'), '2026-11-29T17:08:34.965Z error it broke reason="a b"', 'a warning', ''])(
    'shows other lines as they are: %s',
    (line) => expect(toShownLine(line)).toBe(line),
  );

  it.each([
    'error a turn failed callId=1',
    'warning a call could not begin',
    'warning the engine is chosen engine=native',
  ])('shows nothing of a line whose reason is in the result: %s', (line) =>
    expect(toShownLine(`2026-11-29T17:08:34.965Z ${line} reason="no model"`)).toBeUndefined(),
  );
});
