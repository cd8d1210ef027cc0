import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastValueFrom, NEVER, of } from 'rxjs';
import { isStory, loadStory, type StoryTime, storyTime } from '../../../src/cli/tapes/loadStory';
import { openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

const tape = (name: string, started: string) =>
  [
    { meta: { started, server: { name } } },
    { t: 0, dir: 'in', line: '{"id":1,"method":"ping"}' },
    { t: 5, dir: 'out', line: '{"id":1,"result":{}}' },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

const ROLLOUT = [
  {
    timestamp: '2026-11-30T10:00:00.000Z',
    type: 'session_meta',
    payload: { id: '0199aaaa-0000-7000-8000-000000000000', timestamp: '2026-11-30T10:00:00.000Z' },
  },
  { timestamp: '2026-11-30T10:00:01.000Z', type: 'event_msg', payload: { type: 'user_message', message: 'go' } },
  { timestamp: '2026-11-30T10:00:02.000Z', type: 'event_msg', payload: { type: 'agent_message', message: 'done' } },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');

const folder = () => {
  const path = openHome().work;
  mkdirSync(join(path, 'sub'));
  writeFileSync(join(path, 'docs.jsonl'), tape('docs', '2026-11-30T10:00:00.000Z'));
  writeFileSync(join(path, 'sub', 'old.jsonl'), tape('old', '2026-11-29T10:00:00.000Z'));
  writeFileSync(join(path, 'sub', 'rollout-2026-11-30.jsonl'), ROLLOUT);
  writeFileSync(join(path, 'undated.jsonl'), '{"meta":{}}\n{"t":0,"dir":"in","line":"{}"}\n');
  return path;
};

const ALL: StoryTime = storyTime({}, 0);

const load = async (paths: readonly string[], time = ALL) => {
  const remarks: string[] = [];
  const session = {
    meta: { started: '2026-11-30T11:00:00.000Z', thread: '0199bbbb' },
    entries: [{ lineNumber: 2, entry: { t: 0, dir: 'out', line: '{}' } }],
  };
  const deps = {
    stdin: process.stdin,
    nats: () => NEVER,
    remark: (text: string) => remarks.push(text),
    threadOf: (ref: string) => (ref === '0199bbbb' ? of(session) : undefined),
  };
  const parts = await lastValueFrom(loadStory(deps, paths, time));
  return { parts: parts.map(({ name, tape: file }) => `${name} of ${file}`), remarks };
};

describe('loadStory', () => {
  it('takes the tapes and rollouts of a folder, and threads', async () => {
    expect(await load([folder(), '0199bbbb'])).toEqual({
      parts: [
        'docs of docs.jsonl',
        'old of sub/old.jsonl',
        'agent 0199aaaa of sub/rollout-2026-11-30.jsonl',
        'agent 0199bbbb of 0199bbbb',
      ],
      remarks: ['1 session without a date cannot be drawn on a time line'],
    });
  });

  it('takes a day of it, and does not read files that are older', async () => {
    const path = folder();
    writeFileSync(join(path, 'damaged.jsonl'), 'no tape');
    utimesSync(join(path, 'damaged.jsonl'), new Date('2026-11-01'), new Date('2026-11-01'));
    const { parts } = await load([path], storyTime({ day: '2026-11-30' }, 0));
    expect(parts).toEqual(['docs of docs.jsonl', 'agent 0199aaaa of sub/rollout-2026-11-30.jsonl']);
  });

  it('has a remedy if nothing lies within the time', async () => {
    await expect(load([folder()], storyTime({ day: '2026-10-01' }, 0))).rejects.toThrow(
      /no session lies within the time; --day and --since name another$/,
    );
  });
});

describe('isStory', () => {
  it.each([
    [{ file: __filename, more: [] }, false],
    [{ file: '-', more: [] }, false],
    [{ file: __dirname, more: [] }, true],
    [{ file: 'a', more: ['b'] }, true],
    [{ file: 'a', more: [], since: '8h' }, true],
  ])('of %j is %j', (choice, expected) => expect(isStory(choice)).toBe(expected));
});

describe('storyTime', () => {
  it('is a day, or from an age on, or all', () => {
    const from = Date.parse('2026-11-30');
    expect(storyTime({ day: '2026-11-30' }, 0)).toEqual({ fromMs: from, untilMs: from + 86_400_000 });
    expect(storyTime({ since: '8h' }, from).fromMs).toBe(from - 8 * 3_600_000);
    expect(ALL).toEqual({ fromMs: Number.NEGATIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY });
  });
});
