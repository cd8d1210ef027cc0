import { keyLines } from '../../../src/tapes/format/redactTape';

const BEGIN = '-----BEGIN OPENSSH PRIVATE KEY-----';
const END = '-----END OPENSSH PRIVATE KEY-----';
const PART = 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtz';
const GONE = '[redacted]';

const following = () => {
  const removed: string[] = [];
  const keys = keyLines((kind) => removed.push(kind));
  return { removed, keys, read: (...lines: string[]) => lines.map((line) => keys.line('err', line)) };
};

describe('keyLines', () => {
  it('removes the lines of a key, and no line behind it', () => {
    const { read, removed, keys } = following();
    expect(read('a', BEGIN, PART, PART, 'QIDAQAB', END, 'b')).toEqual(['a', BEGIN, GONE, GONE, GONE, END, 'b']);
    expect([removed, keys.isOpen()]).toEqual([Array(3).fill('private key'), false]);
  });

  it('removes its parts from lines of a log, and its headers', () => {
    const { read } = following();
    expect(read(`log: ${BEGIN}`, `log: ${PART}`, 'DEK-Info: AES-128-CBC,1234')).toEqual([
      `log: ${BEGIN}`,
      `log: ${GONE}`,
      GONE,
    ]);
  });

  it('removes them from messages, which keep their members', () => {
    const { read } = following();
    const message = (data: string) => JSON.stringify({ method: 'notifications/message', params: { data } });
    expect(read(message(BEGIN), message(PART), message('done'))).toEqual([
      message(BEGIN),
      message(GONE),
      message('done'),
    ]);
  });

  it('keeps what another stream has', () => {
    const { keys } = following();
    keys.line('err', BEGIN);
    expect([keys.line('out', PART), keys.isOpen()]).toEqual([PART, true]);
  });

  it('waits for the end no longer than 64 lines of others', () => {
    const { read, keys } = following();
    read(BEGIN, ...Array<string>(65).fill('{"method":"ping"}'));
    expect([keys.isOpen(), read(PART)]).toEqual([false, [PART]]);
  });

  it('knows a key that begins and ends in one line', () => {
    const { read, keys } = following();
    read(`${BEGIN}\\n${PART}\\n${END}`);
    expect(keys.isOpen()).toBe(false);
  });
});
