import { readCapabilities } from '../../../src/protocol/acp/acp';
import { InitializeParams, NewSessionParams, PromptParams } from '../../../src/protocol/acp/params';
import { checkParams } from '../../../src/protocol/jsonrpc/checkParams';

const NONE = {
  reads: false,
  writes: false,
  terminal: undefined,
  forms: false,
  urls: false,
  terminalLogin: false,
  gateway: false,
};

describe('the capabilities of a client', () => {
  it('are what it declares', () => {
    const declared = {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
      elicitation: { form: {}, url: {} },
      auth: { terminal: true },
    };
    expect(Object.values(readCapabilities(declared))).toEqual([true, true, 'plain', true, true, true, false]);
    expect(readCapabilities(declared, 'acpx').terminal).toBe('any');
  });

  it.each(['zed', 'Zed', ' toad', ''])('are terminals for plain words only if its name is %j', (name) => {
    expect(readCapabilities({ terminal: true }, name).terminal).toBe('plain');
  });

  it.each([undefined, null, 5, { fs: null, elicitation: { form: null, url: true }, auth: [], terminal: 'yes' }])(
    'are none if it declares %j',
    (declared) => {
      expect(readCapabilities(declared)).toEqual(NONE);
    },
  );
});

describe('the params of a request', () => {
  it('name what is wrong with them', () => {
    expect(() => checkParams(InitializeParams(), { protocolVersion: 1.5 })).toThrow(/params\.protocolVersion/);
    expect(() => checkParams(NewSessionParams(), { mcpServers: [] })).toThrow(/params\.cwd is missing/);
    const prompt = [{ type: 'text', text: 5 }];
    expect(() => checkParams(PromptParams(), { sessionId: 's', prompt })).toThrow(/params\.prompt\.0\.text/);
  });

  it('may have members of later versions, and nulls for what is absent', () => {
    const given = { cwd: '/w', mcpServers: null, additionalDirectories: null, _meta: { a: 1 }, later: true };
    expect(checkParams(NewSessionParams(), given)).toEqual({
      cwd: '/w',
      mcpServers: null,
      additionalDirectories: null,
    });
  });
});
