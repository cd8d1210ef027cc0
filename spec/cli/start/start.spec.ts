import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const DIST = join(__dirname, '../../../dist');
const START = join(DIST, 'start.cjs');

/** Starts the program under a Node that calls itself `version`; gives the scripts that were compiled, and whether from a cache. */
const scriptsUnder = (version: string): string[] => {
  const program = `
    const vm = require('node:vm');
    const scripts = [];
    vm.Script = class extends vm.Script {
      constructor(source, options) {
        super(source, options);
        const how = options.cachedData === undefined ? 'compiled' : this.cachedDataRejected ? 'rejected' : 'cached';
        scripts.push(require('node:path').basename(options.filename) + ' ' + how);
      }
    };
    Object.defineProperty(process, 'version', { value: ${JSON.stringify(version)} });
    process.on('exit', () => console.log(scripts.join()));
    require(${JSON.stringify(START)}).start(['--version']);`;
  const { stdout } = spawnSync(process.execPath, ['-e', program]);
  return String(stdout).trim().split('\n').at(-1)?.split(',') ?? [];
};

describe('start', () => {
  it('takes the compile cache of its own Node, where the build made one', () => {
    const end = `.${process.version}-${process.platform}-${process.arch}.cache`;
    const how = readdirSync(DIST).some((file) => file.startsWith('main.') && file.endsWith(end))
      ? 'cached'
      : 'compiled';
    expect(scriptsUnder(process.version)).toContain(`main.cjs ${how}`);
  });

  it('takes none that another Node made, which would crash it', () => {
    expect(scriptsUnder('v26.0.1')).toContain('main.cjs compiled');
  });

  it('reads nothing of the program under a Node that is too old for it', () => {
    expect(scriptsUnder('v18.20.8')).toEqual(['']);
  });
});
