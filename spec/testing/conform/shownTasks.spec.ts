/** What is wrong with a task as a server shows it. */
import { createdFault, detailedFault } from '../../../src/testing/conform/cases/tasks/rules';

const TIME = '2026-07-28T00:00:00.5+02:00';
const task = { taskId: 'a', status: 'working', createdAt: TIME, lastUpdatedAt: TIME, ttlMs: null };
const question = { method: 'roots/list' };

it.each([
  ['a task that works', task, undefined],
  ['a task with all members', { ...task, ttlMs: 5, pollIntervalMs: 1, statusMessage: 'now' }, undefined],
  ['no id', { ...task, taskId: '' }, 'its taskId is ""'],
  ['an unknown status', { ...task, status: 'paused' }, 'its status is "paused"'],
  ['a time of no day', { ...task, createdAt: '2026-07-28' }, 'its createdAt is "2026-07-28"'],
  ['a part of a millisecond', { ...task, ttlMs: 0.5 }, 'its ttlMs is 0.5'],
  ['a negative interval', { ...task, pollIntervalMs: -1 }, 'its pollIntervalMs is -1'],
])('createdFault reads %s', (_, value, fault) => expect(createdFault(value)).toBe(fault));

it.each([
  ['a result', { ...task, status: 'completed', result: {} }, undefined],
  ['no result', { ...task, status: 'completed' }, 'it is completed, but has no result'],
  ['a result too early', { ...task, result: {} }, 'it is working, but has a result or an error'],
  ['an error without a code', { ...task, status: 'failed', error: {} }, 'it has failed, but its error is {}'],
  ['a question', { ...task, status: 'input_required', inputRequests: { a: question } }, undefined],
  ['no question', { ...task, status: 'input_required' }, 'it is input_required, but has no inputRequests'],
  ['a question too early', { ...task, inputRequests: { a: question } }, 'it is working, but asks'],
  ['an unknown question', { ...task, status: 'input_required', inputRequests: { a: {} } }, 'the question "a" is {}'],
])('detailedFault reads %s', (_, value, fault) => expect(detailedFault(value)).toBe(fault));
