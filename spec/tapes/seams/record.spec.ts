import { concat, defer, map, merge, NEVER, take } from 'rxjs';
import type { ModelDelta } from '../../../src/protocol/model/events';
import { startsInTurns } from '../../../src/streams/pausing';
import type { Entry, RecordedLine } from '../../../src/tapes/format/tape';
import { engineOf, record, recordPorts, recordTimers, recordWire, toSpecLine } from '../../../src/tapes/seams/record';
import { marbles } from '../../support/marbles';
import { text } from '../../support/models';

describe('recordPorts', () => {
  it(
    'records deltas that arrive together as a line each, and passes them on one by one',
    marbles(({ cold, expectObservable, flush }) => {
      const lines: string[] = [];
      const deltas = [text('a'), text('b')] as ModelDelta[];
      const { model } = recordPorts(({ dir, line }) => lines.push(`${dir} ${line}`));
      const answer$ = model(() => cold('-(d|)', { d: { kind: 'deltas', deltas } }))({} as never);
      expectObservable(answer$).toBe('-(ab|)', { a: text('a'), b: text('b') });
      flush();
      expect(lines).toEqual(['in {}', ...deltas.map((delta) => `out ${JSON.stringify(delta)}`)]);
    }),
  );

  it(
    'records the choice of an engine, which is no stop although only the first is taken',
    marbles(({ cold, expectObservable, flush }) => {
      const lines: string[] = [];
      const { choice } = recordPorts(({ dir, line }) => lines.push(`${dir} ${line}`));
      const native = { engine: 'native' as const, reason: 'r' };
      expectObservable(choice(cold('--c-', { c: native })).pipe(take(1))).toBe('--(c|)', { c: native });
      flush();
      expect(lines).toEqual(['in "auto"', `out ${JSON.stringify(native)}`]);
    }),
  );

  it(
    'records which member of a pool a thread gets, and what ends because it is unused',
    marbles(({ cold, expectObservable, flush }) => {
      const lines: string[] = [];
      const { reach, afterIdle } = recordPorts(({ seam, dir, line }) => lines.push(`${seam} ${dir} ${line}`));
      const m = { executor: {} as never, member: 'm' };
      expectObservable(reach(() => cold('-(m|)', { m }))('pool', undefined)).toBe('-(m|)', { m });
      expectObservable(afterIdle(3)).toBe('---(n|)', { n: 0 });
      flush();
      expect(lines).toEqual([
        'reach in ["pool",null]',
        'timer idle in null',
        'reach out {"member":"m"}',
        'timer idle out null',
      ]);
    }),
  );

  it('records when a turn begins, with what it does at once after it', () => {
    const lines: string[] = [];
    const waiting: (() => void)[] = [];
    const { starts, chance } = recordPorts(({ seam, dir, line }) => lines.push(`${seam} ${dir} ${line}`));
    const start = starts(startsInTurns({ now: () => 20 * lines.length, soon: (run) => waiting.push(run) }));
    const turn = (id: string) => start(defer(() => concat([chance('id', () => id)()], NEVER))).pipe(take(1)); // no stop
    merge(turn('a'), turn('b')).subscribe();
    expect(lines).toEqual([
      'timer start in null',
      'timer start out null',
      'chance out ["id","a"]',
      'timer start in null',
    ]);
    for (const run of waiting) run();
    expect(lines.slice(4)).toEqual(['timer start out null', 'chance out ["id","b"]']);
  });

  it('is no call where an environment is not configured', () => {
    const lines: string[] = [];
    const { reach } = recordPorts(({ line }) => lines.push(line));
    const plain = () => {
      throw new Error('not found');
    };
    expect(() => reach(plain)('moon', undefined)).toThrow('not found');
    expect(lines).toEqual([]);
  });

  it('writes no values of variables, and no argument that is secret by the option before it', () => {
    const argv = ['server', '--token', 'abc123', 'https://h/mcp?key=abc123', '-e', 'TOKEN=abc123', '--verbose'];
    const line = toSpecLine({ argv, cwd: '/w', env: { TOKEN: 'abc123' }, stdin: 'pipe' });
    expect(line).not.toContain('abc123');
    expect(JSON.parse(line)).toMatchObject({ cwd: '/w', env: ['TOKEN'] });
    expect(JSON.parse(line).argv).toEqual(expect.arrayContaining(['server', '--token', '--verbose']));
  });

  it('leaves the ports as they are without a tape', () => {
    const model = () => undefined as never;
    expect(recordPorts(undefined).model(model)).toBe(model);
  });
});

