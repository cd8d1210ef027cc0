/** What tells this process, its kernel and its machine from others. */
import { dirname } from 'node:path';
import type { FileSystem } from './fileSystem';
import type { Owner } from './owner';
import { readSystem } from './readSystem';

/** @param startOf when a process began; @param folder where locks are, or will be: the nearest folder above it that is there counts */
export type OwnFactsDeps = {
  fs: Pick<FileSystem, 'openSync' | 'readSync' | 'closeSync' | 'readlinkSync' | 'statfsSync'>;
  startOf: (pid: number) => string | undefined;
  host: string;
  folder: string;
  boot?: string;
};

/** Source: statfs(2): ext, XFS, btrfs, F2FS, bcachefs, ZFS, tmpfs, overlayfs. A disk that several machines use at once is none of these. */
const OWN_DISKS = [0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0xca451a4e, 0x2fc12fc1, 0x01021994, 0x794c7630];

/** The facts about a process of this machine; what the system does not tell is left out. @param boot where the system has no /proc */
export const ownFacts = ({ fs, startOf, host, folder, boot: given }: OwnFactsDeps, pid: number): Owner => {
  const boot = given ?? lineOf(fs, '/proc/sys/kernel/random/boot_id');
  const machine = lineOf(fs, '/etc/machine-id');
  const space = linkOf(fs, '/proc/self/ns/pid');
  const disk = diskOf(fs, folder);
  return {
    pid,
    start: startOf(pid) ?? '',
    host,
    ...(boot && { boot }),
    ...(space && { space }),
    ...(machine && { machine }),
    ...(disk && { disk }),
  };
};

const lineOf = (fs: OwnFactsDeps['fs'], path: string): string | undefined => readSystem(fs, path)?.trim();

const linkOf = (fs: OwnFactsDeps['fs'], path: string): string | undefined => {
  try {
    return fs.readlinkSync(path);
  } catch {
    return undefined; // a system without namespaces
  }
};

const diskOf = (fs: OwnFactsDeps['fs'], folder: string): string | undefined => {
  try {
    const { type } = fs.statfsSync(folder);
    return OWN_DISKS.includes(type) ? 'own' : type.toString(16);
  } catch {
    const above = dirname(folder); // it is not there yet, or cannot be asked
    return above === folder ? undefined : diskOf(fs, above);
  }
};
