import { taskChecker } from '../../../src/tapes/check/checkTasks';
import type { Session } from '../../../src/tapes/format/tape';
import { readParts } from '../../../src/tapes/session/readParts';
import { sessionFrom } from '../../support/tapes';
import { call, poll, polled, request, response, states } from '../tasks';

type Line = [t: number, dir: string, message: object];

const foundInParts = ({ meta, entries }: Session, maxEntries: number) => {
  const parts = readParts(meta, taskChecker(), { entries: maxEntries, chars: 1_000_000 });
  for (const one of entries) parts.add(one);
  return parts.end().map(({ rule, lineNumber, what, text }) => `${rule} ${lineNumber} ${what}: ${text}`);
};

const found = (...lines: Line[]) => foundInParts(sessionFrom(...lines), 1_000);

const created: Line[] = [
  [0, 'in', call(1)],
  [1, 'out', response(1, states().created)],
];

const unknown = (id: number): Line[] => [
  [2, 'in', poll(id, 'gone')],
  [3, 'out', { id, error: { code: -32602, message: 'no such task' } }],
];

describe('taskChecker', () => {
  it('finds a task that was not seen to end', () => {
    expect(found(...created)).toEqual([
      'hung 1 tools/call codex: its task was never seen to end; the last status was working',
    ]);
  });

  it('finds nothing in a task that ended, or that its client cancelled', () => {
    const cancel = request(2, 'tasks/cancel', { taskId: 'task-a1b2c3' });
    expect(found(...created, [2, 'in', cancel], [3, 'out', response(2, {})])).toEqual([]);
    expect(foundInParts(polled, 1_000)).toEqual([]);
  });

  it.each([1, 2, 3])('follows tasks through the parts of a large session: %i entries each', (size) => {
    const shown: Line = [4, 'out', { method: 'notifications/tasks', params: states().asks }];
    expect(foundInParts(polled, size)).toEqual([]);
    expect(foundInParts(sessionFrom(...created, ...unknown(2), ...unknown(3), shown), size)).toEqual([
      'hung 1 tools/call codex: its task was never seen to end; the last status was input_required',
      'hung 3 tasks/get: the server knows no task gone',
    ]);
  });

  it('finds polls of a task that the server does not know, once', () => {
    expect(found(...unknown(2), ...unknown(3))).toEqual(['hung 1 tasks/get: the server knows no task gone']);
  });
});
