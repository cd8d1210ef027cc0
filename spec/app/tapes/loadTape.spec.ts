import { Readable } from 'node:stream';
import { firstValueFrom, NEVER } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { foldAll } from '../../../src/app/tapes/foldTape';
import {
  type LoadDeps,
  loadItems,
  loadLines,
  loadSession,
  loadSessions,
  remarkProgress,
} from '../../../src/app/tapes/loadTape';

const META = '{"meta":{"version":1}}';
const entry = (t: number) => `{"t":${t},"dir":"in","line":"{}"}`;
const deps = (...lines: string[]) => {
  const remarks: string[] = [];
  const text = lines.map((line) => `${line}\n`).join('');
  const load: LoadDeps = {
    stdin: Readable.from([Buffer.from(text)]),
    remark: (remark) => void remarks.push(remark),
    nats: () => NEVER,
  };
  return { load, remarks };
};
const timesOf = ({ entries }: { entries: readonly { entry: { t: number } }[] }) => entries.map(({ entry: { t } }) => t);

describe('remarkProgress', () => {
  it('names every ten seconds how much has been read', () => {
    const remarks: string[] = [];
    const testScheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected));
    testScheduler.run(({ cold, expectObservable }) => {
      const chunks = { a: new Uint8Array(2_000_000) };
      const chunk$ = cold('a 9s a 999ms a a 9s a 999ms (a|)', chunks);
      const marbles = '    a 9s a 999ms a a 9s a 999ms (a|)';
      expectObservable(chunk$.pipe(remarkProgress(11_500_000, (text) => remarks.push(text)))).toBe(marbles, chunks);
    });
    expect(remarks).toEqual(['6 of 12 MB have been read', '12 of 12 MB have been read']);
  });
});

describe('loadSession', () => {
  it('takes the last session, and remarks that there are others', async () => {
    const { load, remarks } = deps(META, entry(1), META, entry(2));
    expect(timesOf(await firstValueFrom(loadSession(load, '-', undefined)))).toEqual([2]);
    expect(remarks).toEqual(['- holds 2 sessions; this is the last, --session N picks another']);
  });

  it('takes the session of a number, without a remark', async () => {
    const { load, remarks } = deps(META, entry(1), META, entry(2));
    expect(timesOf(await firstValueFrom(loadSession(load, '-', 1)))).toEqual([1]);
    expect(remarks).toEqual([]);
  });

  it.each([
    ['nothing', [], undefined, '- holds no tape: none of its lines is an entry; codex-rx record makes a tape'],
    ['no such session', [META, entry(1)], 2, '- holds 1 session; it has no session 2'],
    ['an empty session', [META, entry(1), META], 2, '-: session 2 holds no entry'],
  ])('errors where there is %s', async (_, lines, number, message) => {
    await expect(firstValueFrom(loadSession(deps(...lines).load, '-', number))).rejects.toThrow(message);
  });

  it('errors for a file that cannot be read', async () => {
    const read = firstValueFrom(loadSession(deps().load, '/no/tape.jsonl', undefined));
    await expect(read).rejects.toThrow('/no/tape.jsonl cannot be read');
  });
});

describe('loadSessions', () => {
  const lines = [META, entry(1), META, META, entry(3)];

  it('has all that hold an entry, with their numbers', async () => {
    const sessions = await firstValueFrom(loadSessions(deps(...lines).load, { path: '-', number: undefined }));
    expect(sessions.map(({ number, session }) => [number, timesOf(session)])).toEqual([
      [1, [1]],
      [3, [3]],
    ]);
  });

  it('has one by its number', async () => {
    const sessions = await firstValueFrom(loadSessions(deps(...lines).load, { path: '-', number: 3 }));
    expect(sessions.map(({ number, session }) => [number, timesOf(session)])).toEqual([[3, [3]]]);
  });

  it.each<[string, string[], string | undefined]>([
    [
      'a line that cannot be read',
      [META, entry(1), '=======', entry(2)],
      '- is damaged: line 3 is cut off or not JSON',
    ],
    ['a last line that was never part of a tape', [META, entry(1), '>>>>>>> b'], '- is damaged: line 3 is cut off'],
    ['a session that was cut off before another', [META, '{"t":1,"dir":"in', META, entry(1)], '- is damaged: line 2'],
    ['a last line that was cut off', [META, entry(1), '{"t":2,"dir":"in","li'], undefined],
  ])('take a damaged tape only if they may: %s', async (_, lines, message) => {
    const choice = { path: '-', number: undefined };
    const counting = () => ({ add: () => {}, end: () => 1 });
    const whole = firstValueFrom(loadSessions(deps(...lines).load, choice, '--allow damaged'));
    const folded = firstValueFrom(foldAll(deps(...lines).load, { ...choice, whole: '--allow damaged' }, counting));
    for (const read of [whole, folded])
      if (message === undefined) await expect(read).resolves.toHaveLength(1);
      else await expect(read).rejects.toThrow(message);
    await expect(firstValueFrom(loadSessions(deps(...lines).load, choice))).resolves.toHaveLength(1);
    await expect(firstValueFrom(foldAll(deps(...lines).load, choice, counting))).resolves.toHaveLength(1);
  });

  it('errors if none holds an entry', async () => {
    const read = firstValueFrom(loadSessions(deps(META).load, { path: '-', number: undefined }));
    await expect(read).rejects.toThrow('-: session 1 holds no entry');
  });
});

describe('loadItems', () => {
  it('remarks on lines that cannot be used, ten at most, and counts the rest', async () => {
    const { load, remarks } = deps(META, ...Array(12).fill('no JSON'));
    expect(await firstValueFrom(loadItems(load, '-'))).toHaveLength(13);
    expect(remarks).toHaveLength(11);
    expect(remarks[0]).toMatch(/^-:2: /);
    expect(remarks.at(-1)).toBe('-: 2 more lines cannot be used as they are');
  });

  it('remarks on ten of ten, and counts none', async () => {
    const { load, remarks } = deps(META, ...Array(10).fill('no JSON'));
    await firstValueFrom(loadItems(load, '-'));
    expect(remarks).toHaveLength(10);
  });
});

describe('loadLines', () => {
  it('has the lines of any file', async () => {
    expect(await firstValueFrom(loadLines(deps('a', 'b').load, '-'))).toEqual(['a', 'b']);
  });
});
