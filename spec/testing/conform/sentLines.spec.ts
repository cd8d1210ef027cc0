/** What a server has sent, in words. */
import type { ObservedLine } from '../../../src/testing/conform/conformCase';
import { endText, firstResponse, sentText, waitText } from '../../../src/testing/conform/sentLines';

const line = (dir: ObservedLine['dir'], text: string): ObservedLine => ({ t: 0, dir, line: text });
const ASKED = line('in', '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}');
const LOG = line('out', '{"jsonrpc":"2.0","method":"notifications/message","params":{}}');

describe('sentText', () => {
  it.each([
    ['nothing', [ASKED], 'it sent nothing'],
    [
      'a line that is no message',
      [line('out', 'Ready'), LOG],
      'it sent "Ready", which is no JSON-RPC, and 1 line more',
    ],
    [
      'JSON that is no message',
      [LOG, line('out', '{"a":1}'), LOG],
      'it sent "{\\"a\\":1}", which is no JSON-RPC, and 2 lines more',
    ],
    ['messages', [LOG], `it sent ${LOG.line}`],
  ])('names %s', (_, lines, text) => {
    expect(sentText(lines)).toBe(text);
  });

  it('names a line that does not end', () => {
    expect(sentText([ASKED], '{"jsonrpc":"2.0"}')).toBe('it sent "{\\"jsonrpc\\":\\"2.0\\"}" without a line end');
  });
});

describe('endText', () => {
  it('names the end, and the last line of stderr', () => {
    const lines = [line('err', 'no key'), line('err', ''), line('exit', '{"code":1,"sig":null}')];
    expect(endText(lines)).toBe('; it ended with exit code 1; stderr: no key');
    expect(endText([ASKED])).toBe('');
  });

  it('names the message of an error, not what stands below it', () => {
    const trace = [
      'Starting',
      'Error: port 3333 is in use',
      '    at listen (file:///a.js:1:2)',
      '}',
      '',
      'Node.js v24.0.0',
    ];
    expect(endText(trace.map((text) => line('err', text)))).toBe('; stderr: Error: port 3333 is in use');
  });
});

describe('waitText', () => {
  it('names what the client waits for, and how long', () => {
    expect(waitText([ASKED, line('out', 'Ready')], 3_004)).toBe(
      'no response to initialize for 3 s: it sent "Ready", which is no JSON-RPC',
    );
  });
});

describe('firstResponse', () => {
  it('finds an error too, and no notification', () => {
    const error = line('out', '{"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"x"}}');
    expect(firstResponse([ASKED, LOG, error])).toBe(error);
    expect(firstResponse([ASKED, LOG, line('out', 'Ready')])).toBeUndefined();
  });
});
