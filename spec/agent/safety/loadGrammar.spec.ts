import { loadGrammar } from '../../../src/agent/safety/loadGrammar';
import { bashDeps } from './support';

const { bash } = bashDeps.wasm;

describe('loadGrammar', () => {
  it('resolves with a parser of bash', async () => {
    const parser = await loadGrammar(bashDeps);
    expect(parser.parse('ls > out')?.rootNode.toString()).toContain('redirected_statement');
  });

  it('rejects if a file cannot be read, or is none of WebAssembly', async () => {
    const of = (path: string, bytes: () => Promise<Uint8Array>) => ({
      ...bashDeps,
      readFile: (one: string) => (one === path ? bytes() : bashDeps.readFile(one)),
    });
    await expect(loadGrammar(of(bash, async () => Promise.reject(new Error('ENOENT'))))).rejects.toThrow('ENOENT');
    await expect(loadGrammar(of(bash, async () => new Uint8Array(8)))).rejects.toThrow();
  });
});
