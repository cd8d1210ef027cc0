/** What the newest Codex changed of the protocol that this program is built on: each line that is new or gone is named. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder, removeFolders } from '../../support/files';
import { INSTALL_MS, installed, NEWEST_CODEX } from '../installed';
import { linesOfProtocol } from './protocol';

const KEPT = join(__dirname, 'protocol.txt');

afterAll(removeFolders);

it(
  'the newest Codex speaks the protocol that this program is built on; UPDATE=1 keeps what it speaks now',
  () => {
    const codex = join(installed(NEWEST_CODEX), 'codex');
    const folder = openFolder();
    execFileSync(codex, ['app-server', 'generate-json-schema', '--out', folder], {
      env: { ...process.env, CODEX_HOME: folder },
    });
    const bundle = JSON.parse(readFileSync(join(folder, 'codex_app_server_protocol.schemas.json'), 'utf8'));
    const now = linesOfProtocol(bundle);
    if (process.env.UPDATE === '1') writeFileSync(KEPT, `${now.join('\n')}\n`);
    const kept = readFileSync(KEPT, 'utf8').trim().split('\n');
    const found = {
      isNew: now.filter((line) => !kept.includes(line)),
      isGone: kept.filter((line) => !now.includes(line)),
    };
    expect(found).toEqual({ isNew: [], isGone: [] });
  },
  INSTALL_MS,
);
