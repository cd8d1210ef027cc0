import type { ApprovalPolicy } from '../../../src/protocol/codex/settings';
import { tableOf } from '../../../src/settings/layer';
import { ceilingOf, modeBelow, policyBelow } from '../../../src/settings/limits/ceiling';

const ceiling = (overrides: string[], locked?: Parameters<typeof ceilingOf>[1]) => {
  const { table, where, ...rest } = ceilingOf({ overrides, model: 'm', cwd: '/' }, locked);
  return { ...rest, table: { ...table }, where: where(['sandbox_mode']) };
};
const FLAG = "-c sandbox_mode on the server's command line";
const LOCK = 'the configuration that --lock makes a ceiling';
const table = tableOf({ model: 'l' });
const locked = { policy: 'untrusted', mode: 'read-only', table } as const;

describe('ceilingOf', () => {
  it.each([
    ['nothing               ', [], undefined, { alwaysSandboxed: false, table: {}, where: LOCK }],
    [
      'a sandbox             ',
      ['sandbox_mode="read-only"'],
      undefined,
      {
        mode: 'read-only',
        alwaysSandboxed: false,
        table: { sandbox_mode: 'read-only' },
        where: FLAG,
      },
    ],
    [
      'no questions          ',
      ['approval_policy=never'],
      undefined,
      {
        policy: 'never',
        alwaysSandboxed: false,
        table: { approval_policy: 'never' },
        where: LOCK,
      },
    ],
    [
      'a sandbox, no question',
      ['approval_policy=never', 'sandbox_mode=read-only'],
      undefined,
      {
        policy: 'never',
        mode: 'read-only',
        alwaysSandboxed: true,
        where: FLAG,
        table: { approval_policy: 'never', sandbox_mode: 'read-only' },
      },
    ],
    [
      'full access           ',
      ['approval_policy=never', 'sandbox_mode=danger-full-access'],
      undefined,
      {
        policy: 'never',
        mode: 'danger-full-access',
        alwaysSandboxed: false,
        where: FLAG,
        table: { approval_policy: 'never', sandbox_mode: 'danger-full-access' },
      },
    ],
    [
      'an unknown value      ',
      ['sandbox_mode=no'],
      undefined,
      { mode: 'read-only', alwaysSandboxed: false, table: { sandbox_mode: 'no' }, where: FLAG },
    ],
    [
      '--lock                ',
      [],
      locked,
      {
        policy: 'untrusted',
        mode: 'read-only',
        alwaysSandboxed: false,
        table: { model: 'l' },
        where: LOCK,
      },
    ],
    [
      'a flag above --lock   ',
      ['approval_policy=never'],
      locked,
      {
        policy: 'never',
        mode: 'read-only',
        alwaysSandboxed: true,
        table: { model: 'l' },
        where: LOCK,
      },
    ],
  ] as const)('with %s', (_, overrides, lock, expected) => {
    expect(ceiling([...overrides], lock)).toEqual(expected);
  });
});

describe('policyBelow, modeBelow', () => {
  it.each([
    [policyBelow('never', 'on-request'), 'on-request'],
    [policyBelow('on-request', 'on-failure'), 'on-failure'],
    [policyBelow('never', 'never'), 'never'],
    [policyBelow('untrusted', 'never'), 'untrusted'],
    [policyBelow('granular' as ApprovalPolicy, 'on-request'), 'on-request'],
    [policyBelow('never', undefined), 'never'],
    [modeBelow('danger-full-access', 'workspace-write'), 'workspace-write'],
    [modeBelow('workspace-write', 'read-only'), 'read-only'],
    [modeBelow('read-only', 'read-only'), 'read-only'],
    [modeBelow('read-only', 'danger-full-access'), 'read-only'],
  ])('%#', (limited, expected) => {
    expect(limited).toBe(expected);
  });
});
