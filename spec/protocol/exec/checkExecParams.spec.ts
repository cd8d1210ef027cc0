import type * as z from 'zod/mini';
import { checkExecParams } from '../../../src/protocol/exec/checkExecParams';
import { ReadParams, SignalParams, StartParams } from '../../../src/protocol/exec/params';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';

const start = { processId: 'p', argv: ['a'], cwd: '/', env: { A: '1' }, tty: false };
const policy = { inherit: 'all', ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [] };

describe('checkExecParams', () => {
  it('gives the params that the schema has; null stands for a member that is left out', () => {
    expect(checkExecParams(StartParams(), { ...start, arg0: null, envPolicy: policy, more: 1 })).toEqual({
      ...start,
      arg0: null,
      envPolicy: policy,
    });
    expect(checkExecParams(ReadParams(), { processId: 'p', afterSeq: 2 ** 60, waitMs: null })).toEqual({
      processId: 'p',
      afterSeq: Number.MAX_SAFE_INTEGER,
      waitMs: null,
    });
  });

  it.each<[string, () => z.core.$ZodType, unknown, string]>([
    ['no params', StartParams, undefined, 'invalid type: null, expected a map'],
    ['a list for params', StartParams, [], 'invalid type: sequence, expected a map'],
    ['a missing member', StartParams, { ...start, tty: undefined }, 'missing field `tty`'],
    ['the first of several faults', StartParams, {}, 'missing field `processId`'],
    ['a text for a list', StartParams, { ...start, argv: 'a' }, 'invalid type: string "a", expected a sequence'],
    ['a map for a list', StartParams, { ...start, argv: {} }, 'invalid type: map, expected a sequence'],
    ['null for a map', StartParams, { ...start, env: null }, 'invalid type: null, expected a map'],
    [
      'a number in a map of texts',
      StartParams,
      { ...start, env: { A: 1 } },
      'invalid type: number `1`, expected a string',
    ],
    ['a flag for a text', StartParams, { ...start, cwd: true }, 'invalid type: boolean `true`, expected a string'],
    ['a text for a flag', StartParams, { ...start, tty: 'no' }, 'invalid type: string "no", expected a boolean'],
    ['a wrong optional member', StartParams, { ...start, arg0: 1 }, 'invalid type: number `1`, expected a string'],
    ['a member missing further in', StartParams, { ...start, grace: { inputMs: 1 } }, 'missing field `termMs`'],
    [
      'an unknown word',
      StartParams,
      { ...start, envPolicy: { ...policy, inherit: 'some' } },
      'unknown variant `some`, expected one of `core`, `all`, `none`',
    ],
    ['an only word', SignalParams, { processId: 'p', signal: 'kill' }, 'unknown variant `kill`, expected `interrupt`'],
    ['a number for a word', SignalParams, { processId: 'p', signal: 9 }, 'invalid type: number `9`, expected a string'],
    ['a missing word', SignalParams, { processId: 'p' }, 'missing field `signal`'],
    ['a negative count', ReadParams, { processId: 'p', afterSeq: -1 }, 'invalid number'],
    ['a broken count', ReadParams, { processId: 'p', waitMs: 1.5 }, 'invalid number'],
    ['a text for a count', ReadParams, { processId: 'p', waitMs: '1' }, 'invalid type: string "1", expected u64'],
  ])('refuses %s', (_, schema, params, message) => {
    expect(() => checkExecParams(schema(), params)).toThrow(new RpcError(-32602, message));
  });
});
