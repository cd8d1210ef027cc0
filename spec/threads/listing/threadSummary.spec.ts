import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSummary, toSummaryTexts } from '../../../src/threads/listing/threadSummary';

const head = (release: string): string =>
  readFileSync(join(__dirname, `../../fixtures/rollouts/${release}.jsonl`), 'utf8');

describe('toSummaryTexts', () => {
  it.each([
    ['0.28.0', { cwd: '', provider: '', source: '', cliVersion: '', preview: 'hi' }],
    ['0.142.0', { cwd: '/work', provider: 'mock', source: 'mcp', cliVersion: '0.142.0', preview: 'hi' }],
    ['0.169.0', { cwd: '/work', provider: 'mock', source: 'vscode', cliVersion: '0.169.0', preview: 'say hi' }],
  ])('reads the beginning of a rollout of %s', (release, expected) => {
    expect(toSummaryTexts(head(release))).toEqual(expected);
  });

  it('shows what it can of a file that is none, and cuts a long prompt', () => {
    expect(toSummaryTexts('x').preview).toBe('');
    const prompt = { type: 'event_msg', payload: { type: 'user_message', message: 'a'.repeat(300) } };
    expect(toSummaryTexts(`{"type":"session_meta","payload":{}}\n${JSON.stringify(prompt)}`).preview).toHaveLength(201);
  });
});

describe('readSummary', () => {
  const prompt = JSON.stringify({ type: 'event_msg', payload: { type: 'user_message', message: 'hi' } });
  const rollout = (length: number): string =>
    `${JSON.stringify({ type: 'session_meta', payload: { cwd: '/w', base_instructions: 'a'.repeat(length) } })}\n${prompt}\n`;

  it.each([
    ['short', 100, 'hi', '/w', [65_536]],
    ['long', 100_000, 'hi', '/w', [65_536, 1_048_576]],
    ['endless', 2_000_000, '', '', [65_536, 1_048_576]],
  ])('reads as much as the %s instructions take', (_, length, preview, cwd, reads) => {
    const limits: (number | undefined)[] = [];
    const read = (__: string, maxBytes?: number) => {
      limits.push(maxBytes);
      return rollout(length).slice(0, maxBytes);
    };
    expect(readSummary({ files: { read } as never }, { path: '/r' })).toMatchObject({ preview, cwd });
    expect(limits).toEqual(reads);
  });
});
