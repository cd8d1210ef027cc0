import type { Era } from '../../../src/server/faces/clientInfo';
import { readsStructured, takesEvents, whySilent } from '../../../src/server/mcp/clients';

const eraOf = (name: string, version = '1', revision = '2025-06-18'): Era => ({
  modern: false,
  capabilities: {},
  revision,
  client: { name, version },
});

describe('readsStructured', () => {
  it.each([
    ['gemini-cli-mcp-client', '2025-06-18', false],
    ['qwen-cli-mcp-client-codex', '2025-11-25', false],
    ['opencode', '2025-11-25', false],
    ['continue-cli-client', '2025-06-18', false],
    ['ai-sdk-mcp-client', '2025-11-25', false],
    ['strands-agents-ts-sdk', '2025-11-25', false],
    ['mcp', '2025-11-25', false],
    ['kilo', '2025-11-25', false],
    ['mcpc', '2025-11-25', true],
    ['@huggingface/mcp-client', '2025-06-18', false],
    ['nanocoder-mcp-client', '2025-11-25', false],
    ['theia-client', '2025-11-25', false],
    ['@kimuson/modular-mcp-client', '2025-11-25', false],
    ['AxMCPClient', '2026-07-28', true],
    ['mcp-hub', '2025-11-25', true],
    ['mcpjam', '2025-11-25', true],
    ['mcporter', '2025-11-25', true],
    ['claude-code', '2025-11-25', true],
    ['anybody', '2025-06-18', true],
    ['anybody', '2025-03-26', false],
    ['anybody', '2024-11-05', false],
    ['anybody', '2026-07-28', true],
  ])('of %s in %s is %s', (name, revision, reads) => {
    expect(readsStructured(eraOf(name, '1', revision))).toBe(reads);
  });

  it('holds for a client that has not named itself', () => {
    expect(readsStructured({ modern: true, capabilities: {} })).toBe(true);
  });
});

describe('takesEvents', () => {
  it.each([
    ['mcp', '0.1.0', false],
    ['mcp', '1.0.0', true],
    ['mcpc', '0.1.0', true],
    ['ai-sdk-mcp-client', '1.0.0', false],
    ['mcp-emacs', '0.1.0', false],
    ['codex-mcp-client', '0.142.0', true],
  ])('of %s %s is %s', (name, version, takes) => {
    expect(takesEvents(eraOf(name, version))).toBe(takes);
  });

  it('holds for a client that has not named itself', () => {
    expect(takesEvents({ modern: true, capabilities: {} })).toBe(true);
  });
});

describe('whySilent', () => {
  it.each([
    ['codex-mcp-client', '0.28.0', 'Codex 0.28.0 as a client does not answer questions'],
    ['codex-mcp-client', '0.9.1', 'Codex 0.9.1 as a client does not answer questions'],
    ['codex-mcp-client', '0.142.0', undefined],
    ['codex-mcp-client', '1.0.0', undefined],
    ['codex-mcp-client', 'dev', undefined],
    ['another', '0.28.0', undefined],
  ])('of %s %s is %s', (name, version, reason) => {
    expect(whySilent(eraOf(name, version))).toBe(reason);
  });

  it('is none for a client that has not named itself', () => {
    expect(whySilent({ modern: true, capabilities: {} })).toBeUndefined();
  });
});
