import { checkTasks } from '../../../src/tapes/check/checkTasks';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';
import { call, poll, polled, request, response, states } from '../tasks';

type Line = [t: number, dir: string, message: object];

const found = (...lines: Line[]) =>
  checkTasks(toSessionIndex(sessionFrom(...lines))).map(
    ({ rule, lineNumber, what, text }) => `${rule} ${lineNumber} ${what}: ${text}`,
  );

const created: Line[] = [
  [0, 'in', call(1)],
  [1, 'out', response(1, states().created)],
];

const unknown = (id: number): Line[] => [
  [2, 'in', poll(id, 'gone')],
  [3, 'out', { id, error: { code: -32602, message: 'no such task' } }],
];

describe('checkTasks', () => {
  it('finds a task that was not seen to end', () => {
    expect(found(...created)).toEqual([
      'hung 1 tools/call codex: its task was never seen to end; the last status was working',
    ]);
  });

  it('finds nothing in a task that ended, or that its client cancelled', () => {
    const cancel = request(2, 'tasks/cancel', { taskId: 'task-a1b2c3' });
    expect(found(...created, [2, 'in', cancel], [3, 'out', response(2, {})])).toEqual([]);
    expect(checkTasks(toSessionIndex(polled))).toEqual([]);
  });

  it('finds polls of a task that the server does not know, once', () => {
    expect(found(...unknown(2), ...unknown(3))).toEqual(['hung 1 tasks/get: the server knows no task gone']);
  });
});
