import {
  CannotBegin,
  noThreadText,
  rejection,
  rejectionText,
  reportFault,
  unusableEnvironment,
} from '../../../src/agent/turns/rejection';
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

const reported = (error: NodeJS.ErrnoException) => {
  const records: unknown[] = [];
  const text = reportFault((...record) => records.push(record), { what: 'a turn failed', callId: 'c' }, error);
  return { text, records };
};

describe('reportFault', () => {
  it('takes an error for a bug, and logs its stack', () => {
    const error = new TypeError('x is not a function');
    expect(reported(error)).toEqual({
      text: 'internal error: x is not a function',
      records: [['error', 'a turn failed because of a bug', { callId: 'c', stack: error.stack }]],
    });
  });

  it('adds the remedy to what this machine refuses', () => {
    const error = Object.assign(new Error("EMFILE: too many open files, open '/a'"), { code: 'EMFILE' });
    const text =
      "EMFILE: too many open files, open '/a'; this process has too many open files: raise the limit (ulimit -n)";
    expect(reported(error)).toEqual({ text, records: [['error', 'a turn failed', { callId: 'c', reason: text }]] });
  });

  it('leaves a text that has the remedy as it is', () => {
    const message = '/a cannot be written: the disk is full: free some space';
    expect(reported(Object.assign(new Error(message), { code: 'ENOSPC' })).text).toBe(message);
  });
});

describe('unusableEnvironment', () => {
  it('names the environment, the reason, what to do, and that nothing ran here', () => {
    expect(unusableEnvironment('box', new Error('lost'))).toEqual(
      new CannotBegin('The environment `box` cannot be used: lost. Nothing was run on this machine.'),
    );
    expect(unusableEnvironment('box', new Error('lost'), 'Start it again.').message).toBe(
      'The environment `box` cannot be used: lost. Start it again. Nothing was run on this machine.',
    );
  });
});
