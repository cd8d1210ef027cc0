import { mcpServer } from '../../../src/cli/commands/mcpServer';
import { type Changes, daemonOf, rerun } from '../../../src/cli/commands/rerun';
import { thisProcess } from '../../../src/cli/thisProcess';
import type { JsonObject } from '../../../src/protocol/jsonrpc/json';
import { givenBy, problemBy } from '../reading';

const chosen = (engine: string) => ({
  lineNumber: 2,
  entry: { t: 0, dir: 'out', seam: 'engine', call: 1, line: JSON.stringify({ engine, reason: 'it is there' }) },
});

const daemon = (
  args: string[],
  { meta = {}, engine, ...changes }: Partial<Changes> & { meta?: JsonObject; engine?: string } = {},
) => {
  const remarks: string[] = [];
  const given = {
    config: [],
    live: 'none' as const,
    remark: (text: string) => void remarks.push(text),
    read: mcpServer.read,
  };
  const entries = engine === undefined ? [] : [chosen(engine)];
  const command = ['codex-rx', 'mcp-server', '--record', 'tape.jsonl', ...args];
  return { ...daemonOf({ ...given, ...changes })({ meta: { command, ...meta }, entries }), remarks };
};

describe('rerun', () => {
  it('has nothing live by default', () => {
    expect(givenBy(rerun, 'tape.jsonl')).toMatchObject({ file: 'tape.jsonl', live: 'none', timeout: 10, config: [] });
    expect(givenBy(rerun, 'tape.jsonl', '--live', 'model', '-m', 'gpt-5')).toMatchObject({
      live: 'model',
      model: 'gpt-5',
    });
  });

  it.each([
    [['tape.jsonl', '-m', 'gpt-5'], '--model goes with --live model'],
    [['tape.jsonl', '--trust-tape'], '--trust-tape goes with --live'],
    [['tape.jsonl', '--unmask', 'none'], expect.stringContaining('--unmask')],
    [['tape.jsonl', '--live', 'network'], expect.stringContaining('--live')],
    [[], 'FILE is missing'],
  ])('refuses %j', (argv, problem) => {
    expect(problemBy(rerun, ...argv)).toEqual(problem);
  });
});

describe('daemonOf', () => {
  it('takes the native engine for auto, unless the choice is on the tape', () => {
    expect(daemon([]).options.engine).toBe('native');
    expect(daemon([], { engine: 'native' }).options.engine).toBe('auto');
    expect(daemon(['--engine', 'tape', '--tape', 'x']).options.engine).toBe('tape');
  });

  it('lets settings win over the recorded ones, and works in the recorded folder', () => {
    const { options, processInfo } = daemon(['-m', 'a', '-c', 'x=1'], {
      model: 'b',
      config: ['x=2'],
      meta: { cwd: '/w' },
    });
    expect(options).toMatchObject({ model: 'b', overrides: ['x=1', 'x=2'] });
    expect(processInfo.cwd).toBe('/w');
  });

  it('remarks on another CODEX_HOME, and only then', () => {
    expect(daemon([], { meta: { codexHome: '/other' } }).remarks).toEqual([
      expect.stringMatching(/^recorded with CODEX_HOME=\/other; the configuration is read from .* now$/),
    ]);
    expect(daemon([], { meta: { codexHome: thisProcess().codexHome } }).remarks).toEqual([]);
  });

  it.each<[string, () => unknown, string]>([
    ['an installed Codex that was named', () => daemon(['--engine', 'app-server']), 'engine app-server'],
    ['one that was chosen', () => daemon([], { engine: 'app-server' }), 'engine app-server'],
    [
      'a tape with a live seam',
      () => daemon(['--engine', 'tape', '--tape', 'x'], { live: 'model' }),
      'leave --live out',
    ],
    [
      'a server of somebody else',
      () =>
        daemonOf({ config: [], live: 'none', remark: () => {}, read: mcpServer.read })({
          meta: { command: ['node', 'x'] },
          entries: [],
        }),
      'needs one of codex-rx',
    ],
  ])('refuses the tape of %s', (_, make, text) => {
    expect(make).toThrow(text);
  });
});
