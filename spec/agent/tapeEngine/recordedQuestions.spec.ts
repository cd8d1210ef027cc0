import { askedByTask } from '../../../src/agent/tapeEngine/recordedQuestions';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';
import { answer, call, poll, request, response, states } from '../../tapes/tasks';

const params = { codex_elicitation: 'exec-approval', codex_call_id: 'c', codex_command: ['ls'], codex_cwd: '/' };
const msg = { type: 'exec_approval_request', call_id: 'c', command: ['ls'], cwd: '/' };

/** The state of a task that asks under these keys. */
const asking = (...keys: string[]) => ({
  ...states().asks,
  inputRequests: Object.fromEntries(keys.map((key) => [key, { method: 'elicitation/create', params }])),
});

const TASK = 'task-a1b2c3';

const asked = (...lines: [number, string, object][]) =>
  askedByTask(
    toSessionIndex(sessionFrom([0, 'in', call(1)], [1, 'out', response(1, states().created)], ...lines)),
    TASK,
  );

describe('askedByTask', () => {
  it('finds a question that was not answered, once', () => {
    const shown = { method: 'notifications/tasks', params: asking('k') };
    expect(asked([10, 'in', poll(2)], [11, 'out', response(2, asking('k'))], [12, 'out', shown])).toEqual([
      { msg, question: { decision: undefined }, t: 11 },
    ]);
  });

  it('takes the last answer of a question that was asked again', () => {
    const declined = request(5, 'tasks/update', { taskId: TASK, inputResponses: { l: { action: 'decline' } } });
    expect(
      asked(
        [10, 'in', poll(2)],
        [11, 'out', response(2, asking('k'))],
        [12, 'in', answer(3, TASK, 'k')],
        [13, 'in', poll(4)],
        [14, 'out', response(4, asking('l'))],
        [15, 'in', declined],
      ),
    ).toEqual([{ msg, question: { decision: 'denied' }, t: 14, answeredMs: 15 }]);
  });

  it('finds nothing in other tasks, and no question of another kind of server', () => {
    const other = { ...asking('k'), taskId: 'other' };
    const foreign = {
      ...asking(),
      inputRequests: { k: { method: 'elicitation/create', params: { message: 'Name?' } } },
    };
    expect(asked([11, 'out', response(2, other)], [12, 'out', response(3, foreign)])).toEqual([]);
  });
});
