import { type CeilingFlags, hintOf, imposedLimitOf, toCeiling } from '../../../src/executor/listen/ceiling';

const flags = (own: Partial<CeilingFlags>): CeilingFlags => ({
  sandbox: 'danger-full-access',
  roots: ['/w'],
  allowNetwork: false,
  allowMethods: [],
  denyMethods: [],
  ...own,
});

describe('toCeiling', () => {
  it('limits methods alone without a sandbox', () => {
    expect(toCeiling(flags({ allowMethods: ['fs/*'], denyMethods: ['fs/remove'] }))).toEqual({
      methods: { allow: ['fs/*'], deny: ['fs/remove'], network: 'open' },
    });
  });

  it('lets the roots be written', () => {
    const { methods, sandbox } = toCeiling(flags({ sandbox: 'workspace-write' }));
    expect(methods.network).toBe('closed');
    expect(sandbox).toEqual({
      roots: { workspace: ['/w'], temporary: [] },
      readOnly: [],
      ifThere: [],
      denied: [],
      network: 'closed',
    });
    expect(sandbox && hintOf(sandbox)).toBe(
      'this exec-server lets its clients write in /w only, less .git and .codex (--root)',
    );
  });

  it('names what keeps processes, and whether they have the network', () => {
    const only = 'this exec-server lets its clients write in /w only, less .git and .codex (--root)';
    expect(imposedLimitOf(toCeiling(flags({ sandbox: 'workspace-write' })).sandbox)).toEqual({
      text: `${only}, and without network (--allow-network)`,
      network: 'closed',
    });
    expect(imposedLimitOf(toCeiling(flags({ sandbox: 'workspace-write', allowNetwork: true })).sandbox)).toEqual({
      text: only,
      network: 'open',
    });
    expect(imposedLimitOf(undefined)).toBeUndefined();
  });

  it('lets nothing be written in read-only mode, and opens the network if asked', () => {
    const { methods, sandbox } = toCeiling(flags({ sandbox: 'read-only', allowNetwork: true }));
    expect(methods.network).toBe('open');
    expect(sandbox).toMatchObject({ roots: { workspace: [], temporary: [] }, network: 'open' });
    expect(sandbox && hintOf(sandbox)).toBe('this exec-server lets its clients write nothing (--sandbox read-only)');
  });
});
