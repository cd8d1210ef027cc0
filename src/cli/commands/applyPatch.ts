/** `codex-rx apply-patch`: applies a patch by hand. */
import { resolve } from 'node:path';
import { catchError, EMPTY, mergeMap } from 'rxjs';
import { readPatch, runApplyPatch } from '../../executor/localPatch/runApplyPatch';
import { type Log, silentLog } from '../../protocol/log';
import { defineCommand } from '../command';
import { exitWhenWritten, failAs, remarkAs, remarkInput } from '../ending';
import { exitCode } from '../exitCode';
import { printData } from '../terminal';
import { thisProcess } from '../thisProcess';

const STDIN = '-';

/** What becomes of patches that were interrupted is for the person who runs this. */
const logAsRemarks: Log = (level, message, fields) => {
  const isForPerson = level === 'warning' || level === 'error';
  return isForPerson
    ? remarkAs('apply-patch')(`${message}: ${JSON.stringify(fields)}`)
    : silentLog(level, message, fields);
};

export const applyPatch = defineCommand({
  usage: '$0 apply-patch [FILE|-]',
  positionals: { file: { type: 'string', describe: 'A file with the patch; - for stdin, which is the default' } },
  options: { cd: { alias: 'C', type: 'string', describe: 'Folder from which relative paths in the patch start' } },
  afterDashes: 'nothing',
  examples: [
    ['$0 apply-patch change.patch', 'prints the files that changed'],
    ['$0 apply-patch --cd src < change.patch', 'a patch on stdin, with paths relative to src'],
  ],
  epilogue: 'Exit codes: 0 applied, 1 not applied, and then no file has changed, 2 there is no patch to read.',
  run: ({ file = STDIN, cd }) => {
    const { stdin, stderr } = process;
    const { cwd, codexHome, platform } = thisProcess(cd);
    const apply = runApplyPatch({ codexHome, platform, log: logAsRemarks });
    if (file === STDIN) remarkInput('apply-patch', 'the patch');
    readPatch(stdin, file === STDIN ? file : resolve(file))
      .pipe(
        catchError(({ message }: Error) => {
          remarkAs('apply-patch')(`the patch cannot be read: ${message}`);
          process.exitCode = exitCode.unusable;
          return EMPTY;
        }),
        mergeMap((text) => apply({ text, cwd })),
      )
      .subscribe({
        next: ({ stdout: done, stderr: failure, exitCode: code }) => {
          printData(done);
          printData(failure, stderr);
          process.exitCode = code;
        },
        error: failAs('apply-patch'),
      })
      .add(exitWhenWritten('apply-patch'));
  },
});
