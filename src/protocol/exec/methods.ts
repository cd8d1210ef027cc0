/** The methods of the exec-server after the handshake. */

/** Source: codex exec-server 0.142.0 and 0.169.0; process/closeStdin, process/acknowledge and fs/applyChanges, fs/settleChanges are ours. */
export const EXEC_METHODS: readonly string[] = [
  ...['process/start', 'process/read', 'process/write', 'process/acknowledge'],
  ...['process/closeStdin', 'process/signal', 'process/terminate'],
  ...[
    'fs/readFile',
    'fs/writeFile',
    'fs/createDirectory',
    'fs/getMetadata',
    'fs/readDirectory',
    'fs/remove',
    'fs/copy',
  ],
  ...['fs/canonicalize', 'fs/open', 'fs/readBlock', 'fs/writeBlock', 'fs/close', 'fs/applyChanges', 'fs/settleChanges'],
  ...['http/request', 'environment/info', 'environment/status'],
];
