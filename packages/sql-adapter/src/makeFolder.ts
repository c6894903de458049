import { chmodSync, mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"

/**
 * Creates a folder and its missing parents with the given mode, whatever the umask is. Throws the errors of `mkdirSync`. Does not use its
 * `recursive` option, which never returns if a parent exists but rejects new folders with ENOENT, as /proc does.
 */
export const makeFolder = (path: string, mode: number): void => {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return
  if (dirname(path) !== path) makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
    chmodSync(path, mode)
  } catch (error) {
    // Another process may have created it.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
  }
}
