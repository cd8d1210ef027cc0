import { concat, defer, EMPTY, lastValueFrom, NEVER, type Observable, of, Subject } from 'rxjs';
import { enginesOf } from '../../../src/app/engines/engines';
import { examineEngine, examineNats, examineOwnServer, examineSandbox } from '../../../src/cli/doctor/checkMachine';
import type { Backend, Started } from '../../../src/executor/backend';
import type { SessionSandbox } from '../../../src/executor/sandbox/openSandboxes';
import type { NatsLink } from '../../../src/fleet/link/natsLink';
import { NatsError } from '../../../src/io/nats/natsAddress';
import type { ProcessEvent } from '../../../src/protocol/exec/process';
import { silentLog } from '../../../src/protocol/log';
import { type Given, scriptedToml, wired } from '../../agent/wiring/wiring';
import { removeHomes } from '../../support/home';
import { marbles } from '../../support/marbles';

afterAll(removeHomes);

const found = (given: Given) => lastValueFrom(examineEngine(enginesOf(wired(given).wiring)));

/** A server that gives these results by method, a frame after it is asked; it answers nothing else. */
const serverWith = (
  results: Record<string, object>,
  delayed: (event: ProcessEvent, emit: (event: ProcessEvent) => void) => void,
): Backend => ({
  start: () =>
    defer(() => {
      const event$ = new Subject<ProcessEvent>(); // the wire from its input to its output
      let seq = 0;
      const answer = (line: string) => {
        const { id, method } = JSON.parse(line);
        const result = results[method];
        if (result === undefined) return;
        const chunk = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
        delayed({ kind: 'output', stream: 'stdout', chunk, seq: ++seq } as ProcessEvent, (event) => event$.next(event));
      };
      const write = (bytes: Uint8Array) =>
        defer(() => {
          for (const line of Buffer.from(bytes).toString().trim().split('\n')) answer(line);
          return of('accepted' as const);
        });
      const process = { write, closeStdin: () => EMPTY, read: () => NEVER, signal: () => EMPTY };
      return concat(of({ kind: 'started', process } as unknown as Started), event$);
    }),
});

const processInfo = { cwd: '/', env: {} } as never;

const deps = { argv: ['codex-rx', 'mcp-server'], processInfo, log: silentLog };

const HANDSHAKE = { initialize: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} } };

type Ready = SessionSandbox['ready$'];

const readiness = { r: { kind: 'ready' }, m: { kind: 'missing', remedy: 'apt install bubblewrap' } };

const events = {
  s: { kind: 'started' },
  e: { kind: 'output', seq: 1, stream: 'stderr', chunk: Buffer.from('line 5: /held: Permission denied\nmore\n') },
  x: { kind: 'exited', seq: 2, exitCode: 0 },
  y: { kind: 'exited', seq: 2, exitCode: 1 },
  z: { kind: 'closed', seq: 3 },
  f: { kind: 'failed', seq: 1, reason: 'the sandbox could not be made: /w has become a link' },
};

const warning = (text: string, remedy: string) => ({ state: 'warning', text, remedy });

const results = {
  W: { text: 'works' },
  N: warning('none works, so commands are asked about', 'apt install bubblewrap'),
  P: warning('no command can run in it', 'line 5: /held: Permission denied'),
  C: warning('no command can run in it', 'it ended with exit code 1'),
  F: warning('no command can run in it', 'the sandbox could not be made: /w has become a link'),
};

describe('examineEngine', () => {
  it('names the engine that is chosen, and why', async () => {
    expect(await found({ toml: scriptedToml })).toEqual({
      text: 'native: the model provider script is scripted',
      ms: expect.any(Number),
    });
  });

  it('is a fault if the native engine is chosen and has no key for its model', async () => {
    const remedy =
      'codex-rx login, or a model provider in config.toml; or correct --codex or CODEX_BIN, then restart this server';
    expect(await found({})).toMatchObject({ state: 'fault', remedy });
  });

  it('is a warning with a remedy if an installed Codex is passed over', async () => {
    expect(await found({ processInfo: { env: { PATH: '', OPENAI_API_KEY: 'sk-spec' } } })).toEqual({
      state: 'warning',
      text: 'native: the codex that was named is not there: /no/codex; the model provider openai can be used',
      remedy: 'to use the installed Codex, correct --codex or CODEX_BIN, then restart this server',
      ms: expect.any(Number),
    });
  });

  it('names the variable that a provider takes its key from if it is not set', async () => {
    const toml = [
      'model_provider = "local"',
      '[model_providers.local]',
      'name = "Local"',
      'base_url = "http://localhost:8080/v1"',
      'env_key = "LOCAL_API_KEY"',
    ].join('\n');
    const remedy =
      'set LOCAL_API_KEY where the server is started, as in env of the entry of its client; or correct --codex or CODEX_BIN, then restart this server';
    expect(await found({ toml })).toMatchObject({ state: 'fault', remedy });
  });
});

