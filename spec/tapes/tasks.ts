/** A recorded session with a task, in which a client polls a server that asks. */
import type { Session } from '../../src/tapes/format/tape';
import { sessionFrom } from '../support/tapes';

export const request = (id: unknown, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });
export const response = (id: unknown, result: unknown) => ({ jsonrpc: '2.0', id, result });

const about = (taskId: string) => ({
  taskId,
  createdAt: '2026-11-29T10:00:00.000Z',
  lastUpdatedAt: '2026-11-29T10:00:01.000Z',
  ttlMs: null,
  pollIntervalMs: 100,
});

/** What a server says about a task in each state. */
export const states = (taskId = 'task-a1b2c3') => ({
  created: { resultType: 'task', status: 'working', ...about(taskId) },
  working: { status: 'working', statusMessage: 'thinking', ...about(taskId) },
  asks: {
    status: 'input_required',
    inputRequests: { 'key-7f3a9c': { method: 'elicitation/create' } },
    ...about(taskId),
  },
  done: { status: 'completed', result: { content: [] }, ...about(taskId) },
});

const { created, working, asks, done } = states();

export const call = (id: unknown) => request(id, 'tools/call', { name: 'codex' });
export const poll = (id: unknown, taskId = 'task-a1b2c3') => request(id, 'tasks/get', { taskId });
export const answer = (id: unknown, taskId = 'task-a1b2c3', key = 'key-7f3a9c') =>
  request(id, 'tasks/update', { taskId, inputResponses: { [key]: { action: 'accept' } } });

/** A call becomes a task, which works, asks at the second poll, and is done at the fourth. */
export const polled: Session = sessionFrom(
  [0, 'in', call(1)],
  [1, 'out', response(1, created)],
  [100, 'in', poll(2)],
  [101, 'out', response(2, working)],
  [200, 'in', poll(3)],
  [201, 'out', response(3, asks)],
  [300, 'in', answer(4)],
  [301, 'out', response(4, {})],
  [400, 'in', poll(5)],
  [401, 'out', response(5, working)],
  [500, 'in', poll(6)],
  [501, 'out', response(6, done)],
);
