/**
 * Files that no spec imports, with the spec that runs each, and why. All are glue: a program's start, or a port in front of a process, a
 * disk or a socket. An operator, a reducer, a parser or a codec does not belong here: a spec imports it.
 */
export const COVERED_BY: Readonly<Record<string, string>> = {
  // They write to the streams of the process, exit it, or load an ES module that the runner cannot load: only a process shows what they do.
  'cli/tapes/shrinkFault.ts': 'wire/tapes/fuzz.spec.ts',
  'cli/serve/standBehind.ts': 'wire/calls/tasks.spec.ts',
  'cli/serve/serveProcess.ts': 'wire/program/commandLine.spec.ts',
  'cli/replay/serveTape.ts': 'wire/tapes/replay.spec.ts',
  'cli/replay/verifyTape.ts': 'wire/tapes/replay.spec.ts',
  'protocol/mcp/results.ts': 'tapes/check/protocols.spec.ts',
  'tapes/check/mcp.ts': 'tapes/check/protocols.spec.ts',
  'tapes/check/mcpResults.ts': 'tapes/check/protocols.spec.ts',

  // The options of a command, which the spec of the command reads.
  'cli/replay/options.ts': 'cli/commands/replay.spec.ts',
  'cli/conform/options.ts': 'cli/commands/conform.spec.ts',

  // Tables of cases, which the spec plays against servers.
  'testing/conform/cases/acp/messages.ts': 'testing/conform/agents.spec.ts',
  'testing/conform/cases/acp/prompts.ts': 'testing/conform/agents.spec.ts',
  'testing/conform/cases/acp/row.ts': 'testing/conform/agents.spec.ts',
  'testing/conform/cases/acp/sessions.ts': 'testing/conform/agents.spec.ts',
  'testing/conform/cases/acp/sessionParts.ts': 'testing/conform/agents.spec.ts',
  'testing/conform/cases/toolCalls.ts': 'testing/conform/conform.spec.ts',
  'testing/conform/cases/framing.ts': 'testing/conform/conform.spec.ts',
  'testing/conform/cases/http.ts': 'testing/conform/http.spec.ts',
  'testing/conform/cases/lifecycle.ts': 'testing/conform/conform.spec.ts',
  'testing/conform/cases/modern.ts': 'testing/conform/conform.spec.ts',
  'testing/conform/cases/tasks/calls.ts': 'testing/conform/tasks.spec.ts',
  'testing/conform/cases/tasks/withoutTask.ts': 'testing/conform/tasks.spec.ts',

  // The parts of a request on a connection, each in front of a socket: with real servers and proxies.
  'io/http/httpErrors.ts': 'io/http/sendRequest.spec.ts',
  'io/http/nodeHttp.ts': 'io/http/httpPost.spec.ts',

  // Schemas without code, covered by what is made of them.
  'settings/schema/schemaParts.ts': 'settings/schema/schema.spec.ts',

  // A connection to a real server, its requests, streams and buckets.
  'fleet/link/streams/natsStreams.ts': 'contract/nats.spec.ts',

  // The two ends of an executor behind a real server, with which the contract of all backends runs.
  'fleet/served/serveNats.ts': 'fleet/backend/natsBackend.contract.spec.ts',

  // The wiring of `app`: a port in front of a disk, a process, a socket or a terminal, or what connects rooms that have specs of their own.
  'executor/localPatch/folderAt.ts': 'executor/localPatch/localDisk.spec.ts',
  'app/codexHost.ts': 'wire/calls/conversations.spec.ts',
  'cli/client/messages.ts': 'cli/client/toolClient.spec.ts',
  'cli/rerun/startRerun.ts': 'cli/commands/rerun.spec.ts',
  'executor/sandbox/openNoFollow.ts': 'executor/sandbox/sandboxFilesHere.spec.ts',
  'app/tapes/openTapeFile.ts': 'tapes/files/openTape.spec.ts',
  'app/tapes/writeFiles.ts': 'cli/commands/import.spec.ts',
  'executor/listen/serveLines.ts': 'wire/exec/execServer.spec.ts',
};
