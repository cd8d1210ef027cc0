/** Owns the options of the commands on tapes. */

/** What `record` takes. */
export const recordOptions = {
  out: { alias: 'o', type: 'string', describe: 'The tape; a session is added at its end. Default: a new file here' },
  quiet: {
    alias: 'q',
    type: 'boolean',
    default: false,
    describe: 'Say nothing on stderr besides what the server says',
  },
} as const;
