import { catchError, firstValueFrom, NEVER, type Observable, of, throwError } from 'rxjs';
import { codexElsewhere } from '../../../src/agent/elsewhere/codexElsewhere';
import { CannotBegin } from '../../../src/agent/turns/rejection';
import type { Reached } from '../../../src/executor/backend';
import type { ProcessSpec } from '../../../src/protocol/exec/process';
import type { Entry } from '../../../src/tapes/format/tape';
import { exited, failed, output } from '../../executor/events';
import { removeHomes } from '../../support/home';
import { marbles } from '../../support/marbles';
import { wired } from '../wiring/wiring';
import { machine, reaching, running } from './machine';

afterAll(removeHomes);

const TOML = '[[environments]]\nid = "box"\nurl = "ws://h"\ndefault_cwd = "/srv"\n';
const BOX = { environment: 'box' };
const hello = { kind: 'notification', method: 'hello', params: {} };

type Own = { overrides?: string[]; codex?: string; tape?: (entry: Partial<Entry>) => void };

const opened = (reach: Parameters<typeof reaching>[1], { tape, ...options }: Own = {}) => {
  const { home, wiring } = wired({ options });
  home.write('.codex/environments.toml', TOML);
  return codexElsewhere(reaching({ ...wiring, ...(tape && { tape }) } as typeof wiring, reach).wiring);
};
const failure = (reach: () => Observable<Reached>): Promise<unknown> =>
  firstValueFrom(opened(reach)(BOX)(NEVER)).catch((error) => error);

describe('codexElsewhere', () => {
  it('starts the Codex of that machine in the folder of its environment, with the overrides but those of ours', () => {
    const { executor, specs } = machine({ start: () => running() });
    const overrides = ['a.b=1', 'environment_id=box', 'allowed_environments = ["box"]'];
    opened(() => of({ executor }), { overrides, codex: undefined })(BOX)(NEVER)
      .subscribe()
      .unsubscribe();
    opened(() => of({ executor }), { overrides: ['environment_id=box'], codex: '/opt/codex' })(BOX)(NEVER)
      .subscribe()
      .unsubscribe();
    expect(specs.map(({ argv, cwd, elsewhere }) => ({ argv, cwd, elsewhere }))).toMatchObject([
      { argv: ['codex', 'app-server', '-c', 'a.b=1'], cwd: '/srv', elsewhere: { envPolicy: { inherit: 'all' } } },
      { argv: ['/opt/codex', 'app-server'], cwd: '/srv' },
    ]);
    expect((specs as [ProcessSpec])[0].elsewhere).not.toHaveProperty('sandbox');
  });

  it(
    'emits its messages, ends it when nobody listens, and errors when it ends',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const process = { read: () => NEVER, write: () => NEVER };
      const events = {
        s: { kind: 'started' as const, process: process as never },
        m: output(1, '{"method":"hello","params":{}}\n'),
        x: exited(2, 3),
        f: failed(3, 'lost'),
      };
      const [left$, lost$] = [cold('s-m----', events), cold('s-m-(f|)', events)];
      const lives = [left$, lost$];
      const { executor } = machine({ start: () => lives.shift() ?? NEVER });
      const transport = opened(() => of({ executor }))(BOX);
      expectObservable(transport(NEVER), '---!').toBe('--m', { m: hello });
      expectSubscriptions(left$.subscriptions).toBe('^--!');
      const ended = { m: hello, e: 'The codex app-server in the environment box could not be run: lost.' };
      expectObservable(transport(NEVER).pipe(catchError(({ message }) => of(message)))).toBe('--m-(e|)', ended);
    }),
  );

  it(
    'names the member of a pool in the error of its end',
    marbles(({ cold, expectObservable }) => {
      const { executor } = machine({ start: () => cold('--(f|)', { f: failed(3, 'lost') }) });
      const transport = opened(() => of({ executor, member: 'm' }))(BOX);
      const text = 'The codex app-server in the environment box, on m could not be run: lost.';
      expectObservable(transport(NEVER).pipe(catchError(({ message }) => of(message)))).toBe('--(e|)', { e: text });
    }),
  );

  it('cannot begin where its executor cannot be used, and where it has no folder', async () => {
    const { executor } = machine({ folders: [] });
    expect(await failure(() => of({ executor }))).toMatchObject({
      name: new CannotBegin('').name,
      message: expect.stringMatching(
        /^The environment `box` cannot be used: \/srv is not an existing folder there; .*\. Nothing was run on this machine\.$/,
      ),
    });
    const other = new Error('lost');
    expect(await failure(() => throwError(() => other))).toBe(other);
  });

  it('reaches the member of a pool where its place is', () => {
    const { executor } = machine({ start: () => running() });
    const reached: unknown[] = [];
    const codex = opened((...asked: unknown[]) => {
      reached.push(asked);
      return of({ executor, member: 'm' });
    });
    codex({ environment: 'box', executor: 'm' })(NEVER).subscribe().unsubscribe();
    expect(reached).toEqual([['box', 'm']]);
  });

  it('counts the processes of all lives together on a tape', () => {
    const { executor } = machine({ start: () => running() });
    const entries: Partial<Entry>[] = [];
    const codex = opened(() => of({ executor }), { tape: (entry) => void entries.push(entry) });
    for (const _ of [1, 2]) codex(BOX)(NEVER).subscribe().unsubscribe();
    const calls = entries.flatMap(({ seam, dir, call }) => (seam === 'executor' && dir === 'in' ? [call] : []));
    expect(new Set(calls).size).toBe(2);
  });
});
