/**
 * Files whose behaviour a spec of another name holds, and why there is none beside them. A new operator, reducer, parser or codec does
 * not belong here: it gets a spec beside it.
 */
export const HELD_BY: Readonly<Record<string, string>> = {
  // Run by the start of the program, with an ES module that the runner cannot load, or for the whole process.
  'cli/help.ts': 'wire/commandLine.spec.ts',
  'cli/serve/serveProcess.ts': 'wire/commandLine.spec.ts',
  'cli/serve/openRecording.ts': 'wire/record.spec.ts',
  'cli/execServer/ceiling.ts': 'wire/execServer.spec.ts',
  'cli/httpOptions.ts': 'cli/commands/record.spec.ts',
  'cli/record/recordHttp.ts': 'wire/http.spec.ts',
  'cli/replay/options.ts': 'wire/replay.spec.ts',
  'cli/replay/serveTape.ts': 'wire/replay.spec.ts',
  'cli/replay/verifyTape.ts': 'wire/replay.spec.ts',
  'testing/stdio.ts': 'testing/session.spec.ts',

  // A client of MCP over HTTP, whose order and end are those of its transport; and the listener below two transports.
  'mcpHttp/clientStreams.ts': 'mcpHttp/dialMcp.spec.ts',
  'mcpHttp/closeExchange.ts': 'mcpHttp/assignSessions.spec.ts',
  'mcpHttp/sessionOutput.ts': 'mcpHttp/assignSessions.spec.ts',
  'mcpHttp/httpClient.ts': 'mcpHttp/dialMcp.spec.ts',
  'transport/httpListener.ts': 'transport/listenHttp.spec.ts',

  // The layers of one configuration, which only their order makes one: compared as a whole, with recorded cases.
  'config/readSavedConfig.ts': 'config/loadConfig.spec.ts',
  'config/schemaParts.ts': 'config/configJsonSchema.spec.ts',

  // Steps of one change to the disk, of which only the whole can be undone: each operation fails once, whichever it is.

  // Constructors and small facts of a state, whose reducer has the spec.
  'server/codex/method.ts': 'server/codex/codexMethods.spec.ts',
  'server/mcp/faces/addItems.ts': 'server/mcp/faces/events0153.spec.ts',
  'server/mcp/faces/addPatches.ts': 'server/mcp/faces/events0153.spec.ts',
  'server/mcp/faces/addTimes.ts': 'server/mcp/faces/events0153.spec.ts',
  'server/mcp/faces/placeMsgs.ts': 'server/mcp/faces/events0153.spec.ts',
  'server/mcp/faces/turn0153.ts': 'server/mcp/faces/events0153.spec.ts',
  'server/mcp/faces/eventMessages.ts': 'server/mcp/toMessages.spec.ts',
  'server/mcp/faces/tools.ts': 'server/mcp/faces/faceOf.spec.ts',
  'server/mcp/methods/method.ts': 'server/mcp/methods/legacyMethods.spec.ts',

  // The parts of one thread in files, whose port a contract holds.
  'rollout/changeThreads.ts': 'rollout/fileThreads.spec.ts',
  'rollout/findRollout.ts': 'rollout/fileThreads.spec.ts',
  'rollout/isContext.ts': 'rollout/threadSummary.spec.ts',
  'rollout/openThread.ts': 'rollout/fileThreads.spec.ts',
  'rollout/parseLines.ts': 'rollout/storedThread.spec.ts',
  'rollout/rolloutFiles.ts': 'rollout/fileThreads.spec.ts',
  'rollout/threadLocks.ts': 'rollout/fileThreads.spec.ts',
  'tape/import/fromCapture.ts': 'tape/import/importSession.spec.ts',
  'tape/import/fromRollout.ts': 'tape/import/importSession.spec.ts',
  'tape/import/source.ts': 'tape/import/importSession.spec.ts',
  'testing/tape.ts': 'testing/ownTapes.spec.ts',

  // Edges whose other side is a process or a connection.
  'executor/local/store.ts': 'executor/local/localBackend.spec.ts',
  'executor/remote/overStdio.ts': 'executor/remote/remoteBackend.contract.spec.ts',
  'executor/remote/overWebSocket.ts': 'executor/remote/overWebSocket.contract.spec.ts',
  'transport/certificates.ts': 'transport/httpPost.spec.ts',
  'transport/decompressed.ts': 'transport/httpPost.spec.ts',
  'transport/limitConnect.ts': 'transport/httpPost.spec.ts',
  'transport/listenUnix.ts': 'wire/execListener.spec.ts',
};
