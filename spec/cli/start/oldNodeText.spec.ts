import { oldNodeText } from '../../../src/cli/start/start';

describe('oldNodeText', () => {
  it.each(['v20.19.0', 'v20.20.2', 'v22.12.0', 'v26.10.0'])('is nothing under %s', (version) => {
    expect(oldNodeText(version, '/bin/node')).toBeUndefined();
  });

  it.each(['v16.20.2', 'v18.20.8', 'v20.18.3'])('names what is needed, and the Node that is %s', (version) => {
    expect(oldNodeText(version, '/bin/node')).toBe(
      `codex-rx needs Node 20.19 or newer; /bin/node is ${version}.\n` +
        'Install a newer one, or name it by its path: it is the command of the entry in your MCP client.\n',
    );
  });
});
