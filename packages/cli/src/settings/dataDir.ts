import { existsSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

const name = ".clicks"

// Somebody else's folder, in /tmp say, could hold a database whose settings run programs.
const isOwn = (folder: string): boolean => {
  const self = process.getuid?.()
  return self === undefined || statSync(folder).uid === self
}

const above = (folder: string): ReadonlyArray<string> => {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...above(parent)]
}

/**
 * Where the embedded database is, as an absolute path: the folder that is given, else `.clicks` in the current folder or
 * the nearest one above it that has one, as Git looks for `.git`; when there is none, in the current folder.
 */
export const locateDataDir = (given: string | undefined): string => {
  if (given !== undefined) return resolve(given)
  const candidates = above(process.cwd()).map((folder) => join(folder, name))
  return candidates.find((folder) => existsSync(folder) && isOwn(folder)) ?? resolve(name)
}
