import { formatOf, sessionImporter } from '../../../src/tapes/import/importSession';
import { importTwice } from '../../../src/tapes/import/importTwice';
import { marbles } from '../../support/marbles';

const lines: Record<string, string> = {
  h: JSON.stringify({ timestamp: '2026-11-22T00:00:00.000Z', type: 'session_meta', payload: { id: 'T' } }),
  u: JSON.stringify({ type: 'event_msg', payload: { type: 'user_message', message: 'hi' } }),
  a: JSON.stringify({ type: 'event_msg', payload: { type: 'agent_message', message: 'ho' } }),
};

const importer = () => {
  const format = formatOf([lines.h as string], 'rollout');
  if (format === undefined) throw new Error('a rollout is a format');
  return sessionImporter(format, 'spec', () => {});
};

const texts = (...parts: string[]) =>
  parts.map((part) =>
    expect.objectContaining({ entry: expect.objectContaining({ line: expect.stringContaining(part) }) }),
  );

describe('importTwice', () => {
  it(
    'reads the lines twice, and emits the items of each line of the second reading as it comes',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const line$ = cold('-hua|', lines);
      expectObservable(importTwice(line$, importer())).toBe('----BHUA(E|)', {
        B: [expect.objectContaining({ kind: 'meta' }), ...texts('initialize', 'serverInfo', 'initialized')],
        H: [],
        U: texts('tools/call', 'session_configured'),
        A: texts('agent_message'),
        E: texts('"content":"ho"', ''),
      });
      expectSubscriptions(line$.subscriptions).toBe(['^---!', '----^---!']);
    }),
  );

  it(
    'errors with a reading',
    marbles(({ cold, expectObservable }) => {
      expectObservable(importTwice(cold('-h-#', lines), importer())).toBe('---#');
    }),
  );
});
