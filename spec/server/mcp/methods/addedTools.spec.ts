import { of, throwError } from 'rxjs';
import { type CodexHost, HostError, type StoredConversation } from '../../../../src/protocol/methods/host';
import type { McpDeps } from '../../../../src/server/mcp/mcpDeps';
import { mcpServer } from '../../../../src/server/mcp/mcpServer';
import { addedTools } from '../../../../src/server/mcp/methods/addedTools';
import { asks, initialize, mcpDeps, modern } from '../../../support/mcp';

const tool = (id: unknown, name: string, args: object) => asks(id, 'tools/call', { name, arguments: args });
const nameOf = ({ name }: { name: string }): string => name;

describe('the tools that an option offers', () => {
  const namesWith = (offer: McpDeps['offer']) => {
    const names: string[] = [];
    of(initialize('i', '2025-11-25'), asks(1, 'tools/list'))
      .pipe(mcpServer(mcpDeps({ ...(offer && { offer }) })))
      .subscribe((line) => names.push(...(JSON.parse(line).result.tools ?? []).map(nameOf)));
    return names.slice(2);
  };

  it('are listed, and known, only then', () => {
    expect(namesWith(undefined)).toEqual([]);
    expect(namesWith({ waits: true })).toEqual(['codex-wait']);
    expect(namesWith({ threads: true })).toEqual(['codex-interrupt', 'codex-threads']);
    const answered: unknown[] = [];
    of(tool(2, 'codex-wait', {}))
      .pipe(mcpServer(mcpDeps()))
      .subscribe((line) => answered.push(JSON.parse(line).error.message));
    expect(answered).toEqual(['Unknown tool: codex-wait']);
    expect(Object.keys(addedTools({ toCall: () => undefined as never }))).toEqual([]);
  });

  it('list the threads of this machine, or why they cannot be listed', () => {
    const stored = { id: 'T', cwd: '/a', preview: 'do\u0007', writtenMs: 0 } as StoredConversation;
    const answered: unknown[] = [];
    const asked: unknown[] = [];
    const run = (listStored: CodexHost['listStored'], line: string) =>
      of(line)
        .pipe(mcpServer(mcpDeps({ offer: { threads: true }, codexHost: () => ({ listStored }) as CodexHost })))
        .subscribe((text) => answered.push(JSON.parse(text).result));
    run(
      (page) => {
        asked.push(page);
        return of([stored]);
      },
      tool(1, 'codex-threads', { limit: 3 }),
    );
    run(() => of([]), modern(tool(1, 'codex-threads', {})));
    run(() => throwError(() => new HostError('no disk')), tool(1, 'codex-threads', {}));
    run(() => of([]), tool(1, 'codex-threads', { limit: 0 }));
    expect(asked).toEqual([{ limit: 3 }]);
    expect(answered).toMatchObject([
      {
        content: [{ text: 'T  1970-01-01T00:00:00.000Z  /a  do\\x07' }],
        structuredContent: { threads: [{ threadId: 'T', cwd: '/a', updatedAt: '1970-01-01T00:00:00.000Z' }] },
      },
      { resultType: 'complete', structuredContent: { threads: [] } },
      { content: [{ text: 'no disk' }], isError: true },
      { isError: true },
    ]);
  });
});
