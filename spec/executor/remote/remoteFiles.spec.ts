import { of, throwError } from 'rxjs';
import { READ_ONLY } from '../../../src/executor/remote/execSandbox';
import { remoteFiles } from '../../../src/executor/remote/remoteFiles';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';

const recorded = (result: unknown = {}) => {
  const asked: unknown[] = [];
  const request = (...given: unknown[]) => {
    asked.push(given);
    return of(result);
  };
  return { asked, request };
};
const errorOf = (error: Error) => {
  const seen: unknown[] = [];
  remoteFiles({ request: () => throwError(() => error) })
    .facts('/f')
    .subscribe({ error: (one) => seen.push(one) });
  return seen[0];
};

describe('remoteFiles', () => {
  it('names paths by URIs, but one with `..`, which a URI would lose; asks in the sandbox', () => {
    const { asked, request } = recorded({ path: 'file:///a%20b' });
    const found: string[] = [];
    const files = remoteFiles({ request, sandbox: READ_ONLY });
    files.canonical('/a b').subscribe((path) => found.push(path));
    files.canonical('/x/../a b').subscribe();
    expect(found).toEqual(['/a b']);
    expect(asked).toEqual([
      ['fs/canonicalize', { path: 'file:///a%20b', sandbox: READ_ONLY }, 'repeat'],
      ['fs/canonicalize', { path: '/x/../a b', sandbox: READ_ONLY }, 'repeat'],
    ]);
  });

  it('asks for the access to a file, which the original does not report', () => {
    const { asked, request } = recorded({});
    remoteFiles({ request })
      .facts('/f')
      .subscribe({ error: () => {} });
    expect(asked).toEqual([['fs/getMetadata', { path: 'file:///f', access: true }, 'repeat']]);
  });

  it('takes no path that is longer than one of a system', () => {
    const path = `file:///${'a/'.repeat(20_000)}`;
    const seen: unknown[] = [];
    remoteFiles({ request: () => of({ path }) })
      .canonical('/a')
      .subscribe({ error: ({ message }) => seen.push(message) });
    expect(seen).toEqual([
      "the exec-server's result of fs/canonicalize is a path of 40001 bytes, and no system has one of more than 4096",
    ]);
  });

  it('does not repeat what changes files when a connection is lost', () => {
    const { asked, request } = recorded({ kind: 'applied' });
    const files = remoteFiles({ request });
    files.write('/f', Buffer.from('a')).subscribe();
    files.remove('/f', { recursive: false, force: true }).subscribe();
    const after = { bytes: Buffer.from('a'), mode: 'default' as const };
    files.change([{ path: 'f', absolute: '/f', real: '/f', found: 'nothing', after }]).subscribe();
    expect(asked).toEqual([
      ['fs/writeFile', { path: 'file:///f', dataBase64: 'YQ==' }, 'fail'],
      ['fs/remove', { path: 'file:///f', recursive: false, force: true }, 'fail'],
      [
        'fs/applyChanges',
        {
          changes: [{ path: 'f', absolute: '/f', real: 'file:///f', found: 'nothing', after: { dataBase64: 'YQ==' } }],
        },
        'fail',
      ],
    ]);
  });

  it('errors as the system there does, and as the executor if it is none of the system', () => {
    const text = 'Read-only file system (os error 30); this exec-server may write in /w (--root)';
    expect(errorOf(new RpcError(-32603, text))).toMatchObject({ code: 'EROFS', errno: -30, message: text });
    const refused = new RpcError(-32601, 'fs/x is not allowed');
    expect(errorOf(refused)).toBe(refused);
    const lost = new Error('the connection was lost');
    expect(errorOf(lost)).toBe(lost);
  });

  it('errors for a result that does not fit', () => {
    const seen: string[] = [];
    remoteFiles(recorded({ isFile: 1 }))
      .facts('/f')
      .subscribe({ error: ({ message }) => seen.push(message) });
    expect(seen[0]).toMatch(/^the exec-server's result of fs\/getMetadata cannot be read/);
  });
});
