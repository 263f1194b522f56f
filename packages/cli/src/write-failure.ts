/** Returns the message for an error of Node.js while writing a file. */
export function writeFailure(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'its folder does not exist';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'EROFS':
      return 'the disk is read-only';
    case 'EISDIR':
      return 'a folder has this name';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full';
    case 'EIO':
      return 'the disk fails';
    default:
      return code ?? String(error);
  }
}
