import fc from 'fast-check';
import {
  changesOf,
  commandOf,
  durationOf,
  invocationOf,
  parsedOf,
  splitCommand,
  summaryOf,
} from '../../../../src/agent/appServer/items/items';
import { ItemParams, read } from '../../../../src/agent/appServer/shapes';
import type { FileChanges } from '../../../../src/protocol/codex/eventMsg';

const item = (own: object) => read(ItemParams, { item: own }).item;
const change = (path: string, kind: object, diff = 'd') => ({ path, kind, diff });

describe('commandOf', () => {
  it('is the command as words', () => {
    expect(commandOf({ command: "bash -lc 'ls -l'" })).toEqual(['bash', '-lc', 'ls -l']);
  });
});

describe('parsedOf', () => {
  it.each([
    [
      { type: 'read', command: 'cat a', name: 'a' },
      { type: 'read', cmd: 'cat a', name: 'a' },
    ],
    [
      { type: 'listFiles', command: 'ls', path: 'p' },
      { type: 'list_files', cmd: 'ls', path: 'p' },
    ],
    [
      { type: 'search', command: 'rg q', query: 'q' },
      { type: 'search', cmd: 'rg q', query: 'q', path: null },
    ],
    [
      { type: 'other', command: 'x' },
      { type: 'unknown', cmd: 'x' },
    ],
  ])('of %j', (action, parsed) => {
    expect(parsedOf(item({ commandActions: [action] }))).toEqual([parsed]);
  });
});

describe('changesOf', () => {
  const moved = '@@\n-a\n+b\n\nMoved to: /n\n';
  it.each([
    ['add       ', change('/f', { type: 'add' }, 'x\n'), { add: { content: 'x\n' } }],
    ['delete    ', change('/f', { type: 'delete' }, 'x\n'), { delete: { content: 'x\n' } }],
    ['update    ', change('/f', { type: 'update' }), { update: { unified_diff: 'd', move_path: null } }],
    [
      'a move    ',
      change('/f', { type: 'update', move_path: '/n' }, moved),
      { update: { unified_diff: '@@\n-a\n+b\n', move_path: '/n' } },
    ],
    [
      'of 0.128.0',
      change('/f', { type: 'update', movePath: '/n' }, moved),
      { update: { unified_diff: '@@\n-a\n+b\n', move_path: '/n' } },
    ],
  ])('%s', (_, one, expected) => {
    expect(changesOf(item({ changes: [one] }))).toEqual({ '/f': expected });
  });
});

describe('invocationOf', () => {
  it.each([
    [{ a: 1 }, { a: 1 }],
    [undefined, null],
  ])('has the arguments %j as %j', (given, expected) => {
    const call = item({ server: 's', tool: 't', arguments: given });
    expect(invocationOf(call)).toEqual({ server: 's', tool: 't', arguments: expected });
  });
});

describe('durationOf', () => {
  it.each([
    [0, 0, 0],
    [1_234, 1, 234_000_000],
    [0.5, 0, 500_000],
  ])('of %d ms', (durationMs, secs, nanos) => {
    expect(durationOf(item({ durationMs }))).toEqual({ secs, nanos });
  });
});

describe('summaryOf', () => {
  it('lists each file with its letter', () => {
    const changes: FileChanges = {
      a: { add: { content: '' } },
      d: { delete: { content: '' } },
      u: { update: { unified_diff: '', move_path: null } },
    };
    expect(summaryOf(changes)).toBe('Success. Updated the following files:\nA a\nD d\nM u\n');
  });
});

describe('splitCommand', () => {
  it.each([
    ['', []],
    ['ls  -l\tx', ['ls', '-l', 'x']],
    [`/bin/bash -lc 'echo "a b"'`, ['/bin/bash', '-lc', 'echo "a b"']],
    [`a"b c"d'e f'`, ['ab cde f']],
    [String.raw`"a \"b\" \$x \n"`, [String.raw`a "b" $x \n`]],
    [String.raw`a\ b \'`, ['a b', "'"]],
    [`'it'\\''s'`, ["it's"]],
    [`''`, ['']],
    [`open 'quote`, ['open', "'quote"]],
  ])('splits %j', (line, words) => {
    expect(splitCommand(line)).toEqual(words);
  });

  it('gives back any words that were quoted', () => {
    const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        expect(splitCommand(words.map(quoted).join(' '))).toEqual(words);
      }),
    );
  });

  it('takes anything', () => {
    fc.assert(fc.property(fc.string(), (line) => splitCommand(line).every((word) => typeof word === 'string')));
  });
});
