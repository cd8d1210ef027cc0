/** The demonstration that the README promises, run for real. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../../support/daemon/peer';

const ROWS = ['request', 'answer', 'event', 'progress', 'question'];

/** The rows of a drawing by their names, without the pauses, whose length is a matter of the machine; a broken row is whole again. */
const rowsIn = (text: string): Record<string, string> => {
  const rows: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const [, name = '', marbles = ''] = /^ *(\w+) +(\S.*)$/.exec(line) ?? [];
    if (ROWS.includes(name) && /[-|]/.test(marbles))
      rows[name] = (rows[name] ?? '') + marbles.replace(/…$/, '').replace(/ \d+(\.\d+)?m?s /g, '');
  }
  return rows;
};

/** The messages in their order. Progress is sent by the clock, so its place among them is not always the same. */
const messagesIn = (text: string): string => {
  const { progress: _, ...others } = rowsIn(text);
  const rows = Object.values(others);
  const length = Math.max(...rows.map((row) => row.length));
  const columns = Array.from({ length }, (_, at) => rows.map((row) => row[at] ?? '').join(''));
  return columns.join('').replaceAll(/[-|]/g, '');
};

const legendIn = (text: string): string[] =>
  text
    .split('\n')
    .flatMap((line) => (/^ *(\w \w| ?\w {2}) .*_?\w+/.test(line) && !/--/.test(line) ? [line.trim()] : []));

describe('codex-rx demo', () => {
  it('prints what the README shows', () => {
    const [program, args] = commandLine('demo');
    const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, COLUMNS: '80' } });
    expect(status).toBe(0);
    const readme = readFileSync(join(__dirname, '../../../README.md'), 'utf8');
    const shown = /```\n(request [\s\S]*?)```/.exec(readme)?.[1] ?? '';
    expect(Object.keys(rowsIn(shown))).toEqual(ROWS);
    expect(messagesIn(shown)).toBe(messagesIn(stdout));
    expect(legendIn(shown)).toEqual(legendIn(stdout));
    expect(rowsIn(shown).progress).toMatch(/^[-P]+\|$/);
    expect(stdout).toContain('OK: asked, approved, run');
  });
});
