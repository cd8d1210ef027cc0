/** Which tools of its servers are offered to a model, and under which names. */
import { catchError, concatMap, type Observable, of } from 'rxjs';
import { reduceSchema } from './reduceSchema';
import { failed } from './toDone';
import { toolName } from './toolNames';
import type { OfferedTool, ToolInfo, ToolServer, ToolServerSpec } from './toolServer';

/** A running server; `call$` emits it anew for each call, restarted if it has died. */
export type RunningServer = {
  name: string;
  spec: ToolServerSpec;
  tools: readonly ToolInfo[];
  call$: Observable<ToolServer>;
};

/**
 * The enabled tools of all servers, in order, each under a unique name. A tool whose schema cannot be written in the form that
 * model providers accept is not offered.
 * @param hash returns 40 hex digits for a text
 */
export const offerTools = (hash: (text: string) => string, servers: readonly RunningServer[]): OfferedTool[] => {
  const nameOf = toolName(hash);
  return servers.flatMap(({ name: server, spec, tools, call$ }) =>
    tools.filter(isEnabled(spec)).flatMap((info): OfferedTool[] => {
      const parameters = reduceSchema(info.inputSchema);
      if (parameters === undefined) return [];
      const { name: tool, description, isReadOnly } = info;
      const name = nameOf(server, tool);
      if (name === undefined) return [];
      return [
        {
          spec: { type: 'function', name, description, strict: false, parameters },
          server,
          tool,
          isReadOnly,
          call: callBy(server, tool, call$),
        },
      ];
    }),
  );
};

/** Whether a tool of this server is offered. */
export const isEnabled =
  ({ enabledTools, disabledTools }: Pick<ToolServerSpec, 'enabledTools' | 'disabledTools'>) =>
  ({ name }: Pick<ToolInfo, 'name'>): boolean =>
    (enabledTools?.includes(name) ?? true) && !disabledTools.includes(name);

/** True where the schema of a tool can be reduced to what model providers accept. */
export const isWritable = ({ inputSchema }: Pick<ToolInfo, 'inputSchema'>): boolean =>
  reduceSchema(inputSchema) !== undefined;

const callBy =
  (server: string, tool: string, call$: Observable<ToolServer>): OfferedTool['call'] =>
  (args) =>
    call$.pipe(
      concatMap((running) => running.call(tool, args)),
      catchError((error: Error) => of(failed(`the MCP server ${server} could not be started: ${error.message}`))),
    );
