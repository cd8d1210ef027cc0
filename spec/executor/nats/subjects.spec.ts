import fc from 'fast-check';
import { execSubjects, fromToken, isExecutorName, lastToken, toToken } from '../../../src/executor/nats/subjects';

describe('toToken', () => {
  it('makes one token of any text, which fromToken reads back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const token = toToken(text);
        expect(token).toMatch(/^[\w=-]+$/);
        expect(fromToken(token)).toBe(Buffer.from(text).toString());
      }),
    );
  });

  it('makes none of a text that no server takes', () => {
    expect(() => toToken('x'.repeat(1_025))).toThrow(/too long: 1024/);
    expect(() => toToken('é'.repeat(600))).toThrow(/too long/);
    expect(toToken('x'.repeat(1_024))).toHaveLength(1_024);
  });

  it('leaves a plain text as it stands', () => {
    expect(toToken('codex-rx-1')).toBe('codex-rx-1');
  });
});

describe('isExecutorName', () => {
  it.each<[string, boolean]>([
    ['build-1', true],
    ['a'.repeat(64), true],
    ['a'.repeat(65), false],
    ['', false],
    ['a.b', false],
    ['a b', false],
    ['*', false],
    ['>', false],
  ])('of %s', (name, expected) => {
    expect(isExecutorName(name)).toBe(expected);
  });
});

describe('execSubjects', () => {
  it('keeps what an executor serves and stores under its own name', () => {
    const own = execSubjects('p');
    const name = { executor: 'e', instance: 'i', connection: 'c' };
    expect([own.status('e'), own.pool('l'), own.calls(name), own.callsOfAll(name), own.client('c')]).toEqual([
      'p.exec.e',
      'p.pool.l',
      'p.exec.e.i.c',
      'p.exec.e.i.*',
      'p.client.c',
    ]);
    expect([own.events('e', 's', 'a.b'), own.eventsOfSession('e', 's'), own.eventsOfAll('e'), own.stream('e')]).toEqual(
      ['p.events.e.s.=YS5i', 'p.events.e.s.*', 'p.events.e.>', 'p-exec-e'],
    );
    expect(lastToken(own.events('e', 's', 'p1'))).toBe('p1');
  });
});
