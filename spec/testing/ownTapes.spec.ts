/** Every tape is written as a spec, which its own server passes and an altered one does not. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from '../../src/tapes/format/tape';
import { toSessionIndex } from '../../src/tapes/session/toSessionIndex';
import { writeSpec } from '../../src/tapes/specWriter/writeSpec';
import { serverOf, sessionOf } from '../support/tapes';
import { runSpec } from './written';

const tapes = process.env.TAPES ?? join(__dirname, '../fixtures/tapes');
const names = readdirSync(tapes).filter((name) => name.endsWith('.jsonl') && !name.includes('model-requests'));

const written = (name: string): { session: Session; text: string } => {
  const path = join(tapes, name);
  const session = sessionOf(path);
  const spec = writeSpec(
    toSessionIndex(session),
    {},
    { name, runner: 'node', subject: { kind: 'tape', path }, writer: 'codex-rx' },
  );
  return { session, text: spec.kind === 'spec' ? spec.text : spec.reason };
};

type Message = { method?: string; result?: object; error?: object };

const messageOf = (line: string): Message => {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
};

/** The session with another last answer of its server. */
const altered = ({ meta, entries }: Session): Session => {
  const isAnswer = ({ result, error }: Message): boolean => typeof (result ?? error) === 'object';
  const at = entries.findLastIndex(({ entry }) => entry.dir === 'out' && isAnswer(messageOf(entry.line)));
  expect(at).not.toBe(-1);
  return {
    meta,
    entries: entries.map((numbered, i) => {
      if (i !== at) return numbered;
      const { result, error, ...rest } = messageOf(numbered.entry.line);
      const body = result ? { result: { ...result, altered: true } } : { error: { ...error, altered: true } };
      return { ...numbered, entry: { ...numbered.entry, line: JSON.stringify({ ...rest, ...body }) } };
    }),
  };
};

describe('writeSpec', () => {
  it.each(names)('writes %s as a spec that its server passes', async (name) => {
    const { text } = written(name);
    const marbles = text.split('\n').filter((line) => /^ +(client:|server:|')/.test(line));
    expect(marbles.filter((line) => line.length > 120)).toEqual([]);
    await runSpec(text);
  });

  it.each(names)('writes %s as a spec that another server does not pass', async (name) => {
    const { session, text } = written(name);
    const server = serverOf(toSessionIndex(altered(session)), 'max', []);
    const message = await runSpec(text, server).then(
      () => 'passes',
      (error: Error) => error.message,
    );
    expect(message).toMatch(/altered: expected nothing, actual true/);
    const [expected = '', actual = '', mark = ''] = message
      .split('\n')
      .slice(-20)
      .filter((line) => /^ +(expected {2}|actual {4}|\^)/.test(line));
    expect([...expected][mark.indexOf('^')]).not.toBe([...actual][mark.indexOf('^')]);
  });
});
