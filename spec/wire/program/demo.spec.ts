/** The demonstration that docs/demo.md shows, run for real. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../../support/daemon/peer';

const ROWS = ['request', 'answer', 'event', 'progress', 'question'];

/** A pause, whose length is a matter of the machine, wherever it is: at the beginning of a row the space in front of it looks like margin. */
const PAUSE = / ?\b\d+ms ?/g;

type Rows = Record<string, string>;

/** The rows of a drawing by their names, without pauses; a drawing that is broken has several of these, and leaves out rows without a message. */
const drawingsIn = (text: string): Rows[] =>
  text.split(/\n\s*\n/).flatMap((block) => {
    const rows = block.split('\n').flatMap((line) => {
      const [, name = '', marbles = ''] = /^ *(\w+) +(\S.*)[|…]$/.exec(line) ?? [];
      return ROWS.includes(name) ? [[name, marbles.replace(PAUSE, '')]] : [];
    });
    return rows.length === 0 ? [] : [Object.fromEntries(rows)];
  });

/** The rows of a whole drawing. */
const rowsIn = (text: string): Rows => drawingsIn(text)[0] ?? {};

/** The messages in their order. Progress is sent by the clock, so its place among them is not always the same. */
const messagesIn = (text: string): string => drawingsIn(text).map(columnsOf).join('');

const columnsOf = ({ progress: _, ...others }: Rows): string => {
  const rows = Object.values(others);
  const length = Math.max(...rows.map((row) => row.length));
  const columns = Array.from({ length }, (_, at) => rows.map((row) => row[at] ?? '').join(''));
  return columns.join('').replaceAll('-', '');
};

const legendIn = (text: string): string[] =>
  text
    .split('\n')
    .flatMap((line) => (/^ *(\w \w| ?\w {2}) .*_?\w+/.test(line) && !/--/.test(line) ? [line.trim()] : []));

describe('codex-rx demo', () => {
  it('is read alike wherever its pauses and its ends of rows are', () => {
    const broken = `
  request  201ms i- 5552ms n 300ms  200ms …
  answer   201ms -I 5552ms - 300ms  200ms …

  event    201ms B 222ms …

  request  201ms -r|
  event    201ms Z-|
`;
    expect(messagesIn(broken)).toBe('iInBZr');
  });

  it('prints what docs/demo.md shows', () => {
    const [program, args] = commandLine('demo');
    const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, COLUMNS: '80' } });
    expect(status).toBe(0);
    const page = readFileSync(join(__dirname, '../../../docs/demo.md'), 'utf8');
    const shown = /```\n(request [\s\S]*?)```/.exec(page)?.[1] ?? '';
    expect(Object.keys(rowsIn(shown))).toEqual(ROWS);
    expect(messagesIn(shown)).toBe(messagesIn(stdout));
    expect(legendIn(shown)).toEqual(legendIn(stdout));
    expect(rowsIn(shown).progress).toMatch(/^[-P]+$/);
    expect(stdout).toContain('OK: asked, approved, run');
  });
});
