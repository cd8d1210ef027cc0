import { catchError, NEVER, type Observable, of, throwError } from 'rxjs';
import { examineElsewhere } from '../../../src/cli/doctor/checkSettings';
import type { ProcessSpec } from '../../../src/protocol/exec/process';
import { machine, reaching } from '../../agent/elsewhere/machine';
import { config } from '../../agent/support';
import { wired } from '../../agent/wiring/wiring';
import { closed, exited } from '../../executor/events';
import { removeHomes } from '../../support/home';
import { marbles } from '../../support/marbles';

afterAll(removeHomes);

const settings = config({ environmentId: 'box', cwd: '/srv' });
const examined = (reach: Parameters<typeof reaching>[1]) =>
  examineElsewhere(reaching(wired().wiring, reach).wiring, settings);
/** A machine whose sandbox ends a command with this exit code. */
const ending = (exitCode: number) => machine({ start: () => of(exited(1, exitCode), closed(2)) });
/** One whose sandbox works, and may write in no folder. */
const readOnly = () => machine({ start: ({ argv }) => of(exited(1, argv.includes('/srv') ? 1 : 0), closed(2)) });
const found = {
  w: { text: 'box: threads work in /srv, linux; its sandbox works' },
  m: { text: 'box, on m: threads work in /srv, linux; its sandbox works' },
  o: {
    text: 'box: threads work in /srv, linux; its sandbox works, but nothing can be written in /srv',
    remedy:
      'start its exec-server with --root /srv, give its user the right to write there, or name a folder of its roots by cwd',
  },
  r: {
    text: 'box: threads work in /srv, linux',
    remedy: 'on the executor: its sandbox does not start a command (exit code 1)',
  },
};

describe('examineElsewhere', () => {
  it(
    'emits where threads work, and that a sandbox could be made there',
    marbles(({ expectObservable }) => {
      const { executor, specs } = ending(0);
      expectObservable(examined(() => of({ executor }))).toBe('(w|)', found);
      expectObservable(examined(() => of({ executor, member: 'm' }))).toBe('(m|)', found);
      expect(specs).toEqual([]); // nothing before it is asked
    }),
  );

  it(
    'emits the remedy where a sandbox can be made, in which nothing can be written in the folder of threads',
    marbles(({ expectObservable }) => {
      const { executor } = readOnly();
      expectObservable(examined(() => of({ executor }))).toBe('(o|)', found);
    }),
  );

  it(
    'emits the remedy where none can be made for threads that may write',
    marbles(({ flush, expectObservable }) => {
      const { executor, specs } = ending(1);
      expectObservable(examined(() => of({ executor }))).toBe('(r|)', found);
      flush();
      expect(JSON.stringify((specs as [ProcessSpec])[0].elsewhere?.sandbox)).toContain('"write"');
    }),
  );

  it(
    'errors where threads cannot work there, and where nothing comes within 30 s',
    marbles(({ expectObservable }) => {
      const reasonOf = (result$: Observable<unknown>) => result$.pipe(catchError(({ message }) => of(message)));
      const gone = 'The environment `box` cannot be used: gone. Nothing was run on this machine.';
      expectObservable(reasonOf(examined(() => throwError(() => new Error('gone'))))).toBe('(g|)', { g: gone });
      expectObservable(reasonOf(examined(() => NEVER))).toBe('30s (t|)', { t: 'Timeout has occurred' });
    }),
  );
});
