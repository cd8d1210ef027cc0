import { switchMap } from 'rxjs';
import type { Started } from '../../../src/executor/backend';
import { limitProcesses } from '../../../src/executor/server/processLimits';
import type { ProcessEvent } from '../../../src/protocol/exec/process';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';
import { marbles } from '../../support/marbles';
import { closed } from '../events';
import { calm } from './support';

const spec = { argv: ['p'], cwd: '/', env: {} };
const life: Record<string, Started | ProcessEvent> = { s: { kind: 'started', process: calm }, z: closed(1) };
const full = new RpcError(-32600, 'too many processes: 1 run already');

describe('limitProcesses', () => {
  it(
    'lets so many run at once on all backends, and gives a seat on after the close and when one is left',
    marbles(({ cold, hot, expectObservable }) => {
      const { limit: share } = limitProcesses(1);
      const one = share({ start: () => cold('s---z---', life) });
      const other = share({ start: () => cold('s--', life) });
      const begin = (at: string) => hot(at, { b: 0 });
      expectObservable(one.start(spec)).toBe('s---z---', life);
      expectObservable(other.start(spec)).toBe('#', life, full);
      expectObservable(begin('-----b').pipe(switchMap(() => other.start(spec))), '-------!').toBe('-----s', life);
      expectObservable(begin('------b').pipe(switchMap(() => one.start(spec)))).toBe('------#', life, full);
      expectObservable(begin('--------b').pipe(switchMap(() => one.start(spec)))).toBe('--------s---z', life);
    }),
  );
});
