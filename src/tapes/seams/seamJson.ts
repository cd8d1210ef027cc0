/** JSON of values that hold bytes, for the tape. Own code: bytes are all that JSON lacks here, and its own two hooks write them. */

const BYTES = 'bytesBase64';

/** JSON in which bytes are objects with one member. */
export const toSeamJson = (value: unknown): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, name: string, one: unknown) {
    const plain = this[name]; // before Buffer made itself JSON
    return plain instanceof Uint8Array ? { [BYTES]: Buffer.from(plain).toString('base64') } : one;
  });

/** The value of such JSON. */
export const fromSeamJson = (text: string): unknown =>
  JSON.parse(text, (_, one: unknown) => {
    if (typeof one !== 'object' || one === null || !(BYTES in one) || Object.keys(one).length !== 1) return one;
    return new Uint8Array(Buffer.from(String(one[BYTES]), 'base64'));
  });
