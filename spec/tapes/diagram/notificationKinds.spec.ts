import { kindOf, kindsWithLane, nameOf } from '../../../src/tapes/diagram/notificationKinds';

describe('nameOf', () => {
  it.each([
    ['codex/event', { msg: { type: 'task_started' } }, 'task_started'],
    ['codex/event/task_started', {}, 'task_started'],
    ['notifications/progress', {}, 'progress'],
    ['item/started', {}, 'item/started'],
    ['notifications/', {}, 'notifications/'],
  ])('of %s is its event, else its method without the common prefix', (method, params, name) => {
    expect(nameOf(method, params)).toBe(name);
  });
});

describe('kindOf', () => {
  it.each([
    ['exec_command_begin', 'exec'],
    ['item/started', 'item'],
    ['/x', 'x'],
    ['', ''],
  ])('of %s is its first part', (name, kind) => {
    expect(kindOf(name)).toBe(kind);
  });
});

describe('kindsWithLane', () => {
  it('are all of eight, and the seven most common of more', () => {
    const counts = (many: number) => new Map(Array.from({ length: many }, (_, i) => [`k${i}`, i]));
    expect(kindsWithLane(counts(8)).size).toBe(8);
    expect([...kindsWithLane(counts(9))]).toEqual(['k8', 'k7', 'k6', 'k5', 'k4', 'k3', 'k2']);
  });
});
