import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findClients, readClientFile, writeClientFile } from '../../../src/settings/clients/clientFile';
import { CLIENTS, type Client } from '../../../src/settings/clients/clients';

const cursor = CLIENTS.cursor as Client;
const OWN = '{"mcpServers": {"codex": {"command": "codex-rx"}}}';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'clients-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const machine = () => ({ platform: 'linux', home, codexHome: join(home, '.codex'), env: {} });
const read = () => readClientFile(machine(), cursor);
const place = (...names: string[]) => join(home, '.cursor', ...names);
const put = (text: string | Uint8Array) => {
  mkdirSync(place(), { recursive: true });
  writeFileSync(place('mcp.json'), text, { mode: 0o644 });
};

describe('the file of a client', () => {
  it('is made in a private folder, and removed with it, as the folder would show the client as installed', () => {
    expect(read()).toMatchObject({ path: place('mcp.json'), text: undefined, isInstalled: false });
    writeClientFile(cursor, read(), OWN);
    expect([place(), place('mcp.json')].map((path) => lstatSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
    writeClientFile(cursor, read(), undefined);
    expect(readdirSync(home)).toEqual([]);
    writeClientFile(cursor, read(), OWN);
    writeFileSync(place('own.txt'), '');
    writeClientFile(cursor, read(), undefined);
    expect(readdirSync(place())).toEqual(['own.txt']);
  });

  it('is kept next to it before the first change, until it is so again', () => {
    put('{}');
    writeClientFile(cursor, read(), OWN);
    writeClientFile(cursor, read(), `${OWN}\n`);
    expect(read()).toMatchObject({ text: `${OWN}\n`, backup: '{}' });
    expect(lstatSync(read().backupPath).mode & 0o777).toBe(0o600);
    writeClientFile(cursor, read(), '{}');
    expect(readdirSync(place())).toEqual(['mcp.json']);
  });

  it('is kept again if an old backup is not of this life', () => {
    put('{"a": 1}');
    writeFileSync(`${place('mcp.json')}.before-codex-rx`, '{}');
    writeClientFile(cursor, read(), OWN);
    expect(read().backup).toBe('{"a": 1}');
  });

  it('may be a link, which stays', () => {
    mkdirSync(place());
    writeFileSync(join(home, 'dotfile'), '{}');
    symlinkSync('../dotfile', place('mcp.json'));
    writeClientFile(cursor, read(), OWN);
    expect(lstatSync(place('mcp.json')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(home, 'dotfile'), 'utf8')).toBe(OWN);
    expect(readFileSync(join(home, 'dotfile.before-codex-rx'), 'utf8')).toBe('{}');
  });

  it('is refused if it would be lost', () => {
    put(Uint8Array.of(0x7b, 0xff, 0x7d));
    expect(read).toThrow('mcp.json cannot be used: it is not UTF-8');
    put('{}');
    const before = read();
    put('{"a": 1}');
    expect(() => writeClientFile(cursor, before, OWN)).toThrow('was changed meanwhile; run the command again');
    rmSync(place('mcp.json'));
    symlinkSync('nowhere', place('mcp.json'));
    expect(read).toThrow('a link that leads nowhere');
  });

  it('is found, with its entries or why they cannot be read', () => {
    put(OWN);
    mkdirSync(join(home, '.config', 'zed'), { recursive: true });
    writeFileSync(join(home, '.config', 'zed', 'settings.json'), '{');
    mkdirSync(join(home, '.config', 'opencode'));
    writeFileSync(join(home, '.config', 'opencode', 'opencode.jsonc'), '');
    mkdirSync(join(home, '.codex', 'sessions'), { recursive: true }); // codex-rx makes these too
    expect(findClients(machine()).map(({ name, entries, fault }) => [name, Object.keys(entries), fault])).toEqual([
      ['cursor', ['codex'], undefined],
      ['zed', [], expect.stringContaining('line 1 is not JSON')],
      ['opencode', [], undefined],
      ['zed-acp', [], expect.stringContaining('line 1 is not JSON')],
    ]);
    writeFileSync(join(home, '.codex', 'version.json'), '{}');
    expect(findClients(machine()).map(({ name }) => name)).toContain('codex');
  });
});
