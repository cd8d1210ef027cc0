import { TEXTS_028, TEXTS_0153 } from '../../../src/server/faces/oldArguments';

const UUID = '11111111-2222-4333-8444-555555555555';

describe('TEXTS_028', () => {
  it('names tools and threads as 0.28.0 did', () => {
    expect(TEXTS_028.unknownTool('nope')).toBe("Unknown tool 'nope'");
    const hints = 'The newest is x. Start one with the tool codex.';
    expect(TEXTS_028.rejected(`Session not found for thread_id: ${UUID}. ${hints}`)).toBe(
      `Session not found for session_id: ${UUID}`,
    );
    expect(TEXTS_028.rejected(`Session not found for thread_id: nope. ${hints}`)).toBe(
      'Failed to parse session_id: invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-], found `n` at 1',
    );
    expect(TEXTS_028.rejected('There is no thread on this connection yet. Start one.')).toBe(
      'Failed to parse configuration for Codex tool: missing field `sessionId`',
    );
  });

  it('begins a configuration that cannot be used as 0.28.0 did, and keeps what helps', () => {
    const own =
      'Failed to load Codex configuration: argument profile: config profile `nope` not found in /h/config.toml';
    expect(TEXTS_028.rejected(own)).toBe(
      'Failed to load Codex configuration from overrides: config profile `nope` not found in /h/config.toml',
    );
    expect(TEXTS_028.rejected('The agent is busy.')).toBe('The agent is busy.');
  });
});

describe('TEXTS_0153', () => {
  it('names threads as 0.142.0 did', () => {
    expect(TEXTS_0153.rejected(`Session not found for thread_id: ${UUID}. Start one.`)).toBe(
      `Session not found for thread_id: ${UUID}`,
    );
    expect(TEXTS_0153.rejected('There is no thread on this connection yet. Start one.')).toBe(
      'Failed to parse thread_id: either threadId or conversationId must be provided',
    );
  });
});
