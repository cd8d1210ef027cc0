/** What the command line of an exec-server lets its clients do at most. */
import { resolve } from 'node:path';
import { type ExecCeiling, toCeiling } from '../../executor/listen/ceiling';
import { unknownMethods } from '../../executor/server/limitMethods';
import { isFolder } from '../../io/paths/look';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import { EXEC_METHODS } from '../../protocol/exec/checkExecParams';
import type { ExecServer } from './options';

const sandboxOf = ({ sandbox, root }: ExecServer) =>
  sandbox ?? (root.length > 0 ? 'workspace-write' : 'danger-full-access');

export const ceilingOf = (given: ExecServer, { cwd }: ProcessInfo): ExecCeiling =>
  toCeiling({
    sandbox: sandboxOf(given),
    roots: (given.root.length > 0 ? given.root : ['.']).map((root) => resolve(cwd, root)),
    allowNetwork: given['allow-network'],
    allowMethods: given['allow-method'],
    denyMethods: given['deny-method'],
  });

/** A ceiling that would not be kept, or that says something else than its author thinks. */
export const ceilingProblem = (given: ExecServer): string | undefined => {
  const sandbox = sandboxOf(given);
  const noFolder = given.root.find((root) => !isFolder(root));
  if (noFolder !== undefined) return `--root must be a folder that is there; it is ${noFolder}`;
  if (given.root.length > 0 && sandbox !== 'workspace-write')
    return `--root names what --sandbox workspace-write lets clients write; --sandbox is ${sandbox}`;
  if (given['allow-network'] && sandbox === 'danger-full-access')
    return '--allow-network goes with --sandbox or --root; without them the network is open';
  const [unknown] = unknownMethods([...given['allow-method'], ...given['deny-method']]);
  return unknown === undefined
    ? undefined
    : `There is no method ${unknown}; methods are ${EXEC_METHODS.join(', ')}, and families such as fs/*`;
};