describe('examineOwnServer', () => {
  it.each([
    ['names the tools', { tools: [{ name: 'codex' }, { name: 'codex-reply' }] }, 'codex, codex-reply'],
    ['names a tool of no shape by a question mark', { tools: [7] }, '?'],
    ['names none where there is no list', {}, ''],
  ])('%s, once the server has answered twice', (_, tools, names) =>
    marbles(({ cold, expectObservable }) => {
      const backend = serverWith({ ...HANDSHAKE, 'tools/list': tools }, (event, emit) => {
        cold('-e', { e: event }).subscribe(emit);
      });
      const found = { text: `answers, with the tools ${names}`, ms: expect.any(Number) };
      expectObservable(examineOwnServer({ ...deps, backend })).toBe('--(f|)', { f: found });
    })(),
  );

  it(
    'errors if it answers nothing for ten seconds, and ends it',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const process = { write: () => of('accepted'), closeStdin: () => EMPTY, read: () => NEVER, signal: () => EMPTY };
      const life$ = cold<Started | ProcessEvent>('s', { s: { kind: 'started', process } as unknown as Started });
      const late = expect.objectContaining({ name: 'TimeoutError' });
      expectObservable(examineOwnServer({ ...deps, backend: { start: () => life$ } })).toBe('10s #', {}, late);
      expectSubscriptions(life$.subscriptions).toBe('^ 9999ms !');
    }),
  );

  it(
    'errors if it cannot be run',
    marbles(({ cold, expectObservable }) => {
      const failed = { kind: 'failed', reason: 'No such file or directory' } as unknown as ProcessEvent;
      const none = expect.objectContaining({ message: 'The server could not be run: No such file or directory.' });
      const backend: Backend = { start: () => cold<ProcessEvent>('-f|', { f: failed }) };
      expectObservable(examineOwnServer({ ...deps, backend })).toBe('--#', {}, none);
    }),
  );
});

describe('examineSandbox', () => {
  it.each([
    ['works if a command in it does', '--(r|)', 's-xz|', '------(W|)'],
    ['shows what a command printed that failed', '--(r|)', 's-e(yz|)', '-----(P|)'],
    ['shows the exit code of a command that failed in silence', '--(r|)', 's-(yz|)', '----(C|)'],
    ['shows why none could be made for a command', '--(r|)', '(f|)', '--(F|)'],
    ['names what helps if none works, and runs nothing', '--(m|)', '#', '--(N|)'],
    ['takes the last state', 'm-r-|', '(xz|)', '----(W|)'],
    ['passes an error on', '--#', '#', '--#'],
  ])('%s', (_, ready, run, expected) =>
    marbles(({ cold, expectObservable }) => {
      const asSet = { start: () => cold(run, events) } as unknown as Backend;
      const sandbox = { ready$: cold(ready, readiness) as Ready, asSet, cwd: '/w' };
      expectObservable(examineSandbox(sandbox)).toBe(expected, results);
    })(),
  );

  it(
    'errors after ten seconds without an answer',
    marbles(({ cold, expectObservable }) => {
      const late = expect.objectContaining({ name: 'TimeoutError' });
      const asSet = { start: () => cold('-') } as unknown as Backend;
      const ready$ = cold('(r|)', readiness) as Ready;
      expectObservable(examineSandbox({ ready$, asSet, cwd: '/w' })).toBe('10s #', {}, late);
    }),
  );
});

describe('examineNats', () => {
  const linkTo = (found$: Observable<unknown>): Observable<NatsLink> => {
    const findStream = (name: string) => (name === 'p-tapes' ? found$ : NEVER);
    return concat(of({ address: 'nats://s', prefix: 'p', findStream } as unknown as NatsLink), NEVER);
  };

  const resultOf = (text: string) => ({ text: `nats://s answers, ${text}`, ms: expect.any(Number) });

  const results = {
    T: resultOf('with JetStream, and with tapes'),
    N: resultOf('with JetStream, and without tapes'),
    R: resultOf('and lets this login read no tapes'),
  };

  it.each([
    ['finds tapes', '--(t|)', '--(T|)', undefined],
    ['finds none', '--(n|)', '--(N|)', undefined],
    ['names a login that may not read them', '--#', '--(R|)', new NatsError('refused', 'no')],
  ])('%s', (_, found, expected, error) =>
    marbles(({ cold, expectObservable }) => {
      const found$ = cold(found, { t: {}, n: undefined }, error);
      expectObservable(examineNats(linkTo(found$))).toBe(expected, results);
    })(),
  );

  it(
    'errors with a server that has no JetStream or is not there, and after ten seconds',
    marbles(({ cold, expectObservable }) => {
      const none = new NatsError('failed', 'JetStream is not enabled');
      expectObservable(examineNats(linkTo(cold('-#', {}, none)))).toBe('-#', {}, none);
      const away = new NatsError('unreachable', 'no server');
      expectObservable(examineNats(cold<NatsLink>('--#', {}, away))).toBe('--#', {}, away);
      const late = expect.objectContaining({ name: 'TimeoutError' });
      expectObservable(examineNats(linkTo(NEVER))).toBe('10s #', {}, late);
    }),
  );
});
