/** The temporary folders of the demonstration. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere, realPathOf } from '../../io/paths/look';
import { FILE, SCRIPT } from './scene';

/** `root` holds the others. `written` reads the file that the agent should have made; `unsubscribe` removes it all. */
export type Workspace = {
  root: string;
  home: string;
  work: string;
  script: string;
  written: () => string | undefined;
  unsubscribe: () => void;
};

/** Makes the folders and the script in `parent`; with `keep` they stay. */
export const makeWorkspace = ({ parent, keep }: { parent: string; keep: boolean }): Workspace => {
  const root = mkdtempSync(join(realPathOf(parent) ?? parent, 'codex-rx-demo-'));
  const [home, work] = [join(root, 'codex-home'), join(root, 'work')];
  const script = join(home, 'answers.json');
  mkdirSync(home);
  mkdirSync(work);
  writeFileSync(script, `${JSON.stringify(SCRIPT, null, 2)}\n`);
  return {
    root,
    home,
    work,
    script,
    written: () => readIfThere(join(work, FILE)),
    unsubscribe: () => {
      if (!keep) rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
};
