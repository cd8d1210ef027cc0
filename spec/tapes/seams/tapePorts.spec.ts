import { catchError, NEVER, of } from 'rxjs';
import type { ModelRequest } from '../../../src/protocol/model/request';
import type { Recorded } from '../../../src/tapes/rerun/answerCalls';
import type { RerunPlan } from '../../../src/tapes/rerun/rerunPlan';
import { tapePorts } from '../../../src/tapes/seams/tapePorts';
import { marbles } from '../../support/marbles';

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
