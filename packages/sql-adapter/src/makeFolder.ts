import { chmodSync, mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"

/**
 * Makes a folder and those above it where they are missing, each with the mode, whatever the umask is. What `mkdirSync` throws is thrown. Its own
 * `recursive` never returns where the folder above exists and refuses with ENOENT, as those of /proc do.
 */
export const makeFolder = (path: string, mode: number): void => {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return
  if (dirname(path) !== path) makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
    chmodSync(path, mode)
  } catch (error) {
    // Another process may have made it meanwhile.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
  }
}
