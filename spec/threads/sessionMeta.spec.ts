import { toSessionMeta } from '../../src/threads/sessionMeta';

const start = { id: 'i', cwd: '/w', provider: 'p', own: { profile: 'q' } };

describe('toSessionMeta', () => {
  it('has what Codex reads, and what is ours', () => {
    expect(toSessionMeta({ version: '1' }, start, 1_000)).toEqual({
      ...{ id: 'i', session_id: 'i', timestamp: '1970-01-01T00:00:01.000Z', cwd: '/w', originator: 'codex_rx' },
      ...{ cli_version: '1', source: 'vscode', model_provider: 'p', codex_rx: { profile: 'q' } },
    });
  });

  it('has the instructions that a caller gave', () => {
    expect(toSessionMeta({ version: '1' }, { ...start, baseInstructions: 'Be.' }, 0)).toMatchObject({
      base_instructions: { text: 'Be.' },
    });
  });
});
