import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toSummary } from '../../src/rollout/threadSummary';

const file = { id: 'T', startedMs: 1, path: '/r', archived: false };
const facts = { size: 2, writtenMs: 3 };

const head = (release: string): string =>
  readFileSync(join(__dirname, `../fixtures/rollouts/${release}.jsonl`), 'utf8');

describe('toSummary', () => {
  it.each([
    ['0.28.0', { cwd: '', provider: '', source: '', cliVersion: '', preview: 'hi' }],
    ['0.142.0', { cwd: '/work', provider: 'mock', source: 'mcp', cliVersion: '0.142.0', preview: 'hi' }],
    ['0.169.0', { cwd: '/work', provider: 'mock', source: 'vscode', cliVersion: '0.169.0', preview: 'say hi' }],
  ])('reads the beginning of a rollout of %s', (release, expected) => {
    expect(toSummary(file, facts, head(release))).toEqual({ ...file, ...facts, ...expected });
  });

  it('shows what it can of a file that is none, and cuts a long prompt', () => {
    expect(toSummary(file, facts, 'x').preview).toBe('');
    const prompt = { type: 'event_msg', payload: { type: 'user_message', message: 'a'.repeat(300) } };
    expect(
      toSummary(file, facts, `{"type":"session_meta","payload":{}}\n${JSON.stringify(prompt)}`).preview,
    ).toHaveLength(201);
  });
});