const toCapital = map((line: string) => line.toUpperCase());

describe('recordWire', () => {
  it(
    'records both sides, and that nobody reads any more',
    marbles(({ hot, expectObservable, flush }) => {
      const lines: string[] = [];
      const tape = ({ dir, line }: RecordedLine) => void lines.push(`${dir} ${line}`);
      expectObservable(hot('a-b').pipe(recordWire(tape)(toCapital)), '-!').toBe('A');
      flush();
      expect(lines).toEqual(['in a', 'out A', 'note standard output closed']);
    }),
  );

  it(
    'notes the end of the input only, where all was read',
    marbles(({ hot, expectObservable, flush }) => {
      const lines: string[] = [];
      const tape = ({ dir, line }: RecordedLine) => void lines.push(`${dir} ${line}`);
      expectObservable(hot('a|').pipe(recordWire(tape)(toCapital))).toBe('A|');
      flush();
      expect(lines).toEqual(['in a', 'out A', 'note standard input closed']);
    }),
  );
});

describe('recordTimers', () => {
  it(
    'notes each timer and when it is over, or given up',
    marbles(({ expectObservable, flush }) => {
      const lines: RecordedLine[] = [];
      const wait = recordTimers((line) => void lines.push(line));
      expectObservable(wait(3)).toBe('---(a|)', { a: 0 });
      expectObservable(wait(9), '-----!').toBe('-----');
      flush();
      expect(lines.map(({ seam, dir, line, call }) => `${seam} ${call} ${dir} ${line}`)).toEqual([
        'timer 3 1 in null',
        'timer 9 2 in null',
        'timer 3 1 out null',
        'timer 9 2 note stopped',
      ]);
    }),
  );
});

const chosen = (line: string, own: Partial<Entry> = {}) => ({
  t: 0,
  dir: 'out' as const,
  seam: 'engine',
  line,
  ...own,
});

const of = (...entries: Entry[]) => engineOf(entries.map((entry, i) => ({ lineNumber: i + 2, entry })));

describe('engineOf', () => {
  it('is the engine that was chosen first', () => {
    const asked = chosen('"auto"', { dir: 'in' });
    expect(of(asked, chosen('{"engine":"native","reason":"r"}'), chosen('{"engine":"tape"}'))).toBe('native');
  });

  it.each([
    ['nothing was recorded', []],
    ['the choice was not answered', [chosen('"auto"', { dir: 'in' })]],
    ['another seam was', [chosen('{"engine":"native"}', { seam: 'model' })]],
    ['it cannot be read', [chosen('{')]],
    ['it is no object', [chosen('"native"')]],
    ['it is no name', [chosen('{"engine":1}')]],
  ])('is unknown where %s', (_, entries) => {
    expect(of(...entries)).toBeUndefined();
  });
});

