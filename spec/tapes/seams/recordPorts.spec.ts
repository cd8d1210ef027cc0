import { take } from 'rxjs';
import type { ModelDelta } from '../../../src/protocol/model/events';
import { recordPorts, toSpecLine } from '../../../src/tapes/seams/recordPorts';
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
