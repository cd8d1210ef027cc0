import { CannotBegin, noThreadText, rejection, rejectionText } from '../../../src/agent/turns/rejection';
import { ConfigError } from '../../../src/settings/faults/configError';
import { call } from './support';

const uuid = '0199a213-81c0-7800-8aa1-bbab2a035a53';

describe('rejection', () => {
  it('is the event of a call that cannot begin', () => {
    expect(rejection(call('a'), 'no')).toEqual({ kind: 'rejected', callId: 'a', message: 'no' });
  });
});

describe('rejectionText', () => {
  const textOf = (error: Error) => {
    const logged: unknown[][] = [];
    return { text: rejectionText((...record) => void logged.push(record), call('a'), error), logged };
  };

  it.each<[string, Error, string]>([
    [
      'names wrong settings',
      new ConfigError('model: expected string'),
      'Failed to load Codex configuration: model: expected string',
    ],
    ['takes an error that explains itself as it is', new CannotBegin('no codex'), 'no codex'],
  ])('%s, and logs nothing', (_, error, text) => {
    expect(textOf(error)).toEqual({ text, logged: [] });
  });

  it('logs a bug with its stack', () => {
    const bug = new TypeError('boom');
    expect(textOf(bug)).toEqual({
      text: 'internal error: boom',
      logged: [['error', 'a call could not begin because of a bug', { callId: 'a', stack: bug.stack }]],
    });
  });
});

describe('noThreadText', () => {
  it.each([
    [{ id: 'n1' }, 'Session not found for thread_id: n1. Start one with the tool codex.'],
    [{ id: uuid.toUpperCase() }, `Session not found for thread_id: ${uuid}. Start one with the tool codex.`],
    [
      { newest: true } as const,
      'There is no thread on this connection yet. Start one with the tool codex, or pass a threadId.',
    ],
  ])('names for %j what to do instead', (ref, text) => {
    expect(noThreadText(ref)).toBe(text);
  });
});
