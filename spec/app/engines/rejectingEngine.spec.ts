import { NEVER } from 'rxjs';
import { rejectingEngine } from '../../../src/app/engines/lazyEngine';
import type { Op } from '../../../src/protocol/codex/operations';
import { turn } from '../../agent/wiring/wiring';
import { marbles } from '../../support/marbles';

const ops: Record<string, Op> = { t: turn('hi'), i: { kind: 'interrupt', callId: 'c' } };
const events = { T: { kind: 'rejected', callId: 'c', message: 'no engine' } };

describe('rejectingEngine', () => {
  it.each([
    ['rejects every call', 't-t|', 'T-T|'],
    ['has nothing to answer to an interrupt', 'ti-|', 'T--|'],
    ['goes on as its operations do', '----', '----'],
    ['errors with them', 't#', 'T#'],
  ])('%s', (_, input, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(rejectingEngine('no engine')(() => NEVER)(hot(input, ops))).toBe(expected, events);
    })(),
  );
});
