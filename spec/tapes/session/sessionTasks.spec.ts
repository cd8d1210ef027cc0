import { polledStates, tasksOf } from '../../../src/tapes/session/sessionTasks';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';
import { call, polled, response, states } from '../tasks';

describe('tasksOf', () => {
  it('finds the call of a task, and the message that shows its end', () => {
    expect(tasksOf(toSessionIndex(polled))).toEqual([{ taskId: 'task-a1b2c3', call: 0, end: 11, outcome: 'answered' }]);
  });

  it.each([
    [{ status: 'completed', result: { isError: true } }, 'failed'],
    [{ status: 'failed', error: { code: 1, message: 'no' } }, 'failed'],
    [{ status: 'cancelled' }, 'cancelled'],
    [{ status: 'working' }, 'open'],
  ])('sees how a task ended that is pushed as %j: %s', (state, outcome) => {
    const push = { jsonrpc: '2.0', method: 'notifications/tasks', params: { taskId: 'task-a1b2c3', ...state } };
    const index = toSessionIndex(
      sessionFrom([0, 'in', call(1)], [1, 'out', response(1, states().created)], [2, 'out', push]),
    );
    expect(tasksOf(index)).toMatchObject([{ outcome }]);
  });

  it('finds none in calls that were answered by their results', () => {
    expect(tasksOf(toSessionIndex(sessionFrom([0, 'in', call(1)], [1, 'out', response(1, {})])))).toEqual([]);
  });
});

describe('polledStates', () => {
  it('names the state that each poll found, by line of the client', () => {
    expect([...polledStates(toSessionIndex(polled))].map(([line, { state }]) => [line, state])).toEqual([
      [1, 'working'],
      [2, 'input_required key-7f3a9c'],
      [4, 'working'],
      [5, 'completed'],
    ]);
  });
});
