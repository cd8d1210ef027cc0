import { catchError, NEVER, of } from 'rxjs';
import { keyOfCall, tapePorts } from '../../../src/app/rerun/tapePorts';
import type { ModelRequest } from '../../../src/protocol/model';
import type { Recorded, RerunPlan } from '../../../src/rerun';
import { marbles } from '../../support/marbles';

const key = (argv: string[], more: object = {}) =>
  keyOfCall({ seam: 'executor', line: JSON.stringify({ argv, cwd: '/w', env: [], ...more }) });

describe('keyOfCall', () => {
  it('compares command and folder of a process, not the descriptors of the daemon that starts it', () => {
    const sandboxed = (descriptor: string) => key(['bash', descriptor, 'ls']);
    expect(sandboxed('/proc/17752/fd/18')).toBe(sandboxed('/proc/14323/fd/19'));
    expect(sandboxed('/proc/1/fd/2')).not.toBe(sandboxed('/proc/1/status'));
    expect(key(['ls'], { env: ['A'] })).toBe(key(['ls']));
    expect(key(['ls'], { cwd: '/x' })).not.toBe(key(['ls']));
    expect(key(['ls'])).not.toBe(key(['pwd']));
  });

  it('compares requests at other seams as they are', () => {
    expect(keyOfCall({ seam: 'model', line: '{"a":1}' })).toBe('{"a":1}');
  });
});

describe('the model', () => {
  it('errors with the reason at a request that was not recorded', () =>
    marbles(({ expectObservable }) => {
      const answers = { ask: () => of<Recorded>({ kind: 'unrecorded' }), respond: () => {}, call$: NEVER };
      const ports = tapePorts(answers, { drawn: new Map() } as unknown as RerunPlan, 'executor');
      const text = expect.stringMatching(/^the tape has no answer of the model to this request: .* differs/);
      const E = expect.objectContaining({ message: text, retryable: false });
      expectObservable(
        ports
          .model(() => NEVER)({} as ModelRequest)
          .pipe(catchError((error) => of(error))),
      ).toBe('(E|)', { E });
    })());
});

describe('the choice of an engine', () => {
  const choice = { engine: 'app-server', reason: 'a Codex is there' };
  const entry = (dir: 'in' | 'out'): Recorded => ({
    kind: 'entry',
    entry: { t: 0, dir, line: JSON.stringify(choice) },
  });
  const none = { engine: 'native', reason: expect.stringMatching(/./) };

  it.each<[string, Recorded, string, object]>([
    ['is the recorded one', entry('out'), '(c|)', { c: choice }],
    ['is none where the recording ended at the question', entry('in'), '|', {}],
    ['is the native engine where none was recorded', { kind: 'unrecorded' }, '(c|)', { c: none }],
  ])('%s', (_, recorded, expected, values) =>
    marbles(({ expectObservable }) => {
      const answers = { ask: () => of(recorded), respond: () => {}, call$: NEVER };
      const ports = tapePorts(answers, { drawn: new Map() } as unknown as RerunPlan, 'none');
      expectObservable(ports.choice(NEVER)).toBe(expected, values);
    })(),
  );
});