describe('record', () => {
  it(
    'passes each line and tapes it in the same instant',
    marbles(({ hot, expectObservable, flush }) => {
      const line$ = hot('  -a--b-|');
      const expected = '   -a--b-|';
      const taped: RecordedLine[] = [];
      expectObservable(line$.pipe(record((line) => taped.push(line), 'in'))).toBe(expected);
      flush();
      expect(taped).toEqual([
        { dir: 'in', line: 'a' },
        { dir: 'in', line: 'b' },
        { dir: 'note', line: 'standard input closed' },
      ]);
    }),
  );

  it(
    'tapes lines that leave together one by one',
    marbles(({ hot, expectObservable, flush }) => {
      const line$ = hot('  -a-|', { a: 'x\ny' });
      const expected = '   -a-|';
      const taped: RecordedLine[] = [];
      expectObservable(line$.pipe(record((line) => taped.push(line), 'out'))).toBe(expected, { a: 'x\ny' });
      flush();
      expect(taped).toEqual([
        { dir: 'out', line: 'x' },
        { dir: 'out', line: 'y' },
      ]);
    }),
  );

  it(
    'tapes no token of a login',
    marbles(({ hot, expectObservable, flush }) => {
      const answer = (authToken: string) => ({ jsonrpc: '2.0', id: 1, result: { authMethod: 'apikey', authToken } });
      const lines = [answer('sk-"1'), [answer('sk-2')]].map((one) => JSON.stringify(one)).join('\n');
      const taped: RecordedLine[] = [];
      const line$ = hot('-a-|', { a: lines });
      expectObservable(line$.pipe(record((line) => taped.push(line), 'out'))).toBe('-a-|', { a: lines });
      flush();
      const [one, two] = taped.map(({ line }) => JSON.parse(line));
      expect([one, two]).toEqual([answer('[redacted]'), [answer('[redacted]')]]);
    }),
  );

  it(
    'tapes no variable and no header of an MCP server of the client',
    marbles(({ hot, expectObservable, flush }) => {
      const opens = (value: string, odd: unknown) => ({
        id: 1,
        params: {
          mcpServers: [
            { name: 'a', command: 'a', args: [], env: [{ name: 'PLAIN', value }] },
            { name: 'h', url: 'u', headers: [{ name: 'X', value }] },
            { name: 'o', env: odd },
            null,
          ],
        },
      });
      const line = JSON.stringify(opens('blue', { PLAIN: 'blue' }));
      const taped: RecordedLine[] = [];
      expectObservable(hot('-a-|', { a: line }).pipe(record((one) => taped.push(one), 'in'))).toBe('-a-|', { a: line });
      flush();
      expect(JSON.parse(`${taped[0]?.line}`)).toEqual(opens('[redacted]', '[redacted]'));
    }),
  );

  it(
    'tapes no header of a gateway of the client',
    marbles(({ hot, expectObservable, flush }) => {
      const logsIn = (key: string) => ({
        id: 1,
        params: { methodId: 'gateway', _meta: { gateway: { baseUrl: 'https://a', headers: { Authorization: key } } } },
      });
      const line = JSON.stringify(logsIn('plain words'));
      const taped: RecordedLine[] = [];
      expectObservable(hot('-a-|', { a: line }).pipe(record((one) => taped.push(one), 'in'))).toBe('-a-|', { a: line });
      flush();
      expect(JSON.parse(`${taped[0]?.line}`)).toEqual(logsIn('[redacted]'));
    }),
  );

  it(
    'tapes neither headers nor the key in the address of a provider of the client',
    marbles(({ hot, expectObservable, flush }) => {
      const sets = (key: string, login: string) => ({
        id: 1,
        method: 'providers/set',
        params: { baseUrl: `https://${login}@a/v1?key=${key}`, headers: { 'x-key': key } },
      });
      const line = JSON.stringify(sets('plain', 'me:words'));
      const taped: RecordedLine[] = [];
      expectObservable(hot('-a-|', { a: line }).pipe(record((one) => taped.push(one), 'in'))).toBe('-a-|', { a: line });
      flush();
      expect(JSON.parse(`${taped[0]?.line}`)).toEqual(sets('[redacted]', '[redacted]'));
    }),
  );

  it(
    'is never, empty and broken as its source is',
    marbles(({ cold, expectObservable }) => {
      const passing = record(() => {}, 'out');
      expectObservable(cold<string>('---').pipe(passing)).toBe('---');
      expectObservable(cold<string>('--|').pipe(passing)).toBe('--|');
      expectObservable(cold<string>('--#').pipe(passing)).toBe('--#');
    }),
  );
});
