import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseScript } from '../../../src/agent/model/script/scriptedModel';
import { demo, makeWorkspace } from '../../../src/cli/commands/demo';
import { FILE, scriptFor } from '../../../src/cli/demo/scene';
import { givenBy, problemBy } from '../reading';

describe('demo', () => {
  it('approves by itself and draws marbles by default', () => {
    expect(givenBy(demo)).toEqual({ ask: false, raw: false, keep: false, command: [] });
  });

  it('refuses what it does not know', () => {
    expect(problemBy(demo, '--asks')).toBe('--asks is not an option; did you mean --ask?');
  });
});

describe('makeWorkspace', () => {
  const parent = mkdtempSync(join(tmpdir(), 'workspace-spec-'));
  afterAll(() => rmSync(parent, { recursive: true }));

  it('makes the folders and a script that the scripted model takes', () => {
    const { script, work, home, unsubscribe } = makeWorkspace({ parent, keep: false });
    expect(parseScript(script, readFileSync(script, 'utf8'))).toEqual(scriptFor(process));
    expect([existsSync(work), existsSync(home)]).toEqual([true, true]);
    unsubscribe();
  });

  it('reads the file once it is there', () => {
    const { work, written, unsubscribe } = makeWorkspace({ parent, keep: false });
    expect(written()).toBeUndefined();
    writeFileSync(join(work, FILE), 'hi');
    expect(written()).toBe('hi');
    unsubscribe();
  });

  it('removes all of it, unless it shall stay', () => {
    const [gone, kept] = [makeWorkspace({ parent, keep: false }), makeWorkspace({ parent, keep: true })];
    gone.unsubscribe();
    kept.unsubscribe();
    expect([existsSync(gone.root), existsSync(kept.root)]).toEqual([false, true]);
  });
});
