/** Bytes as the wire has them: padded base64. */
import { toBuffer } from '../../streams/bytes/toBuffer';

/** The text of some bytes. */
export const toBase64 = (bytes: Uint8Array): string => toBuffer(bytes).toString('base64');

/** The bytes, or what is wrong with the text. Source: codex exec-server 0.142.0, whose decoder is strict. */
export const fromBase64 = (text: string): Buffer | string => {
  if (text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)) return Buffer.from(text, 'base64');
  const bad = /[^A-Za-z0-9+/=]/.exec(text);
  return bad ? `Invalid symbol ${bad[0].charCodeAt(0)}, offset ${bad.index}.` : 'Invalid padding';
};
